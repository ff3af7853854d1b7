# SPDX-License-Identifier: MIT
"""A column of texts, of a plugin's operation that makes a mask as well: shown, sorted as people sort, filtered by a part of it, exported."""
import csv

import numpy as np
import tifffile

from person import column_titles, has_text, keys, name_file, picture, press, rows, set_steps, set_text, wait
from test_dialogs import fresh, open_files, visible

BRIGHT = (2, 10, 0, 3)


def grades(program):
    return [row[1] for row in rows(program, "Results")]


def texts_in_the_table(program):
    path = fresh("grades.tif")
    stack = np.zeros((4, 20, 30), np.uint8)
    for plane, n in zip(stack, BRIGHT):
        plane.flat[:n] = 200
    tifffile.imwrite(path, stack, imagej=True, metadata={"axes": "ZYX"})
    open_files(program, path)
    set_steps(program, "grade level=100")
    program.find("label", "Results: 4 rows")
    few, many, three = 'grade 2, "few"; µ', 'grade 10, "many"; µ', 'grade 3, "few"; µ'
    wait(lambda: grades(program) == [few, many, "", three], "the texts")
    press(column_titles(program, "Results")[1])
    wait(lambda: grades(program) == [few, three, many, ""], "in order, 10 after 3, and what is missing last")
    press(visible(program, "push button", part="Filter"))
    set_text(program.find("text", "Part of grade"), "FEW")
    has_text(program, "Results: 2 of 4 rows")
    keys("Escape")
    wait(lambda: grades(program) == [few, three], "those with the part in them")
    table = fresh("grades.csv")
    press(visible(program, "push button", part="Export CSV"))
    name_file(program, "Export Results", table)
    wait(lambda: [row["grade"] for row in csv.DictReader(open(table, encoding="utf-8"))] == [few, three], "the same in the file")
    press(visible(program, "push button", "Show All"))
    set_steps(program, "")
    program.do("close-page")


def image_out_of_nothing(program):
    """A step that takes no image shows the one that it makes, of the size of its arguments, on a ground of one colour."""
    def levels():
        return len(np.unique(picture(program)[:580, :780]))
    set_steps(program, "gaussian")
    program.do("add-step", "'pattern'")
    wait(lambda: levels() in (20, 21), "5 × 4 pixels")


TESTS = [texts_in_the_table, image_out_of_nothing]
