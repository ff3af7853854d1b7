# SPDX-License-Identifier: MIT
"""What the second button of the mouse gives, and the key for it: on a step, a row and a header of the table, the image, its tab, and
a selection."""
import os

from gi.repository import Atspi
import numpy as np
from scipy import ndimage
import tifffile

from person import (NUCLEI, WORK, Program, box, line_of, click, column_titles, drag, find, find_all, focused, has_state, has_text, headers, keys, looked_at, mouse,
                    name_of, page_tabs, press, rows, set_steps, settled, steps_of, table_rows, texts, wait)
from test_dialogs import open_files, paste

STEPS = "threshold method=manual lower=100 | label | regionprops properties=label,area,bbox"


def squares():
    """Of 10, 20, 30 and 40 pixels a side."""
    path = os.path.join(WORK, "squares.tif")
    image = np.zeros((100, 200), np.uint8)
    for i, left in enumerate((5, 30, 70, 130)):
        image[10:20 + 10 * i, left:left + 10 + 10 * i] = 200
    tifffile.imwrite(path, image)
    assert ndimage.label(image)[1] == 4
    return path


def menu(root, x, y):
    """The entries of the menu that comes there, by name."""
    mouse(x, y, 3)
    return entries(root)


def shown_menu(root):
    """GTK names it by its class, and since 4.10 not at all."""
    return next((n for n in find_all(root, "menu") if name_of(n) in ("GtkPopoverMenu", "") and box(n)[2] > 0), None)


def entries(root):
    return wait(lambda: {name_of(n): n for n in find_all(shown_menu(root), "menu item")}, "a menu")


def middle(node):
    x, y, width, height = box(node)
    return x + width / 2, y + height / 2


def take(root, entry):
    """A click of the mouse while the menu is still there would close it and do nothing else."""
    click(entry)
    wait(lambda: not shown_menu(root), "no menu")


def choose(root, name, x, y):
    take(root, menu(root, x, y)[name])


def can(found, name):
    return has_state(found[name], Atspi.StateType.SENSITIVE)


def step(program, i):
    x, y, width, height = line_of(find_all(steps_of(program), "list item")[i])
    return x + width * 0.6, y + height / 2


def step_menu(program):
    """The step under the pointer is chosen; what cannot be done with it is off."""
    set_steps(program, "gaussian sigma=7 | otsu | label")
    has_text(program, "Label Objects")
    found = menu(program.app, *step(program, 1))
    assert can(found, "Move Step Down") and not can(found, "Move Step Up"), found
    wait(lambda: has_text(program, "Gaussian Blur"), "its form")
    keys("Escape")
    wait(lambda: not shown_menu(program.app), "no menu")
    choose(program.app, "Defaults", *step(program, 1))
    program.do("copy-steps")
    wait(lambda: "otsu" in paste() and "sigma=7" not in paste(), "the default of sigma")
    choose(program.app, "Duplicate Step", *step(program, 1))
    wait(lambda: texts(program).count("Gaussian Blur") == 2, "two blurs")
    choose(program.app, "Skip Step", *step(program, 2))
    wait(lambda: find(program.app, "push button", "Gaussian Blur is off"), "the second is off")
    choose(program.app, "Move Step Down", *step(program, 1))
    choose(program.app, "Delete Step", *step(program, 3))
    wait(lambda: "Otsu Threshold" not in texts(program) and texts(program).count("Gaussian Blur") == 2, "no threshold")
    for _ in range(5):
        program.do("undo")
    wait(lambda: texts(program).count("Gaussian Blur") == 1 and "Otsu Threshold" in texts(program), "all undone")


def areas(program):
    return [float(row[1]) for row in rows(program, "Results")]


def of_squares(program):
    """Another program with them, measured."""
    program.end()
    program = Program(squares())
    set_steps(program, STEPS)
    wait(lambda: areas(program) == [100, 400, 900, 1600], "four squares")
    return program


def cell(program, row, column):
    """Where it stands, once the table has laid it out."""
    settled(program)
    wait(lambda: box(table_rows(program, "Results")[row][column])[2] > 0, "a cell")
    return middle(table_rows(program, "Results")[row][column])


def title(program, column):
    settled(program)
    wait(lambda: box(column_titles(program, "Results")[column])[2] > 0, "a title")
    return middle(column_titles(program, "Results")[column])


def table_menu(program):
    """A cell limits its column to what is as large, or as small; the header sorts its column, hides it and plots it."""
    program = of_squares(program)
    choose(program.app, "Only area ≥ 400.00", *cell(program, 1, 1))
    wait(lambda: areas(program) == [400, 900, 1600], "those as large")
    choose(program.app, "Only area ≤ 900.00", *cell(program, 1, 1))
    wait(lambda: areas(program) == [400, 900], "and as small")
    found = menu(program.app, *cell(program, 0, 0))
    assert can(found, "Show All Rows") and not can(found, "Show All Columns"), found
    take(program.app, found["Show All Rows"])
    wait(lambda: len(areas(program)) == 4, "all rows")
    choose(program.app, "Sort Descending", *title(program, 1))
    wait(lambda: areas(program) == [1600, 900, 400, 100], "sorted")
    choose(program.app, "Hide Column", *title(program, 0))
    wait(lambda: "label" not in headers(program, "Results"), "no label")
    choose(program.app, "Show All Columns", *cell(program, 1, 1))
    wait(lambda: "label" in headers(program, "Results"), "the label again")
    choose(program.app, "Distribution", *title(program, 3))
    wait(lambda: has_text(program, "bbox-1"), "its histogram")
    press(program.find("push button", "Distribution"))
    return program


def image_menu(program):
    """The object under the pointer is selected and zoomed to; dragging with the button moves the image instead of opening a menu."""
    program = of_squares(program)
    settled(program)
    zoom, left, top = looked_at(program)
    canvas = program.find("image", "Image")
    x, y, width, height = box(canvas)
    at = x + (85 - left) * zoom, y + (25 - top) * zoom  # the third
    found = menu(canvas, *at)
    wait(lambda: can(found, "Zoom to Object") and can(found, "Show Row in Table"), "an object")
    take(canvas, found["Zoom to Object"])
    near = min(width, height) / 30 / 2
    wait(lambda: np.allclose(looked_at(program), (near, 85 - width / near / 2, 25 - height / near / 2), rtol=1e-3, atol=0.06), "the third")
    drag(x + 200, y + 100, x + 260, y + 130, button=3)
    wait(lambda: np.allclose(looked_at(program)[1:], (85 - width / near / 2 - 60 / near, 25 - height / near / 2 - 30 / near), atol=0.2), "moved")
    assert not shown_menu(canvas)
    keys("shift+F10")
    found = entries(canvas)
    assert "Measure" in found and "Merge Objects" not in found, found
    keys("Escape")
    wait(lambda: not shown_menu(canvas) and focused(program.app) == [canvas], "the focus in the image")
    keys("shift+F10")
    take(canvas, entries(canvas)["Delete Objects"])
    wait(lambda: areas(program) == [100, 400, 1600], "one square less")
    return program


def tab_menu(program):
    """Of the tab under the pointer, which comes to the front."""
    program.end()
    path, program = squares(), Program(NUCLEI)
    open_files(program, path)
    wait(lambda: len(page_tabs(program)) == 2, "two tabs")
    choose(program.app, "Copy Path", *middle(page_tabs(program)[1]))
    wait(lambda: paste() == path, "the path")
    found = menu(program.app, *middle(page_tabs(program)[0]))
    wait(lambda: name_of(program.window).startswith("nuclei"), "the first in front")
    take(program.app, found["Close Others"])
    wait(lambda: len(page_tabs(program)) == 1, "one tab")
    return program


def selection_menu(program):
    """One of the list: it is chosen, gets another name, and goes."""
    program.do("select-all")
    program.do("keep-selection")
    press(wait(lambda: find(program.app, "page tab", "Selections"), "the tab of selections"))
    row = wait(lambda: find_all(find(program.app, "list", "Kept selections"), "list item")[0], "the selection")
    program.do("select-none")
    choose(program.app, "Rename", *middle(row))
    wait(lambda: "text" in [node.get_role_name() for node in focused(program.app)], "the focus in the name")
    choose(program.app, "Remove from List", *middle(row))
    wait(lambda: not find_all(find(program.app, "list", "Kept selections"), "list item"), "no selection")


def bar_menus(program):
    """Who hears the entries of the menu bar hears what is written there, in the menus beside these, too."""
    press(find(find(program.app, "menu bar"), "menu item", "Process"))
    filters = wait(lambda: find(shown_menu(program.app), "menu item", "Filters"), "an entry that opens another menu")
    assert find(shown_menu(program.app), "menu item", "Find Maxima...")
    click(filters)
    wait(lambda: find(program.app, "menu item", "Gaussian Blur..."), "an entry of that")
    keys("Escape", "Escape")
    wait(lambda: not shown_menu(program.app), "no menu")


TESTS = [step_menu, table_menu, image_menu, tab_menu, selection_menu, bar_menus]
