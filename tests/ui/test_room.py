# SPDX-License-Identifier: MIT
"""How much of the window is the image's, and where its channels, slices and frames are chosen."""
import csv
import os
import shutil
import subprocess
import tempfile

import numpy as np
import tifffile

from person import (Atspi, NUCLEI, Program, WORK, box, drag, find, find_all, focused, has_state, has_text, keys, name_of, press, run_command, set_steps, wait)
from test_dialogs import open_files, visible

OBJECTS = "channel index=1 as=green | gaussian sigma=2 | otsu | label as=cells | regionprops intensity=green"


def resize(program, width, height):
    subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(program.process.pid), "--name", "Fovea$",
                    "windowsize", "--sync", str(width), str(height)], check=True, timeout=10)
    wait(lambda: box(program.window)[2:] == (width, height), f"a window of {width} × {height}")


def has_share(program, least):
    """Of the window's area, in percent."""
    wait(lambda: 100 * np.prod(box(program.find("image", "Image"))[2:]) / np.prod(box(program.window)[2:]) >= least,
         f"{least} % for the image")


def image_has_half(program):
    """With steps, a form and a table open: 50 % of a window of 1280 × 800, 58 % of one of 1920 × 1080."""
    set_steps(program, OBJECTS)
    has_text(program, "Results:")
    press(program.find("list item", part="Gaussian Blur"))
    program.find("slider", "Sigma")
    has_share(program, 50)
    resize(program, 1920, 1080)
    has_share(program, 58)
    resize(program, 1280, 800)


def tab_leaves_the_image_alone(program):
    """On the image Tab hides all panels and brings them back as they were; in a form it moves the focus. What is asked for by name
    comes up with the others."""
    set_steps(program, OBJECTS)
    has_text(program, "Results:")
    press(program.find("list item", part="Gaussian Blur"))
    program.find("slider", "Sigma")
    image = box(program.find("image", "Image"))
    line = image[0] + image[2]
    drag(line + 1, 300, line - 60, 300)
    narrow = wait(lambda: box(program.find("image", "Image"))[2] < image[2] - 40 and box(program.find("image", "Image")), "a wider panel")
    for _ in range(2):
        press(program.find("image", "Image"))
        keys("Tab")
        has_share(program, 90)
        assert not any(box(n)[2] for n in find_all(program.app, "slider") if name_of(n) == "Sigma"), "the form is still there"
        keys("Tab")
        wait(lambda: box(program.find("image", "Image")) == narrow, "the panels as they were")
    press(program.find("slider", "Sigma"))
    keys("Tab")
    wait(lambda: focused(program.window) and not has_state(program.find("slider", "Sigma"), Atspi.StateType.FOCUSED), "the focus elsewhere")
    assert box(program.find("image", "Image")) == narrow, "Tab in a form has hidden panels"
    program.do("panels")
    has_share(program, 90)
    program.do("line-profile")
    wait(lambda: box(program.find("image", "Line profile"))[2] and box(program.find("slider", "Sigma"))[2], "panels again")
    program.do("line-profile")
    drag(line - 60, 300, line, 300)


def median_area(steps):
    """Of the objects, by the command and NumPy."""
    path = os.path.join(WORK, "areas.csv")
    run_command("run", steps, NUCLEI, "--table", path)
    with open(path, encoding="utf-8") as file:
        return np.median([float(row["area"]) for row in csv.DictReader(file)])


def tables_fold(program):
    """The line that says what a table has found, with the median of the areas, stays where it is, live, when the table is folded; the table comes
    back as high as it was dragged. Tables and the profile share one panel, and asking for one shows it."""
    set_steps(program, OBJECTS)
    said = box(has_text(program, "Results:"))
    has_text(program, f"area: median {median_area(OBJECTS):.5g}")
    wait(lambda: box(program.find("image", "Image"))[3] < 600, "the table as high as it needs")
    x, y, width, height = box(program.find("image", "Image"))
    drag(x + width / 2, y + height + 1, x + width / 2, y + height - 80)
    low = wait(lambda: box(program.find("image", "Image"))[3] < height - 60 and box(program.find("image", "Image")), "a higher table")
    press(program.find(None, "Fold"))
    wait(lambda: box(program.find("image", "Image"))[3] > height + 100, "the table folded")
    assert box(has_text(program, "Results:")) == said, "the line has moved"
    before = name_of(has_text(program, "Results:"))
    large = OBJECTS.replace("| label ", "| label min_size=300 ")
    set_steps(program, large)
    wait(lambda: name_of(program.find("label", part="Results: ")) not in (before, "Results: none"), "another number of rows")
    has_text(program, f"area: median {median_area(large):.5g}")
    press(program.find(None, "Fold"))
    wait(lambda: box(program.find("image", "Image")) == low, "the table as high as it was")
    press(program.find(None, "Fold"))
    program.do("line-profile")
    wait(lambda: box(program.find("image", "Line profile"))[3] > 48, "the profile, unfolded")
    press(program.find("page tab", "Results"))
    wait(lambda: has_state(program.find("page tab", "Results"), Atspi.StateType.SELECTED), "the table in front")
    program.do("line-profile")
    wait(lambda: not find(program.app, "page tab", "Results"), "no tabs for one table")
    drag(x + width / 2, y + low[3] + 1, x + width / 2, y + height + 1)


def boxes(program):
    """Boxes of the image, of the tabs beside it and of a column's title of the table."""
    return box(program.find("image", "Image")), box(program.find("page tab", "Display")), box(program.find("tree table", "Results"))


def panels_change_sides(program):
    """Steps and tables are below the image or next to it, above the line that says what they found. New tabs and new starts of the program keep sides
    and dragged widths. Below, the form is beside the steps."""
    program.end()
    home = tempfile.mkdtemp(dir=WORK)
    program = Program(NUCLEI, XDG_CONFIG_HOME=home)
    set_steps(program, OBJECTS)
    has_text(program, "Results:")
    image, tabs, table = wait(lambda: boxes(program), "the panels")
    assert image[0] + image[2] <= tabs[0] and image[1] + image[3] <= table[1], (image, tabs, table)
    program.set_state("tables-place", "end")
    image, tabs, table = wait(lambda: (p := boxes(program))[2][0] >= p[0][0] + p[0][2] and p, "the table right of the image")
    assert table[0] + table[2] <= tabs[0] and image[2] > 400 and image[3] > 600, (image, tabs, table)
    assert box(has_text(program, "Results:"))[1] > image[1] + image[3], "the line is below"
    program.set_state("steps-place", "start")
    wait(lambda: (p := boxes(program))[1][0] + p[1][2] <= p[0][0] and p[2][0] + p[2][2] > 1200, "the steps left of the image")
    image = box(program.find("image", "Image"))
    drag(image[0] + image[2] + 4, 300, image[0] + image[2] - 96, 300)
    wait(lambda: abs(box(program.find("image", "Image"))[2] - image[2] + 100) <= 4, "a wider table")
    wide = boxes(program)
    wait(lambda: "tables-beside" in open(os.path.join(home, "fovea/settings.ini"), encoding="utf-8").read(), "the width in the settings")
    program.end()
    program = Program(NUCLEI, XDG_CONFIG_HOME=home)
    set_steps(program, OBJECTS)
    wait(lambda: boxes(program) == wide, "the panels as they were")
    program.set_state("tables-place", "start")
    wait(lambda: (p := boxes(program))[2][0] + p[2][2] <= p[0][0] and abs(p[0][2] - wide[0][2]) <= 12, "the table left of the image, as wide")
    press(program.find(None, "Fold"))
    wait(lambda: box(program.find("image", "Image"))[2] > wide[0][2] + 200, "the table folded")
    program.set_state("tables-place", "below")
    press(program.find(None, "Fold"))
    wait(lambda: (p := boxes(program))[2][1] >= p[0][1] + p[0][3], "the table below")
    program.set_state("steps-place", "below")
    image, tabs, table = wait(lambda: (p := boxes(program))[1][1] >= p[2][1] + p[2][3] and p, "the steps below the table")
    assert image[2] > 1200 and image[3] > 280, image
    steps, form = box(program.find("list", "Steps")), box(program.find("label", "Properties"))
    assert steps[0] + steps[2] <= form[0] and steps[1] <= form[1] <= steps[1] + steps[3], (steps, form)
    program.set_state("steps-place", "end")
    wait(lambda: (p := boxes(program))[1][0] >= p[0][0] + p[0][2], "the steps beside the image")
    program.end()
    return Program(NUCLEI)


def tabs_come_forward(program):
    """Steps, display and selections share one panel: a requested one comes to the front, and adding a step opens its form. The image stays as it
    is."""
    image = box(program.find("image", "Image"))
    for action, tab in (("display", "Display"), ("selections", "Selections"), ("add-step::gaussian", "Steps")):
        name, _, value = action.partition("::")
        program.do(name, *[f"'{value}'"] * bool(value))
        wait(lambda: has_state(program.find("page tab", tab), Atspi.StateType.SELECTED), f"{tab} in front")
        assert box(program.find("image", "Image")) == image, f"{tab} takes room of the image"


def positions_take_no_room(program):
    """The sliders of a stack are in the bottom line of the window; they disappear with it, and those of another image appear."""
    before = box(program.find("image", "Image"))[3]
    path = os.path.join(WORK, "hyperstack.tif")
    pixels = np.zeros((4, 3, 2, 32, 32), np.uint8) + np.arange(4, dtype=np.uint8).reshape(4, 1, 1, 1, 1)
    tifffile.imwrite(path, pixels, imagej=True, metadata={"axes": "TZCYX"})
    open_files(program, path)
    assert box(visible(program, "image", "Image"))[3] == before, "the image is lower"
    for name, last in (("Channel", "2/2"), ("Slice", "3/3"), ("Frame", "4/4")):
        x, y, width, height = box(visible(program, "slider", name))
        assert y >= 800 - 32 and y + height <= 800, f"{name} at {y}"
        visible(program, "slider", name).get_value_iface().set_current_value(9)
        has_text(program, last)
    program.do("close-page")
    wait(lambda: not find(program.app, "slider", "Frame"), "no frames")
    number = program.find("label", "1/3 Red")
    width = box(number)[2]
    path = os.path.join(WORK, "as_many_channels.tif")
    shutil.copy(NUCLEI, path)
    open_files(program, path)
    assert box(program.find("label", "1/3 Red"))[2] == width > 40, "the number of the channel is cut"
    program.do("close-page")
    program.gone("push button", "Close as_many_channels.tif")


TESTS = [image_has_half, tab_leaves_the_image_alone, tables_fold, panels_change_sides, tabs_come_forward, positions_take_no_room]
