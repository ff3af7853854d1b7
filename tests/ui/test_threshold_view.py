# SPDX-License-Identifier: MIT
"""A threshold seen on the image, as in ImageJ: red over it, with its limits in the histogram."""
import os

import numpy as np
import tifffile

from person import (NUCLEI, WORK, below, box, drag, has_step, looked_at, name_file, name_of, press, run_command, set_steps,
                    settled, texts, wait, zoom_100)

MANUAL = "channel index=1 | threshold method=manual lower=90"


def image_of(steps, name):
    path = os.path.join(WORK, name)
    run_command("run", steps, NUCLEI, "-o", path)
    return tifffile.imread(path).reshape(640, 640)


def part(program, whole):
    """The middle of the canvas at 100 %, and what of a whole image is there."""
    zoom_100(program)
    seen = settled(program)
    _, left, top = looked_at(program)
    y, x = seen.shape[0] // 2 - 100, seen.shape[1] // 2 - 100
    row, column = int(np.floor(top + y + 0.5)), int(np.floor(left + x + 0.5))
    return seen[y:y + 200, x:x + 200].astype(int), [w[row:row + 200, column:column + 200] for w in whole]


def red_over_image(program):
    """Red where the command's mask is; elsewhere the grey of the image. Then the mask itself; and what is saved is the mask."""
    mask, grey = image_of("channel index=1 | otsu", "mask.tif"), image_of("channel index=1", "grey.tif")
    set_steps(program, "channel index=1 | otsu")
    has_step(program, "Otsu Threshold")
    seen, (is_in, value) = part(program, (mask, grey))
    red, green, blue = seen[..., 0], seen[..., 1], seen[..., 2]
    assert 0.05 < (is_in > 0).mean() < 0.95
    assert (((red > 180) & (green < 80) & (blue < 80)) == (is_in > 0)).all(), "red where it takes pixels"
    assert ((red == green) & (green == blue))[is_in == 0].all(), "grey elsewhere"
    assert np.corrcoef(green[is_in == 0], value[is_in == 0])[0, 1] > 0.95, "the image is seen"
    program.do("display")
    press(program.find("check box", "Threshold over the image"))
    seen, (is_in,) = part(program, (mask,))
    assert (seen == np.where(is_in > 0, 255, 0)[..., None]).all(), "the mask itself"
    press(program.find("check box", "Threshold over the image"))
    program.do("save")
    saved = os.path.join(WORK, "seen-mask.tif")
    name_file(program, "Save Image", saved)
    wait(lambda: (tifffile.imread(saved).reshape(640, 640) == mask).all(), "the mask is saved")
    program.do("zoom-fit")


def limits_are_dragged(program):
    """The lower limit in the histogram, by hand: the step, the picture and the objects below follow; one undo for all of it."""
    set_steps(program, MANUAL)
    has_step(program, "Threshold")
    press(program.find("push button", "In the Histogram"))
    before = settled(program)
    x, y, width, _ = box([n for n in below(program.app) if name_of(n) == "Histogram and contrast"][-1])
    low, high = 7, 255  # of the channel
    at = x + 6 + (90 - low) / (high - low) * (width - 12)
    drag(at, y + 6, at + 40, y + 6)
    lower = round(90 + 40 / (width - 12) * (high - low))
    wait(lambda: any(f"{value}" in t for t in texts(program) for value in (lower - 1, lower, lower + 1)), f"a limit near {lower}")
    after = settled(program)
    taken = [((p[..., 0] > 180) & (p[..., 1] < 80)).sum() for p in (before.astype(int), after.astype(int))]
    assert taken[1] < 0.95 * taken[0], taken
    program.do("undo")
    wait(lambda: (settled(program) == before).all(), "one undo")


def method_is_not_dragged(program):
    """What a method finds is marked, and stays where it is."""
    set_steps(program, "channel index=1 | otsu")
    has_step(program, "Otsu Threshold")
    program.do("display")
    before = settled(program)
    x, y, width, _ = box([n for n in below(program.app) if name_of(n) == "Histogram and contrast"][-1])
    drag(x + width * 0.3, y + 6, x + width * 0.6, y + 6)
    assert "Otsu Threshold" in texts(program)
    red = [((p[..., 0] > 150) & (p[..., 1] < 90)).sum() for p in (before.astype(int), settled(program).astype(int))]
    assert red[0] == red[1], red


TESTS = [red_over_image, limits_are_dragged, method_is_not_dragged]
