# SPDX-License-Identifier: MIT
"""Keys of the whole window, and menus chosen from with the mouse."""
import json
import os
import subprocess
import time

import numpy as np

from person import (Atspi, box, line_of, find, find_all, has_step, keys, looked_at, mouse, name_of, page_tabs, press, screen,
                    set_steps, set_text, settled, table_rows, text_of, wait, window_titled, windows, zoom_100)


def zooms(program, where):
    """The keys 1 and 0 reach the image."""
    for key, wanted in (("1", lambda zoom: zoom == 1), ("0", lambda zoom: zoom != 1)):
        keys(key)
        wait(lambda: wanted(looked_at(program)[0]), f"the key {key} {where}")


def row(program, i):
    return find_all(program.find("list", "Steps"), "list item")[i]


def press_row(program, i):
    x, y, width, height = line_of(row(program, i))
    mouse(x + width * 0.7, y + height / 2, 1)


def letters_everywhere(program):
    """In the list of steps, on a step's switch, in the table, on a slider, and when undo has taken away what had the focus."""
    set_steps(program, "channel index=1 as=green | gaussian | otsu | label | regionprops intensity=green")
    has_step(program, "Measure Objects")
    settled(program)
    press_row(program, 2)
    press(program.find("slider", "Sigma"))
    zooms(program, "on a slider")
    press_row(program, 1)
    zooms(program, "in the list of steps")
    x, y, width, height = box(wait(lambda: table_rows(program, "Results")[0][2], "a row"))
    mouse(x + width / 2, y + height / 2, 1)
    zooms(program, "in the table")
    program.do("add-step", "'gaussian'")
    has_step(program, "Gaussian Blur")
    press_row(program, 6)
    keys("ctrl+z")
    wait(lambda: len(find_all(program.find("list", "Steps"), "list item")) == 6, "undo")
    zooms(program, "after undo")
    keys("l")
    window_titled(program, "Find a Command")
    keys("Escape")


def letters_are_text(program):
    """Where text is typed they are letters."""
    set_steps(program, "channel index=1 | gaussian")
    has_step(program, "Gaussian Blur")
    zoom_100(program)
    program.do("zoom-in")
    zoom = wait(lambda: looked_at(program)[0] != 1 and looked_at(program)[0], "a zoom that neither key makes")
    entry = next(n for n in find_all(program.app, "text") if text_of(n) == "2")
    press(entry)
    keys("End", "1", "0")
    wait(lambda: text_of(entry) == "210", "typed figures")
    assert looked_at(program)[0] == zoom
    set_text(entry, "2")
    program.do("zoom-fit")


def no_inspector(program):
    """The keys of GTK's inspector are the program's: one makes a tab with the same image and steps."""
    set_steps(program, "channel index=1 | gaussian")
    has_step(program, "Gaussian Blur")
    keys("ctrl+shift+i")
    keys("ctrl+shift+d")
    wait(lambda: len(page_tabs(program)) == 2, "a second tab")
    wait(lambda: all(find(steps, "label", "Gaussian Blur") for steps in find_all(program.app, "list") if name_of(steps) == "Steps"),
         "its steps")
    time.sleep(0.5)
    assert len(windows(program)) == 1, [name_of(w) for w in windows(program)]
    set_steps(program, "")
    keys("ctrl+w")
    wait(lambda: len(page_tabs(program)) == 1, "the end of the second tab")
    has_step(program, "Gaussian Blur")


def clicks_are_heard(program):
    """Each click in the list of steps right after one in the image, pressed and released in the same instant."""
    set_steps(program, "channel index=1 | gaussian | otsu | label")
    has_step(program, "Label Objects")
    settled(program)
    for i in (0, 3, 1, 4, 2, 0, 4, 1):
        x, y, width, height = line_of(row(program, i))
        subprocess.run(["xdotool", "mousemove", "400", "400", "mousedown", "1", "mouseup", "1", "mousemove", str(int(x + width * 0.7)),
                        str(int(y + height / 2)), "mousedown", "1", "mouseup", "1"], check=True)
        wait(lambda: row(program, i).get_state_set().contains(Atspi.StateType.SELECTED), f"row {i} is chosen")


def presses_choose(program):
    """The pressed button counts, wherever the pointer is released. A hand slips, and a window manager that delays a click releases it where the
    pointer has got to."""
    set_steps(program, "channel index=1 | gaussian | otsu | label")
    has_step(program, "Label Objects")
    settled(program)
    for i in (0, 3, 1, 4, 2):
        x, y, width, height = line_of(row(program, i))
        subprocess.run(["xdotool", "mousemove", str(int(x + width * 0.7)), str(int(y + height / 2)), "mousedown", "1",
                        "mousemove", "400", "400", "mouseup", "1"], check=True)
        wait(lambda: row(program, i).get_state_set().contains(Atspi.StateType.SELECTED), f"row {i} is chosen")
    press(find_all(row(program, 3), "push button")[0])
    wait(lambda: find(program.find("list", "Steps"), "push button", part="Otsu Threshold is off"), "the switch")
    assert row(program, 2).get_state_set().contains(Atspi.StateType.SELECTED), "a switch chooses no row"


def menu(before, beyond=0):
    """The box of a menu that has come up, right of a column."""
    def look():
        first = np.nonzero((screen() != before)[:, beyond:].any(2))
        time.sleep(0.15)
        again = np.nonzero((screen() != before)[:, beyond:].any(2))
        same = len(first[0]) > 4000 and [len(i) for i in first] == [len(i) for i in again]
        return same and (first[1].min() + beyond, first[0].min(), first[1].max() + beyond, first[0].max())
    return wait(look, "a menu")


def menus_stay_closed(program):
    """After a choice in a submenu, under whose first entry GTK takes the pointer to be on the title of another menu."""
    said = subprocess.run([os.environ["FOVEA_COMMAND"], "ops", "--json"], check=True, capture_output=True).stdout
    items = sorted((op["menu"], op["label"]) for op in json.loads(said) if (op["menu"] or "").startswith("Process"))
    inner = sorted({menu for menu, _ in items} - {"Process"})
    entries, chosen = len(inner) + sum(menu == "Process" for menu, _ in items), "Process/Threshold"
    settled(program)
    before = screen().copy()
    press(program.find("menu item", "Process"))
    mouse(640, 600)
    left, top, right, bottom = menu(before)
    mouse(left + 60, top + (bottom - top) * (inner.index(chosen) + 0.5) / entries)  # GTK 4.8 loses a click that comes with the pointer
    left, top, _, _ = menu(before, right + 2)
    mouse(left + 57, top + 20, 1)
    has_step(program, next(label for menu, label in items if menu == chosen).rstrip("."))
    time.sleep(0.5)
    assert not find(program.app, "menu item", "Undo"), "the menu Edit has opened"


TESTS = [letters_everywhere, letters_are_text, no_inspector, clicks_are_heard, presses_choose, menus_stay_closed]
