# SPDX-License-Identifier: MIT
"""File ▸ Open Folder…: pictures of its images, the same steps on one after the other, and all of them for a batch."""
import os
import shutil
import time

import numpy as np
import tifffile

from person import (WORK, box, find, find_all, focus_window, has_text, keys, mouse, name_file, name_of, no_window, page_tabs, press, ready, screen, set_steps,
                    wait, window_titled, windows)
from test_several import steps

FOLDER = "Folder plates"


def plates():
    """Black images with a bright corner each, one in a subfolder, and a file that is not an image."""
    folder = os.path.join(WORK, "plates")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "more"))
    for name in ("a1.tif", "a2.tif", "a10.tif", "more/b.tif"):
        pixels = np.zeros((96, 112), np.uint8)
        pixels[:48, :56] = 250
        tifffile.imwrite(os.path.join(folder, name), pixels)
    with open(os.path.join(folder, "z.tif"), "wb") as file:
        file.write(b"II*\0" + bytes(30))
    return folder


def cell(program, name):
    return wait(lambda: find(window_titled(program, FOLDER), "label", name), name)


def in_front(program, name):
    """It alone, of the images of the folder."""
    wait(lambda: [name_of(find(tab, "label")) for tab in page_tabs(program)][1:] == [name], f"{name} alone")


def names(program):
    labels = [name_of(label) for label in find_all(window_titled(program, FOLDER), "label")]
    return [text for text in labels if text.endswith(".tif")]


def open_folder(program, folder):
    program.do("open-folder")
    name_file(program, "Open Folder", folder)
    wait(lambda: find(window_titled(program, FOLDER), "label", "5 images"), "the images")


def browse(program):
    folder = plates()
    open_folder(program, folder)
    wait(lambda: names(program) == ["a1.tif", "a2.tif", "a10.tif", "more/b.tif", "z.tif"], "their names")
    wait(lambda: "112×96 8-bit" in cell(program, "a1.tif").get_description(), "the size")
    wait(lambda: "z.tif" in cell(program, "z.tif").get_description(), "why z.tif is not an image")
    x, y, width, _ = box(cell(program, "a1.tif"))
    middle = x + width / 2
    mouse(640, 795)
    wait(lambda: [screen()[int(y - 60), int(middle + at)].tolist() for at in (-40, 40)] == [[250] * 3, [0] * 3], "the picture")
    press(cell(program, "a2.tif"))
    in_front(program, "a2.tif")
    with open(os.path.join(WORK, "red.lut"), "wb") as file:
        file.write(bytes(range(256)) + bytes(512))
    program.do("open-lut-file", f"b'{WORK}/red.lut'")
    wait(lambda: screen()[200, 400].tolist() == [250, 0, 0], "the look-up table")
    press(cell(program, "a1.tif"))
    in_front(program, "a1.tif")
    wait(lambda: screen()[200, 400].tolist() == [250, 0, 0], "the same look-up table")
    set_steps(program, "threshold method=manual lower=251")
    ready(program)
    press(cell(program, "a10.tif"))
    in_front(program, "a10.tif")
    wait(lambda: steps(program) == "threshold method=manual lower=251", "the same steps")
    set_steps(program, "threshold method=manual lower=252")
    focus_window(program, FOLDER)
    keys("Left")
    in_front(program, "a2.tif")
    wait(lambda: steps(program) == "threshold method=manual lower=252", "the steps as they were changed")
    program.do("open-previous")
    in_front(program, "a1.tif")
    program.do("close-page")
    press(wait(lambda: next((n for w in windows(program) for n in [find(w, "push button", "Cancel")] if n), None), "the question about the steps"))
    program.do("open-previous")
    has_text(program, "first image of the folder")
    keys("End")
    has_text(program, "z.tif")
    in_front(program, "a1.tif")
    press(wait(lambda: find(window_titled(program, FOLDER), "push button", "Run on All…"), "the button"))
    wait(lambda: find(window_titled(program, "Batch"), "label", "5 images"), "the batch of the folder")
    wait(lambda: find(window_titled(program, "Batch"), "label", "Steps of a1.tif"), "its steps")
    focus_window(program, "Batch")
    keys("Escape")
    no_window(program, "Batch")
    with open(os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea", "settings.ini"), encoding="utf-8") as file:
        assert f"last={folder}" in file.read()
    focus_window(program, FOLDER)
    keys("Escape")
    no_window(program, FOLDER)


def files_come_and_go(program):
    """As while a microscope writes them: one that was not whole yet is looked at again, and what is chosen stays so."""
    folder = plates()
    program.do("show-folder", f"b'{folder}'")
    press(cell(program, "a2.tif"))
    in_front(program, "a2.tif")
    wait(lambda: "z.tif" in cell(program, "z.tif").get_description(), "why z.tif is not an image")
    shutil.copyfile(os.path.join(folder, "a1.tif"), os.path.join(folder, "z.tif"))
    shutil.copyfile(os.path.join(folder, "a1.tif"), os.path.join(folder, "a3.tif"))
    os.remove(os.path.join(folder, "a1.tif"))
    wait(lambda: names(program) == ["a2.tif", "a3.tif", "a10.tif", "more/b.tif", "z.tif"], "the files as they are now")
    wait(lambda: "112×96 8-bit" in cell(program, "z.tif").get_description(), "the size of z.tif")
    os.remove(os.path.join(folder, "more", "b.tif"))
    wait(lambda: "more/b.tif" not in names(program), "what has gone from a folder below it")
    os.makedirs(os.path.join(folder, "more", "new"))
    time.sleep(1.5)  # it is seen while it is empty
    shutil.copyfile(os.path.join(folder, "a2.tif"), os.path.join(folder, "more", "new", "c.tif"))
    wait(lambda: "more/new/c.tif" in names(program), "what has come to a new one")
    program.do("open-next")
    in_front(program, "a3.tif")
    focus_window(program, FOLDER)
    keys("Escape")
    no_window(program, FOLDER)


def many(program):
    """Thousands: only what is seen has a picture made, the last ones first when one goes there."""
    folder = os.path.join(WORK, "plates")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    tifffile.imwrite(os.path.join(folder, "0.tif"), np.arange(64, dtype=np.uint8).reshape(8, 8))
    for i in range(1, 3000):
        shutil.copyfile(os.path.join(folder, "0.tif"), os.path.join(folder, f"{i}.tif"))
    program.do("show-folder", f"b'{folder}'")
    wait(lambda: find(window_titled(program, FOLDER), "label", "3000 images"), "the images")
    wait(lambda: "8×8" in cell(program, "0.tif").get_description(), "the first picture")
    focus_window(program, FOLDER)
    press(cell(program, "0.tif"))
    in_front(program, "0.tif")
    keys("End")
    in_front(program, "2999.tif")
    wait(lambda: "8×8" in cell(program, "2999.tif").get_description(), "the last picture")
    keys("Escape")
    no_window(program, FOLDER)


TESTS = [browse, files_come_and_go, many]
