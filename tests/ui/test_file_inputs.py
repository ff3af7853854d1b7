# SPDX-License-Identifier: MIT
"""A step takes the image of a file: of one that is open, or of any; undone, and with the numbers that SciPy finds."""
import csv
import os

import numpy as np
import tifffile
from scipy import ndimage

from person import WORK, find, find_all, keys, name_file, name_of, press, ready, set_steps, wait
from test_dialogs import fresh, open_files, paste, visible


def written(name, pixels):
    path = os.path.join(WORK, name)
    tifffile.imwrite(path, pixels)
    return path


def squares():
    pixels = np.zeros((200, 300), np.uint8)
    pixels[20:60, 30:90], pixels[100:180, 150:280] = 200, 220
    return pixels


def choice(program):
    return wait(lambda: next((n for n in find_all(program.app, "combo box") if name_of(n).startswith("Intensity")), None), "the choice")


def shows(program, text):
    wait(lambda: text in [name_of(n) for n in find_all(choice(program), "label")], text)


def choose(program, *way):
    """What the keys lead to in the list."""
    press(choice(program))
    wait(lambda: find(choice(program), "label", "Choose File…"), "the list")
    keys(*way, "Return")


def steps(program):
    program.do("copy-steps")
    return paste()


def has_means_of(program, path):
    """What is exported of the table that is shown."""
    labels, n = ndimage.label(squares() >= 100)
    expected = ndimage.mean(tifffile.imread(path), labels, range(1, n + 1))
    wait(lambda: f"intensity=file:{path}" in steps(program).replace('"', ""), "the step")
    ready(program)
    table = fresh("means.csv")
    press(visible(program, "push button", "Export CSV…"))
    name_file(program, "Export Results", table)
    wait(lambda: os.path.getsize(table), "the table")
    with open(table, encoding="utf-8", newline="") as file:
        means = [float(row["intensity_mean"]) for row in csv.DictReader(file)]
    np.testing.assert_allclose(means, expected, rtol=1e-12)


def files_are_inputs(program):
    random = np.random.default_rng(1)
    open_one, other = (written(name, random.integers(0, 60000, (200, 300), dtype=np.uint16)) for name in ("open.tif", "other one.tif"))
    open_files(program, open_one)
    open_files(program, written("squares.tif", squares()))
    set_steps(program, "threshold method=manual lower=100 | label | regionprops properties=label,intensity_mean intensity=source")
    choose(program, "End", "Up")
    has_means_of(program, open_one)
    choose(program, "End")
    name_file(program, "Choose an Image", other)
    has_means_of(program, other)
    shows(program, "other one.tif")
    program.do("undo")  # both choices, as those of one value in a row
    wait(lambda: "intensity=source" in steps(program), "the step as it was")
    shows(program, "Opened image")
    program.do("redo")
    has_means_of(program, other)
    shows(program, "other one.tif")
    os.remove(open_one)
    set_steps(program, f"threshold method=manual lower=100 | label | regionprops intensity=file:{open_one} properties=label,area,intensity_mean")
    wait(lambda: find(program.app, "label", part="open.tif' does not exist"), "what is wrong")
    set_steps(program, "")


TESTS = [files_are_inputs]
