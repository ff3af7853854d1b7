# SPDX-License-Identifier: MIT
"""A column of texts, of a plugin's operation that makes a mask as well: shown, sorted as people sort, filtered by a part of it, exported."""
import csv
import os

import numpy as np
import tifffile

from person import column_titles, find, find_all, has_text, keys, name_file, name_of, picture, press, ready, rows, run_command, set_steps, set_text, wait
from test_dialogs import fresh, open_files, paste, visible

BRIGHT = (2, 10, 0, 3)


def grades(program):
    return [row[1] for row in rows(program, "Results")]


def open_stack(program):
    """Four planes with as many bright pixels; what they are."""
    path = fresh("grades.tif")
    stack = np.zeros((4, 20, 30), np.uint8)
    for plane, n in zip(stack, BRIGHT):
        plane.flat[:n] = 200
    tifffile.imwrite(path, stack, imagej=True, metadata={"axes": "ZYX"})
    open_files(program, path)
    return stack


def texts_in_the_table(program):
    open_stack(program)
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


def results_are_named(program):
    """The image and the table of one step have names as they were typed: the form takes the table by its own, the text has both."""
    stack = open_stack(program)
    program.do("add-step", "'grade as=bright,grades'")
    wait(lambda: visible(program, "label", part="Results: 4 rows"), "the table")
    program.do("add-step", "'grade level=256'")
    wait(lambda: grades(program) == [""] * 4, "no grades")
    program.do("add-step", "'tally'")
    wait(lambda: visible(program, "label", part="Results: 0 rows"), "nothing to count")
    press(wait(lambda: next((n for n in find_all(program.app, "combo box") if name_of(n).startswith("Table")), None), "the choice"))
    program.find("label", "1 Grade")
    keys("Home", "Down", "Return")
    program.find("label", "Results: 3 rows")
    assert sorted(row[0] for row in rows(program, "Results")) == sorted(f'grade {n}, "{"many" if n > 9 else "few"}"; µ' for n in BRIGHT if n)
    program.do("copy-steps")
    steps = paste()
    assert steps == "grade as=bright,grades | grade level=256 | tally table=grades", steps
    press(find_all(visible(program, "list", "Steps"), "list item")[1])
    mask = fresh("bright.tif")
    program.do("save")
    name_file(program, "Save Image", mask)
    wait(lambda: ((tifffile.imread(mask) > 0) == (stack >= 100)).all(), "the mask of the first step")
    set_steps(program, "")
    program.do("close-page")


def image_out_of_nothing(program):
    """A step that takes no image shows the one that it makes, of the size of its arguments, on a ground of one color."""
    def levels():
        return len(np.unique(picture(program)[:580, :780]))
    set_steps(program, "gaussian")
    program.do("add-step", "'pattern'")
    wait(lambda: levels() in (20, 21), "5 × 4 pixels")


def new_image(program):
    """File ▸ New Image begins black, without a file, with a form for its size; what it makes is saved as the command makes it."""
    program.do("new-image")
    program.find("label", "Plain Image")
    assert not picture(program)[50:-100, 300:-300].any() and not find(program.app, "label", part="1×1")
    set_steps(program, "plain fill=noise type=u16 width=300 height=200 seed=5")
    ready(program)
    noise, theirs = fresh("noise.tif"), fresh("theirs.tif")
    program.do("save")
    name_file(program, "Save Image", noise)
    run_command("run", "-q", "plain fill=noise type=u16 width=300 height=200 seed=5", "-o", theirs)
    wait(lambda: os.path.exists(noise) and np.array_equal(tifffile.imread(noise), tifffile.imread(theirs)), "the noise")
    set_steps(program, "plain width=4 height=3")
    has_text(program, "12800 %")  # the largest zoom
    program.do("close-page")


TESTS = [texts_in_the_table, results_are_named, image_out_of_nothing, new_image]
