# SPDX-License-Identifier: MIT
"""The visible part comes first. While steps of a large image run, the visible part of their results is shown, marked as a preview. Values and tables
say that they are of the steps before, until the new ones arrive."""
import functools
import os

import numpy as np
import tifffile
from scipy import ndimage

from person import (Program, WORK, box, click, drag, find, has_step, held, looked_at, mouse, name_of, picture, ready, screen, set_steps,
                    settled, shows_request, texts, wait, zoom_100)

SIDE = 6144
# A run lasts for as long as the held step, which the visible part does not need.
STEPS = ("gaussian sigma={} output=same | otsu as=mask | held number={} from=source | label from=mask | "
         "regionprops properties=label,area")


def large_image():
    """Bright discs of several sizes on a noisy ramp."""
    path = os.path.join(WORK, "discs.tif")
    if not os.path.exists(path):
        random = np.random.default_rng(5)
        tile = random.integers(0, 60, (512, 512))
        y, x = np.mgrid[:512, :512]
        for row, column, radius in random.integers((30, 30, 6), (482, 482, 26), (20, 3)):
            tile[(y - row) ** 2 + (x - column) ** 2 < radius ** 2] += 120
        whole = np.tile(tile, (SIDE // 512, SIDE // 512)) + np.linspace(0, 60, SIDE)[:, None]
        tifffile.imwrite(path, whole.astype(np.uint8))
    return path


def title(program):
    return name_of(program.find(part="Results: "))


def counts(program):
    return [t for t in texts(program) if "objects" in t]


def events(program, name, since=0):
    with open(program.times, encoding="utf-8") as times:
        lines = [line.rstrip("\n").split("\t") for line in times]
    return [int(line[0]) for line in lines if len(line) > 2 and line[1] == name and int(line[0]) >= since]


def opened(program):
    """The large image at 100 %, with its blur looked at. How fast the machine is, which another test with a GPU may have measured
    while it was busy, decides how fine a preview is: here it has the usual figures."""
    program.end()
    program = Program(large_image(), XDG_CACHE_HOME=os.path.join(WORK, "cache of previews"))
    set_steps(program, STEPS.format(1, 0))
    has_step(program, "Measure Objects")
    ready(program)
    zoom_100(program)
    steps = program.find("list", "Steps")
    click_row(program, steps, 1)
    settled(program)
    return program


def click_row(program, steps, row):
    x, y, width, height = box(wait(lambda: steps.get_child_at_index(row), "the step"))
    mouse(x + width // 3, y + height // 2, 1)
    wait(lambda: find(program.app, "slider", "Sigma"), "its form")


@functools.lru_cache
def blurred(sigma, row, column, height, width):
    """What SciPy makes of a part."""
    room = int(4 * sigma + 0.5) + 1
    part = tifffile.memmap(large_image(), mode="r")[row - room:row + height + room, column - room:column + width + room]
    return np.rint(ndimage.gaussian_filter(part.astype(np.float64), sigma, mode="nearest"))[room:-room, room:-room]


def grey(seen):
    """Away from outlines, words and the rim."""
    plain = (seen[..., 0] == seen[..., 1]) & (seen[..., 1] == seen[..., 2])
    plain[:40, :140] = plain[-70:, -270:] = False
    plain[:3] = plain[-3:] = plain[:, :3] = plain[:, -3:] = False
    return ndimage.binary_erosion(plain, iterations=2)


def as_blurred(program, sigma):
    """[the canvas], when it is as SciPy blurs what is there."""
    _, left, top = looked_at(program)
    seen = picture(program)
    plain = grey(seen)
    want = blurred(sigma, int(np.floor(top + 0.5)), int(np.floor(left + 0.5)), *plain.shape)
    off = np.abs(seen[..., 0].astype(int) - want)[plain]
    return [seen] if plain.mean() > 0.5 and (off <= 1).all() else []


def same_rows(a, b):
    """Below notes, above the scale bar: a run with its progress takes some room of the canvas."""
    rows = min(len(a), len(b)) - 70
    return (a[80:rows] == b[80:rows]).all()


def strongest(program):
    """How far from its background anything in the table is, without its header and the frame of a chosen row."""
    x, y, width, height = box(find(find(program.app, "tree table", "Results"), "list"))
    seen = screen()[y + 8:min(y + height, 780) - 8, x + 8:x + width // 2].astype(int)
    return abs(seen - np.median(seen, (0, 1))).max()


def visible_part_comes_first(program):
    """The blur of the visible part, as SciPy computes it, while the run continues; then the whole, with the same pixels."""
    program = opened(program)
    before = title(program)
    assert "≈" not in before and not any("≈" in c for c in counts(program)), (before, counts(program))
    first, strong = picture(program), strongest(program)
    with held():
        set_steps(program, STEPS.format(6, 1))
        wait(lambda: events(program, "preview", events(program, "request")[-1]), "a preview")
        wait(lambda: "preview" in program.find("image", "Image").get_description(), "the mark of a preview")
        preview, = wait(lambda: as_blurred(program, 6), "as SciPy blurs it")
        assert not same_rows(preview, first)
        wait(lambda: title(program) == before.replace("Results: ", "Results: ≈ "), f"that {before} is of the steps before")
        wait(lambda: counts(program) and all(c.startswith("≈") for c in counts(program)), "the same of the objects")
        wait(lambda: strongest(program) < strong - 30, "a table that is paler")
        assert not shows_request(program)
    ready(program)
    final = settled(program)
    assert strongest(program) == strong, "the table is as clear as before"
    rows = min(len(final), len(preview))
    both = grey(preview)[:rows] & grey(final)[:rows]
    assert "preview" not in program.find("image", "Image").get_description()
    assert "≈" not in title(program) and title(program) != before, title(program)
    assert not any("≈" in c for c in counts(program)), counts(program)
    assert both.mean() > 0.5 and (final[:rows][both] == preview[:rows][both]).all(), "the whole has the same pixels"
    return program


def stopped_runs_leave_the_image(program):
    """Stop while there is a preview: the picture and the numbers are those of the last run again, and nothing is marked."""
    program = opened(program)
    before, rows = settled(program), title(program)
    with held():
        set_steps(program, STEPS.format(5, 1))
        wait(lambda: as_blurred(program, 5), "a preview")
        wait(lambda: "≈" in title(program), "the mark")
        click(program.find("push button", "Stop"))
        wait(lambda: "≈" not in title(program), "no mark")
        wait(lambda: same_rows(picture(program), before), "the picture of the last run")
        assert title(program) == rows
    return program


def moves_while_it_runs(program):
    """Another part is looked at while the run continues: a preview of that."""
    program = opened(program)
    with held():
        set_steps(program, STEPS.format(4, 1))
        wait(lambda: as_blurred(program, 4), "a preview")
        _, left, top = looked_at(program)
        x, y, width, height = box(program.find("image", "Image"))
        drag(x + width - 50, y + height - 100, x + 50, y + 50)
        wait(lambda: looked_at(program)[1] > left + width / 2 and looked_at(program)[2] > top + height / 2, "another part")
        wait(lambda: as_blurred(program, 4), "a preview of the other part")
        assert not shows_request(program)
    ready(program)
    return program


def late_run_has_one(program):
    """A run that was not predicted to be long; once it is, the visible part comes before the rest."""
    set_steps(program, "channel index=1 | gaussian sigma=1")
    has_step(program, "Gaussian Blur")
    settled(program)
    set_steps(program, "slow seconds=20 | channel index=1 from=source | gaussian sigma=7")
    request = events(program, "request")[-1]
    wait(lambda: events(program, "preview", request), "a preview")
    assert not shows_request(program)
    click(program.find("push button", "Stop"))


TESTS = [late_run_has_one, visible_part_comes_first, stopped_runs_leave_the_image, moves_while_it_runs]
