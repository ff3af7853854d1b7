# SPDX-License-Identifier: MIT
"""The bar over the results and the figures below it, in windows of any size and at 200 %."""
import os
import re
import subprocess

import gi

gi.require_version("Pango", "1.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Pango, PangoCairo  # noqa: E402

from person import (NUCLEI, Program, below, box, find, find_all, has_text, keys, mouse, name_of, role_of, set_steps,
                    table_rows, wait, window_titled)

OBJECTS = ("channel index=1 as=green | gaussian sigma=2 | otsu | label min_size=2000 | regionprops intensity=green "
           "properties=label,area,intensity_mean,intensity_std,bbox,centroid,axis_major_length")
MENUS = {"Measurements…": "list", "Filter…": "label"}


def resize(program, width, height, scale=1):
    """The window in points; the screen counts pixels."""
    subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(program.process.pid), "--name", "Fovea$",
                    "windowsize", "--sync", str(width * scale), str(height * scale)], check=True, timeout=10)
    wait(lambda: box(program.window)[2:] == (width, height), f"a window of {width} × {height}")


def position(program, role, part, size):
    """The position of a button, which must be wholly in the window."""
    def whole():
        x, y, w, h = box(program.find(role, part=part))
        return (x, y, w, h) if w >= 16 and h >= 16 and min(x, y) >= 0 and x + w <= size[0] and y + h <= size[1] else None
    return wait(whole, f"{part} inside a window of {size[0]} × {size[1]}")


def press_at(where, scale):
    x, y, w, h = where
    mouse((x + w / 2) * scale, (y + h / 2) * scale, 1)


def popover(program):
    """What has come up over the window."""
    return next((n for n in below(program.app) if role_of(n) in ("panel", "dialog", "filler") and name_of(n) == "GtkPopover"
                 and box(n)[2] > 0), None)


def try_every_button(program, size, scale=1):
    for part, inside in MENUS.items():
        before = len(find_all(program.app, inside))
        press_at(position(program, "push button", part, size), scale)
        wait(lambda: len(find_all(program.app, inside)) > before or popover(program), f"what {part} opens")
        keys("Escape", "Escape")
    for count in (1, 0):  # on and off again
        press_at(position(program, None, "Summary", size), scale)
        wait(lambda: sum(name_of(n) == "Median" and box(n)[2] > 0 for n in find_all(program.app, "label")) == count, "the summary")
    for there in (True, False):
        press_at(position(program, "push button", "Distribution", size), scale)
        wait(lambda: (box(program.find("combo box", "Column across"))[2] > 0 if there else not find(program.app, "combo box", "Column across")),
             "the distribution")
    press_at(position(program, "push button", "Copy", size), scale)
    has_text(program, "Copied")
    press_at(position(program, "push button", "Export CSV", size), scale)
    window_titled(program, "Export Results")
    keys("Escape")
    wait(lambda: not any("Export Results" in name_of(program.app.get_child_at_index(i))
                         for i in range(program.app.get_child_count())), "no dialog")


def bar_at_every_width(program):
    """Each button over the table can be pressed in a window of 1280 × 800 and of 1024 × 700."""
    set_steps(program, OBJECTS)
    has_text(program, "Results:")
    for size in ((1280, 800), (1024, 700)):
        resize(program, *size)
        try_every_button(program, size)
    resize(program, 1280, 800)


def bar_at_200_percent(program):
    """And where everything is twice as large, on the same screen; the figures are whole there, too."""
    program.end()
    os.environ["GDK_SCALE"] = "2"
    try:
        large = Program(NUCLEI)
        large.find("image", "Image")
        resize(large, 640, 400, 2)
        set_steps(large, OBJECTS)
        has_text(large, "Results:")
        wait(lambda: figures(large), "the table")
        assert not cut_figures(large), cut_figures(large)
        try_every_button(large, (640, 400), 2)
        large.end()
    finally:
        del os.environ["GDK_SCALE"]
    return Program(NUCLEI)


def width_of(text):
    """Of a figure in the window's font, less the room around its ink."""
    layout = Pango.Layout(PangoCairo.FontMap.get_default().create_context())
    PangoCairo.context_set_resolution(layout.get_context(), 96)
    layout.set_font_description(Pango.FontDescription.from_string("Sans 10"))
    layout.set_text(text, -1)
    return layout.get_pixel_extents()[0].width


def figures(program):
    """Texts of the cells with their widths."""
    return [(name_of(cell), box(cell)[2]) for row in table_rows(program, "Results") for cell in row]


def cut_figures(program):
    return [(text, width) for text, width in figures(program) if 0 < width < width_of(text)]


def figures_are_whole(program):
    """No figure is cut, however many columns there are, and in the narrowest window."""
    set_steps(program, OBJECTS)
    has_text(program, "Results:")
    for size in ((1280, 800), (1024, 700), (640, 400)):
        resize(program, *size)
        wait(lambda: any(re.search(r"\.\d\d", text) for text, _ in figures(program)), "figures")
        assert not cut_figures(program), cut_figures(program)
    resize(program, 1280, 800)


TESTS = [bar_at_every_width, figures_are_whole, bar_at_200_percent]
