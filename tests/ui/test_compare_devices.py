# SPDX-License-Identifier: MIT
"""Help ▸ Compare Devices: the page's steps on the CPU and on a GPU that poses as one, with bars, a table to copy, and an end when it is wished."""
import os

import numpy as np
import tifffile

from person import NUCLEI, WORK, Program, box, find, find_all, held, keys, name_of, press, screen, set_steps, settled, text_of, wait, window_titled
from test_cards import POSING
from test_dialogs import paste

COLOURS = {"the way there": (230, 97, 0), "steps": (54, 133, 227), "the way back": (38, 163, 105)}


def grey(name):
    path = os.path.join(WORK, name)
    tifffile.imwrite(path, np.arange(1024 * 1024, dtype=np.uint8).reshape(1024, 1024))
    return path


def table_of(window):
    return text_of(find(window, "text", "Comparison of devices"))


def measured(window):
    return wait(lambda: table_of(window), "the table")


def opened(program):
    """By the menu, whose items have no names in GTK 4.18."""
    before = len(find_all(program.app, "menu item"))
    press(program.find("menu item", "Help"))
    wait(lambda: len(find_all(program.app, "menu item")) > before, "the items")
    keys("c")
    return window_titled(program, "Compare Devices")


def colours_in(node):
    """How many pixels of each part of the bars there are."""
    x, y, width, height = box(node)
    pixels = screen()[y:y + height, x:x + width].astype(int)
    return {name: int((abs(pixels - colour).max(axis=2) < 8).sum()) for name, colour in COLOURS.items()}


def button(window, name):
    return find(window, "push button", name)


def gpu_is_compared(program):
    program.end()
    program = Program(grey("grey.tif"), FOVEA_PLUGIN_PATH=POSING)
    set_steps(program, "pose as=turned | pose_rows | pose_badly")
    settled(program)
    window = opened(program)
    text = measured(window)
    assert ["cpu", "pose:0"] in [line.split() for line in text.splitlines()], text
    lines = {line[:44].strip(): line[44:].split() for line in text.splitlines()}
    assert all(lines[step][1::2] == ["ms", "ms"] for step in ("pose as=turned", "all steps")), lines
    assert lines["moved to it"][:2] == ["–", "1.000"] and lines["turned"] == ["the", "same"], lines
    assert "DIFFERS in 1 of 1048576 values, by up to" in text, text
    bars = wait(lambda: find(window, "image", part="Times of devices: cpu: "), "the bars")
    assert ", pose:0: " in name_of(bars) and name_of(bars).count(" ms of wall-clock time") == 2, name_of(bars)
    wait(lambda: all(n > 20 for n in colours_in(bars).values()), "bars of all parts")
    press(button(window, "Copy"))
    wait(lambda: paste() == text, "the table on the clipboard")
    press(button(window, "Close"))
    program.gone("text", "Comparison of devices")
    program.end()
    return Program(NUCLEI)


def comparing_can_be_cancelled(program):
    """The app stays usable meanwhile, and the comparison can be started again; with one device it says that it needs another."""
    set_steps(program, "channel index=1 | held")
    settled(program)
    with held():
        program.do("compare-devices")
        window = window_titled(program, "Compare Devices")
        wait(lambda: find(window, "label", part="run on each device"), "what it does")
        program.do("zoom-in")
        program.heard()
        press(wait(lambda: button(window, "Cancel"), "the button"))
        wait(lambda: find(window, "label", part="topped"), "what became of it")
        assert table_of(window) == "", table_of(window)
    press(wait(lambda: button(window, "Run Again"), "the button"))
    assert "no other device" in measured(window), table_of(window)
    with held():  # closed while it works
        press(button(window, "Run Again"))
        wait(lambda: button(window, "Cancel"), "the button")
        press(button(window, "Close"))
        program.gone("text", "Comparison of devices")
    set_steps(program, "")


TESTS = [gpu_is_compared, comparing_can_be_cancelled]
