# SPDX-License-Identifier: MIT
"""Selections and measurements that are in no file: closing and quitting ask about them, saving writes them, and they survive kill -9."""
import csv
import os
import shutil
import tempfile
import zipfile

from person import (NUCLEI, Program, click, click_away, find, find_all, has_text, keys, name_of, rows, set_steps, wait, window_titled,
                    windows)
from test_dialogs import draw, number, open_files
from test_window import kept


def question(program):
    """The texts of the dialog that asks before something is closed."""
    dialog = wait(lambda: next((w for w in windows(program) if find(w, "push button", "Discard")), None), "the question")
    return dialog, " ".join(name_of(n) for n in find_all(dialog, "label"))


def answer(program, button):
    click_away(program, find(question(program)[0], "push button", button))


def make_by_hand(program):
    """An oval and a rectangle in the list, and the rectangle measured."""
    draw(program, "oval", 320, 260, 50, 60)
    program.do("keep-selection")
    draw(program, "rectangle", 250, 200, 101, 57)
    program.do("keep-selection")
    has_text(program, "Selections: 2")
    program.do("measure")
    has_text(program, "Measurements: 1 row")


def open_copy(program):
    """Alone, in a folder of its own."""
    folder = tempfile.mkdtemp()
    path = shutil.copy(NUCLEI, os.path.join(folder, "mine.tif"))
    open_files(program, path)
    click(program.find("push button", f"Close {os.path.basename(NUCLEI)}"))
    program.gone("push button", f"Close {os.path.basename(NUCLEI)}")
    return folder, path


def as_before(program, folder):
    program.find("push button", "Try a Sample")
    open_files(program, NUCLEI)
    shutil.rmtree(folder)


def closing_names_what_is_lost(program):
    """Cancel keeps all; nothing is asked where nothing was made."""
    folder, path = open_copy(program)
    make_by_hand(program)
    program.do("close-page")
    _, texts = question(program)
    assert "mine.tif" in texts and "2 selections, 1 measurement" in texts and "steps" not in texts, texts
    answer(program, "Cancel")
    has_text(program, "Measurements: 1 row")
    program.do("quit", where="")
    _, texts = question(program)
    assert "mine.tif" in texts and "2 selections, 1 measurement" in texts, texts
    answer(program, "Cancel")
    program.do("close-page")
    answer(program, "Discard")
    program.gone("push button", "Close mine.tif")
    open_files(program, path)
    program.do("close-page")
    program.gone("push button", "Close mine.tif")
    as_before(program, folder)


def all_is_saved(program):
    """Into files beside the image that ImageJ and a spreadsheet read; afterwards the image closes without a question."""
    folder, _ = open_copy(program)
    make_by_hand(program)
    set_steps(program, "channel index=1")
    program.do("close-page")
    _, texts = question(program)
    assert "steps, 2 selections, 1 measurement" in texts, texts
    answer(program, "Save…")
    window_titled(program, "Save in a Folder")
    keys("Return")
    program.gone("push button", "Close mine.tif")
    assert sorted(os.listdir(folder)) == ["mine-measurements.csv", "mine.steps", "mine.tif", "mine.zip"], os.listdir(folder)
    with open(os.path.join(folder, "mine-measurements.csv"), encoding="utf-8") as file:
        assert [float(row["area (px²)"]) for row in csv.DictReader(file)] == [101 * 57]
    assert len(zipfile.ZipFile(os.path.join(folder, "mine.zip")).namelist()) == 2
    as_before(program, folder)


def survives_a_kill(program):
    """What is in the session is there again, and is asked about again."""
    make_by_hand(program)
    wait(lambda: kept("rectangle(250,200,101,57)") and kept("oval(320,260,50,60)") and kept("measured="), "the session")
    names = [name_of(n) for n in find_all(program.find("list", "Kept selections"), "label")]
    measured = rows(program, "Measurements")
    program.kill()
    again = Program()
    has_text(again, "1 image with its steps, selections and measurements")
    click(again.find("push button", "Restore"))
    has_text(again, "Measurements: 1 row")
    wait(lambda: rows(again, "Measurements") == measured, "the same row")
    again.do("selections")
    has_text(again, "Selections: 2")
    assert [name_of(n) for n in find_all(again.find("list", "Kept selections"), "label")] == names
    wait(lambda: number(again, "Width") == 101, "the selection that was drawn last")
    again.do("close-page")
    assert "2 selections, 1 measurement" in question(again)[1]
    answer(again, "Discard")
    as_before(again, tempfile.mkdtemp())
    return again


TESTS = [closing_names_what_is_lost, all_is_saved, survives_a_kill]
