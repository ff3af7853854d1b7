# SPDX-License-Identifier: MIT
"""Dialogs that save, what they are called and where they start; files that cannot be opened; tables that come forward; plurals."""
import csv
import os
import shutil

import numpy as np
import tifffile

from person import (NUCLEI, WORK, Atspi, below, box, find, find_all, focused, has_state, has_step, has_text, keys, name_file, name_of, named_as, open_choices,
                    no_step, no_window, press, return_ends, set_steps, set_text, text_of, type_text, wait, window_titled)
from test_dialogs import fresh, open_files, visible

FOLDER = os.path.join(WORK, "my images")
COPY = os.path.join(FOLDER, "cells of today.tif")


def open_copy(program):
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    shutil.copy(NUCLEI, COPY)
    open_files(program, COPY)


def close_copy(program):
    set_steps(program, "")
    program.do("close-page")
    program.gone("push button", "Close cells of today.tif")
    shutil.rmtree(FOLDER)


def steps_get_their_ending(program):
    """Steps saved as "mine" are in mine.steps, which the dialog shows when they are opened; another file of that name stays."""
    open_copy(program)
    set_steps(program, "channel index=1 | gaussian sigma=3.5")
    has_text(program, "Sigma 3.5")
    program.do("save-steps")
    name_file(program, "Save Steps", os.path.join(FOLDER, "mine"))
    saved = os.path.join(FOLDER, "mine.steps")
    wait(lambda: "sigma=3.5" in open(saved, encoding="utf-8").read(), "mine.steps")
    assert not os.path.exists(os.path.join(FOLDER, "mine"))
    set_steps(program, "channel index=1")
    program.gone("label", part="Sigma 3.5")
    program.do("save-steps")
    name_file(program, "Save Steps", os.path.join(FOLDER, "mine"))
    has_text(program, "mine.steps already exists. To replace it")
    assert "sigma=3.5" in open(saved, encoding="utf-8").read()
    program.do("open-steps")
    dialog = window_titled(program, "Open Steps")
    wait(lambda: focused(dialog), "the focus in Open Steps")
    return_ends(program, "Open Steps")  # it starts in the image's folder, where this is the first file that its filter shows
    has_text(program, "Sigma 3.5")
    close_copy(program)


def dialogs_start_beside_the_image(program):
    """What is saved without a folder lies beside the image; titles name the image, the window's too."""
    open_copy(program)
    wait(lambda: name_of(program.window) == "cells of today.tif – Fovea", "the title of the window")
    set_steps(program, "channel index=1 | otsu | label min_size=2000 | regionprops")
    has_text(program, "Results:")
    for what, name in (("save", "picture.tif"), ("save-steps", "list.steps"), (None, "table.csv")):
        title = {"save": "Save Image", "save-steps": "Save Steps", None: "Export Results"}[what] + " of cells of today.tif"
        if what:
            program.do(what)
        else:
            press(visible(program, "push button", part="Export CSV"))
        dialog = window_titled(program, title)
        entry = wait(lambda: next(n for n in find_all(dialog, "text") if "." in text_of(n)), "a proposed name")
        assert entry
        keys("ctrl+a")
        type_text(name)
        wait(lambda: any(text_of(n) == name for n in find_all(dialog, "text")), "the name")
        keys("Return")
        wait(lambda: os.path.exists(os.path.join(FOLDER, name)), f"{name} beside the image")
    close_copy(program)
    wait(lambda: name_of(program.window) == "nuclei_rgb.tif – Fovea", "the title of the image in front")


def unreadable_file_leaves_nothing(program):
    """A file that breaks off behind its directory opens no tab and is not among the files opened before."""
    path = fresh("broken off.tif")
    image = np.arange(512 * 512, dtype=np.uint16).reshape(512, 512)
    tifffile.imwrite(path, image, compression="zlib", rowsperstrip=512)
    with tifffile.TiffFile(path) as tiff:
        offset = tiff.pages[0].dataoffsets[0]
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(b"\xff" * 4000)
    program.do("open", where="")
    name_file(program, "Open Images", path)
    program.find("label", part="broken off.tif")
    assert not [n for n in below(program.window) if name_of(n) == "Close broken off.tif"], "it has a tab"
    program.do("close-page")
    start = wait(lambda: [name_of(n) for n in find_all(program.window, "push button") if box(n)[2] > 0 and ".tif" in name_of(n)],
                 "files opened before, on the page without an image")
    assert any("nuclei_rgb.tif" in name for name in start), start
    assert not any("broken off.tif" in name for name in start), start
    open_files(program, NUCLEI)


def measuring_brings_its_table_forward(program):
    """Measure in the menus shows Results when Measurements were in front, and m Measurements when Results were."""
    set_steps(program, "channel index=1 | otsu | label min_size=2000")
    has_step(program, "Label Objects")
    def front(title):
        return wait(lambda: any(name_of(n).startswith(title) and box(n)[2] > 0 for n in find_all(program.window, "label")), title)
    program.do("measure")
    front("Measurements: 1 row")
    program.do("add-step", "'regionprops'")
    front("Results:")
    program.do("measure")
    front("Measurements: 2 rows")
    program.do("undo")
    program.do("add-step", "'regionprops'")
    front("Results:")
    program.do("clear-measurements")


def one_object(program):
    """One object, one row."""
    path = fresh("one.tif")
    image = np.zeros((40, 60), np.uint8)
    image[10:20, 15:40] = 200
    tifffile.imwrite(path, image)
    open_files(program, path)
    set_steps(program, "otsu | label | regionprops")
    program.find("label", "1 object")
    program.find("label", "Results: 1 row")
    assert not [n for n in find_all(program.window, "label") if name_of(n) in ("1 objects", "Results: 1 rows")]
    program.find("list item", part="Label Objects 1 object")
    set_steps(program, "")
    program.do("close-page")
    program.gone("push button", "Close one.tif")
    no_step(program)


def options_of(dialog):
    """How TIFF is written: compression, tile and pyramid."""
    compression = next(n for n in find_all(dialog, "combo box") if name_of(n).startswith("Compression"))
    return [name_of(find_all(compression, "label")[-1]), text_of(find(dialog, "text", "Tile")),
            has_state(find(dialog, "check box", "Pyramid"), Atspi.StateType.CHECKED)]


def change_compression(dialog, times):
    """The one so many further down than the present one."""
    before = options_of(dialog)[0]
    open_choices(next(n for n in find_all(dialog, "combo box") if name_of(n).startswith("Compression")))
    keys(*["Down" if times > 0 else "Up"] * abs(times), "Return")
    wait(lambda: options_of(dialog)[0] != before, "another choice")


def save_dialog(program, path, expected):
    """With the file named, and the options that it shows first."""
    program.do("save")
    dialog = window_titled(program, "Save Image")
    wait(lambda: focused(dialog), "the focus in Save Image")
    keys("ctrl+a")
    type_text(path)
    wait(lambda: named_as(dialog, path), "the path")
    wait(lambda: options_of(dialog) == expected, f"{expected}, not {options_of(dialog)}")
    return dialog


def save_ends(program, dialog, path):
    press(find(dialog, "push button", "Save"))
    no_window(program, "Save Image")
    wait(lambda: os.path.exists(path), path)


def tiff_is_written_as_chosen(program):
    """Compressed, in tiles, with smaller levels; the dialog keeps that for the next time, and PNG is written all the same. What cannot be is refused."""
    path, again, png, plain = fresh("chosen.tif"), fresh("again.tif"), fresh("again.png"), fresh("plain.tif")
    usual, small = ["Not compressed", "", False], ["Deflate", "128", True]
    dialog = save_dialog(program, path, usual)
    change_compression(dialog, 1)
    press(find(dialog, "check box", "Pyramid"))
    set_text(find(dialog, "text", "Tile"), "100")
    wait(lambda: find(dialog, "label", part="a multiple of 16"), "what is wrong")
    press(find(dialog, "push button", "Save"))
    wait(lambda: has_state(find(dialog, "text", "Tile"), Atspi.StateType.FOCUSED), "the focus there")
    assert not os.path.exists(path)
    set_text(find(dialog, "text", "Tile"), "128")
    wait(lambda: options_of(dialog) == small, "the options")
    save_ends(program, dialog, path)
    with tifffile.TiffFile(path) as tiff, tifffile.TiffFile(NUCLEI) as source:
        page = tiff.pages[0]
        assert (page.compression, page.tile, len(page.subifds)) == (8, (128, 128), 3), (page.compression, page.tile, page.subifds)
        assert (tiff.series[0].levels[0].asarray() == source.asarray()).all()
    for to in (again, png):
        save_ends(program, save_dialog(program, to, small), to)
    with open(path, "rb") as one, open(again, "rb") as other:
        assert one.read() == other.read()
    dialog = save_dialog(program, plain, small)
    change_compression(dialog, -1)
    press(find(dialog, "check box", "Pyramid"))
    set_text(find(dialog, "text", "Tile"), "")
    save_ends(program, dialog, plain)
    with tifffile.TiffFile(plain) as tiff:
        assert (tiff.pages[0].compression, tiff.pages[0].is_tiled) == (1, False)


def tables_are_written_as_chosen(program):
    """Semicolons, and a first column with the name of the image."""
    set_steps(program, "channel index=1 | otsu | label min_size=2000 | regionprops properties=label,area")
    press(wait(lambda: find(program.app, "push button", "Export CSV…"), "a table"))
    dialog, path = window_titled(program, "Export Results"), os.path.join(WORK, "chosen.csv")
    wait(lambda: focused(dialog), "the focus in Export Results")
    keys("ctrl+a")
    type_text(path)
    wait(lambda: named_as(dialog, path), "the path")
    press(find(dialog, "check box", part="name of the image"))
    press(find(dialog, "combo box"))
    keys("Down", "Return")
    wait(lambda: name_of(find_all(find(dialog, "combo box"), "label")[-1]).startswith("Semicolon"), "the choice")
    press(find(dialog, "push button", "Export"))
    no_window(program, "Export Results")
    wait(lambda: os.path.exists(path), path)
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter=";"))
    assert len(rows[0]) == 3 and {row[0] for row in rows[1:]} == {os.path.basename(NUCLEI)}, rows[:2]
    assert [row[1] for row in rows[1:]] == [str(i + 1) for i in range(len(rows) - 1)], rows


TESTS = [steps_get_their_ending, dialogs_start_beside_the_image, unreadable_file_leaves_nothing,
         measuring_brings_its_table_forward, one_object, tiff_is_written_as_chosen,
         tables_are_written_as_chosen]
