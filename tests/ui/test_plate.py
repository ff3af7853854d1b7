# SPDX-License-Identifier: MIT
"""A plate: its wells with pictures, a field that a click opens, and a heat map of a batch's table."""
import csv
import os

import numpy as np
import tifffile

from person import (WORK, Program, box, click, find, find_all, focus_window, has_text, keys, mouse, name_of, no_window, page_tabs, press, screen, set_steps,
                    set_text, settled, wait, window_titled)
from test_batch import TITLE, add_folder, back, button, fresh_folder, says

WELLS = {"A01": 3, "A02": 1, "B01": 4, "H12": 2}
STEPS = "threshold method=manual lower=100 as=mask | label as=cells | regionprops properties=label,area"


def plate():
    """Two sites of each well: so many squares, the second site with one more, over a frame that pictures show."""
    folder = fresh_folder("screen")
    os.mkdir(folder)
    for well, n in WELLS.items():
        for site in (1, 2):
            image = np.full((96, 96), 60, np.uint8)
            for i in range(n + site - 1):
                image[8 + 16 * i:16 + 16 * i, 40:56] = 200
            tifffile.imwrite(os.path.join(folder, f"screen_{well}_s{site}_w1.tif"), image, metadata=None)
    with open(os.path.join(folder, "screen.HTD"), "w", encoding="utf-8") as file:
        file.write('"HTSInfoFile", Version 1.0\n"XWells", 12\n"YWells", 8\n"Sites", TRUE\n"WaveName1", "DAPI"\n"EndFile"\n')
    return folder


def cell(grid, row, column, rows=8, columns=12):
    """The middle of a well on the screen."""
    x, y, width, height = box(grid)
    header = 22
    return x + header + (column + 0.5) * (width - header) / columns, y + header + (row + 0.5) * (height - header) / rows


def first_square(grid, row, column):
    """How bright the first square of a well's picture is."""
    x, y = cell(grid, row, column)
    return screen()[int(y - 0.375 * (box(grid)[3] - 22) / 8), int(x)].mean()


def shown(program):
    return [name_of(find(tab, "label")) for tab in page_tabs(program)]


def wells(program):
    """Opened as a folder, a plate has a window with its wells; a click opens one, in the field that is chosen there."""
    folder = plate()
    program.end()
    program = Program(folder)
    window = wait(lambda: window_titled(program, "Plate screen"), "the window of the plate")
    says(window, "4 wells, 8 images")
    wait(lambda: shown(program) == ["screen: A01, field 1"], "the first field")
    focus_window(program, "Plate screen")
    grid = wait(lambda: find(window, "image", "Plate"), "the wells")
    wait(lambda: first_square(grid, 7, 11) > 150, "the picture of H12")
    assert first_square(grid, 6, 11) < 100
    mouse(*(int(v) for v in cell(grid, 1, 0)), 1)
    wait(lambda: shown(program)[-1] == "screen: B01, field 1", "well B01")
    assert "B01" in grid.get_description(), grid.get_description()
    focus_window(program, "Plate screen")
    press(wait(lambda: find(window, "combo box", "Field"), "the fields"))
    keys("Down", "Return")
    mouse(*(int(v) for v in cell(grid, 0, 1)), 1)
    wait(lambda: shown(program)[-1] == "screen: A02, field 2", "field 2 of well A02")
    focus_window(program, "Plate screen")
    keys("Escape")
    no_window(program, "Plate screen")
    return back(program)


def heat_map(program):
    """After a batch on a plate the table has a heat map: colors by the mean of a well, the number in the tooltip's words, a click to the image."""
    folder, out = plate(), fresh_folder("screen-results")
    program.end()
    program = Program(folder)
    wait(lambda: window_titled(program, "Plate screen"), "the window of the plate")
    focus_window(program, "Plate screen")
    keys("Escape")
    set_steps(program, STEPS)
    settled(program)
    program.do("batch")
    window = window_titled(program, "Batch")
    add_folder(program, window, folder)
    set_text(wait(lambda: find(window, "text", "Folder"), "the field"), out)
    click(button(window, "Start"))
    table = wait(lambda: window_titled(program, TITLE), "the table")
    with open(os.path.join(out, "all.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(2 * n + 1 for n in WELLS.values()), rows
    focus_window(program, TITLE)
    press(wait(lambda: find(table, "push button", "Plate"), "the button"))
    grid = wait(lambda: find(table, "image", "Plate"), "the wells")
    wait(lambda: find(table, "label", part=" … "), "the legend")
    press(wait(lambda: find(table, "combo box", "Value of a well"), "the values"))
    keys("End", "Return")
    wait(lambda: find(table, "label", "3 … 9"), "the numbers of rows")
    low, high, none = (screen()[tuple(int(v) for v in cell(grid, *at)[::-1])].tolist() for at in ((0, 1), (1, 0), (4, 4)))
    assert low[2] > low[1] and high[0] > 200 and high[1] > 200 and none != low, (low, high, none)
    mouse(*(int(v) for v in cell(grid, 7, 11)), 1)
    wait(lambda: shown(program)[-1] == "screen: H12, field 1", "the image of H12")
    return back(program)


TESTS = [wells, heat_map]
