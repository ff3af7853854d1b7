# SPDX-License-Identifier: MIT
"""Image Calculator and Merge Channels: what is chosen is seen at once, replays with the command, and is undone in one piece."""
import os

import numpy as np
import tifffile
from gi.repository import Atspi
from scipy import ndimage

from person import (NUCLEI, WORK, Program, becomes, find, find_all, focus_window, has_state, has_text, keys, name_file, name_of, no_step, no_window, picture,
                    press, ready, run_command, set_steps, settled, text_of, wait, window_titled)
from test_dialogs import fresh, open_files, paste
from test_file_inputs import written

CALCULATOR, MERGE = "Image Calculator", "Merge Channels"


def steps(program):
    program.do("copy-steps")
    return paste()


def choice(program, title, name):
    return wait(lambda: next((n for n in find_all(window_titled(program, title), "combo box") if name_of(n).startswith(name)), None), name)


def choose(program, title, name, *way):
    """What the keys lead to in the list."""
    focus_window(program, title)
    press(choice(program, title, name))
    wait(lambda: len(find_all(choice(program, title, name), "list item")) > 1, "the list")
    keys(*way, "Return")


def shows(program, title, name, text):
    wait(lambda: text in [name_of(n) for n in find_all(choice(program, title, name), "label")], f"{name}: {text}")


def button(program, title, name):
    return wait(lambda: find(window_titled(program, title), "push button", name), name)


def accept(program, title):
    wait(lambda: has_state(button(program, title, "OK"), Atspi.StateType.SENSITIVE), "OK")
    press(button(program, title, "OK"))
    no_window(program, title)


def made(program, path):
    """What the steps of the window make of the file with the command."""
    out = fresh("made.tif")
    run_command("run", steps(program), path, "-o", out)
    return tifffile.imread(out)


def calculator(program):
    random = np.random.default_rng(1)
    a, b = (random.integers(0, 256, (40, 60)).astype("u1") for _ in range(2))
    first, second = written("first.tif", a), written("second.tif", b)
    open_files(program, second)
    open_files(program, first)
    program.do("add-step", "'calculate'")
    shows(program, CALCULATOR, "Image 1", "first.tif")
    shows(program, CALCULATOR, "Image 2", "second.tif")
    wait(lambda: steps(program) == f"calculate b=file:{second}", "the step before anything is chosen")
    choose(program, CALCULATOR, "Operation", "Down")
    wait(lambda: steps(program) == f"calculate function=subtract b=file:{second}", "the step as it was chosen")
    keys("Escape")
    no_window(program, CALCULATOR)
    no_step(program)
    program.do("add-step", "'calculate'")
    choose(program, CALCULATOR, "Operation", "Down")
    choose(program, CALCULATOR, "Output", "Down", "Down", "Down", "Down", "Down")
    wait(lambda: "output=f32" in steps(program), "the type")
    accept(program, CALCULATOR)
    np.testing.assert_array_equal(made(program, first), a - b.astype("f4"))
    program.do("undo")
    no_step(program)


def result_of_another(program):
    """What the steps of an image of another file make has to be saved, which the dialog offers, and is taken from there."""
    image = np.random.default_rng(2).integers(0, 60000, (50, 70)).astype("u2")
    one, other = written("one.tif", image), written("other.tif", 60000 - image)
    open_files(program, other)
    set_steps(program, "gaussian sigma=3")
    open_files(program, one)
    ready(program)
    program.do("add-step", "'calculate'")
    shows(program, CALCULATOR, "Image 1", "one.tif")
    if "other.tif" not in [name_of(n) for n in find_all(choice(program, CALCULATOR, "Image 2"), "label")]:
        choose(program, CALCULATOR, "Image 2", "End", "Up", "Up")
    wait(lambda: find(window_titled(program, CALCULATOR), "label", part="other.tif has steps"), "what is wrong")
    no_step(program)
    assert not has_state(button(program, CALCULATOR, "OK"), Atspi.StateType.SENSITIVE)
    press(button(program, CALCULATOR, "Save Its Result…"))
    saved = fresh("saved.tif")
    name_file(program, "Save Image", saved)
    shows(program, CALCULATOR, "Image 2", "saved.tif")
    wait(lambda: steps(program) == f"calculate b=file:{saved}", "the step with the file")
    accept(program, CALCULATOR)
    np.testing.assert_allclose(made(program, one), image + tifffile.imread(saved).astype("f4"), rtol=1e-6)


def steps_of_another(program):
    """The steps of another tab of the same file are done here, and so is what an image of no file is made by."""
    image = np.random.default_rng(3).integers(0, 60000, (36, 48)).astype("u2")
    path = written("split.tif", image)
    open_files(program, path)
    program.do("duplicate")
    set_steps(program, "median radius=2")
    ready(program)
    program.do("add-step", "'calculate'")
    shows(program, CALCULATOR, "Image 1", "split.tif, 2")
    shows(program, CALCULATOR, "Image 2", "split.tif")
    choose(program, CALCULATOR, "Operation", "Down")
    wait(lambda: steps(program) == "median radius=2 | calculate function=subtract b=source", "the image as it was opened")
    choose(program, CALCULATOR, "Image 2", "End", "Up")  # the one with the steps
    choose(program, CALCULATOR, "Image 1", "End", "Up", "Up")
    wait(lambda: steps(program) == "median radius=2 from=source as=median | calculate function=subtract from=source b=median", "the steps of both")
    accept(program, CALCULATOR)
    y, x = np.mgrid[-2:3, -2:3]
    median = ndimage.median_filter(image, footprint=x * x + y * y <= 4, mode="nearest")
    np.testing.assert_array_equal(made(program, path), image - median.astype("f4"))


def colours(program):
    """Of the rows in which the images stand; Cancel gives back how it was seen."""
    half = np.zeros((30, 44), "u1")
    half[:, :22] = 255
    left, right = written("left.tif", half), written("right.tif", half[:, ::-1])
    open_files(program, right)
    open_files(program, left)
    ready(program)
    before = settled(program)
    program.do("add-step", "'merge_channels'")
    shows(program, MERGE, "C1 (red)", "left.tif")
    shows(program, MERGE, "C2 (green)", "right.tif")
    choose(program, MERGE, "C2 (green)", "Home")
    wait(lambda: find(window_titled(program, MERGE), "label", part="at least two images"), "what is missing")
    choose(program, MERGE, "C6 (magenta)", "End", "Up", "Up")
    wait(lambda: steps(program) == f"merge_channels c2=file:{right}", "the step")
    accept(program, MERGE)
    program.do("record")
    record = window_titled(program, "Record")
    lines = ['run("Red");', "Stack.setPosition(2, 1, 1);", 'run("Magenta");', "Stack.setPosition(1, 1, 1);"]
    wait(lambda: text_of(find(record, "text", "Recorded commands")).splitlines()[-4:] == lines, "the colours in the record")
    focus_window(program, "Record")
    keys("Escape")
    no_window(program, "Record")
    ready(program)
    seen = settled(program)
    middle, width = seen.shape[0] // 2, seen.shape[1]
    assert [seen[middle, x].tolist() for x in (width // 4, 3 * width // 4)] == [[255, 0, 0], [255, 0, 255]], seen[middle, ::width // 8]
    np.testing.assert_array_equal(made(program, left), [half, half[:, ::-1]])
    set_steps(program, "")
    no_step(program)
    program.do("add-step", "'merge_channels'")
    shows(program, MERGE, "C2 (green)", "right.tif")
    keys("Escape")
    no_window(program, MERGE)
    no_step(program)


TESTS = [calculator, result_of_another, steps_of_another, colours]
