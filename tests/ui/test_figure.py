# SPDX-License-Identifier: MIT
"""Figures: the dialog with its preview, what it writes, the clipboard, and what the record says of them."""
import os
import subprocess
import xml.etree.ElementTree

import gi
import numpy as np

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402
from person import (NUCLEI, box, click, find, find_all, focus_window, has_state, has_text, keys, name_file, name_of, no_window, press,
                    set_steps, set_text, settled, text_of, wait, window_titled)
from test_dialogs import OTHER, fresh, open_files

FOVEA = os.environ["FOVEA_COMMAND"]
STEPS = "channel index=1 | otsu | label"
TITLE = "Figure of nuclei_rgb.tif"


def read_png(data):
    """Its pixels, through netpbm."""
    image = subprocess.run(["pngtopnm"], input=data, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    kind, columns, rows, _, pixels = image.split(maxsplit=4) if image[:2] == b"P6" else (None,) * 5
    assert kind == b"P6", image[:20]
    return np.frombuffer(image[-int(columns) * int(rows) * 3:], np.uint8).reshape(int(rows), int(columns), 3)


def by_command(*choices):
    path = fresh("by-command.png")
    subprocess.run([FOVEA, "figure", NUCLEI, path, "-s", STEPS, *choices], check=True)
    with open(path, "rb") as file:
        return file.read()


def begin(program):
    open_files(program, NUCLEI)
    set_steps(program, STEPS)
    settled(program)


def says(dialog, part):
    return wait(lambda: next((n for n in find_all(dialog, "label") if part in name_of(n)), None), part)


def dialog_writes_what_it_shows(program):
    """The figure is that of the command, with the same choices; the record has it, and the same replays."""
    begin(program)
    program.do("export-figure")
    dialog = window_titled(program, TITLE)
    says(dialog, "640 × 640 dots, 54.2 × 54.2 mm")
    set_text(find(dialog, "text", "Width"), "60")
    set_text(find(dialog, "text", "Resolution"), "150")
    set_text(find(dialog, "text", "Text"), "A 1")
    says(dialog, "60 × 60 dots")
    set_text(find(dialog, "text", "Width"), "320")
    says(dialog, "320 × 320 dots, 54.2 × 54.2 mm")
    set_text(find(dialog, "text", "Color"), "reddish")  # not a color: the one before stays
    path = fresh("figure.png")
    press(find(dialog, "push button", "Export…"))
    name_file(program, "Export Figure of nuclei_rgb.tif", path)
    has_text(program, "Saved.")
    no_window(program, TITLE)
    with open(path, "rb") as file:
        written = file.read()
    assert written == by_command("width=320", "dpi=150", "text=A 1"), "the command's figure"
    program.do("record")
    record = window_titled(program, "Record")
    done = find(record, "text", "Recorded commands")
    line = wait(lambda: next((line for line in text_of(done).splitlines() if "Export Figure..." in line), None), "the line")
    assert line.startswith(f'run("Export Figure...", "path={path} ') and "width=320" in line and "dpi=150" in line, line
    focus_window(program, "Record")
    keys("Escape")
    no_window(program, "Record")


def dialog_of(program, **fields):
    """With what is typed into its fields."""
    program.do("export-figure")
    dialog = window_titled(program, TITLE)
    for name, text in fields.items():
        set_text(find(dialog, "text", name.replace("_", " ")), text)
    return dialog


def choices_are_remembered(program):
    """How figures look stays for the next time; the text, which is of one image, does not. What is wrong keeps the buttons from working."""
    begin(program)
    dialog = dialog_of(program, Width="320", Resolution="150", Text="A")
    press(find(dialog, "push button", "Copy"))
    has_text(program, "Copied as an image of 320 × 320 dots.")
    press(find(dialog, "push button", "Close"))
    no_window(program, TITLE)
    dialog = dialog_of(program)
    assert [text_of(find(dialog, "text", name)) for name in ("Width", "Resolution", "Text")] == ["320", "150", ""]
    set_text(find(dialog, "text", "Length of the bar"), "5000")
    says(dialog, "A scale bar of 5000 px does not fit")
    wait(lambda: not has_state(find(dialog, "push button", "Export…"), Atspi.StateType.SENSITIVE), "no Export")
    set_text(find(dialog, "text", "Length of the bar"), "")
    says(dialog, "320 × 320 dots")
    press(find(dialog, "push button", "Close"))
    no_window(program, TITLE)


def sliders_and_rare_choices(program):
    """A slider changes the figure and its entry; the entry has a message below when its text cannot be used; rare choices are folded away."""
    begin(program)
    dialog = dialog_of(program, Width="")
    press(find(dialog, "slider", "Resolution"))
    keys("End")
    says(dialog, "640 × 640 dots, 13.5 × 13.5 mm")
    assert text_of(find(dialog, "text", "Resolution")) == "1200"
    set_text(find(dialog, "text", "Resolution"), "5")
    says(dialog, "10 to 4800")
    says(dialog, "640 × 640 dots, 13.5 × 13.5 mm")
    press(find(dialog, "slider", "Resolution"))
    keys("Home")
    says(dialog, "640 × 640 dots, 225.8 × 225.8 mm")
    assert not find(dialog, "label", part="10 to 4800"), "the fault is gone"
    assert not find(dialog, "text", "Font"), "folded"
    press(find(dialog, "check box", "Scale bar"))  # makes room
    wait(lambda: not find(dialog, "slider", "Length of the bar"), "what matters with a bar")
    press(find(dialog, "label", "More"))
    wait(lambda: find(dialog, "text", "Font"), "unfolded")
    press(find(dialog, "push button", "Close"))
    no_window(program, TITLE)


def copied(program):
    return read_png(subprocess.run([*OTHER, "picture"], check=True, capture_output=True, timeout=20).stdout)


def clipboard_has_the_picture(program):
    """By Ctrl+C, with a dot for each pixel, of the selection where there is one."""
    begin(program)
    press(find(dialog_of(program, Width="64", Resolution="150"), "push button", "Copy"))
    has_text(program, "Copied as an image of 64 × 64 dots.")
    keys("Escape")
    no_window(program, TITLE)
    focus_window(program, "nuclei_rgb.tif – Fovea")
    keys("ctrl+c")
    has_text(program, "Copied as an image of 640 × 640 dots.")
    assert np.array_equal(copied(program), read_png(by_command("dpi=150")))


def selections_are_drawn(program):
    """Those that are seen, where it is wished."""
    begin(program)
    program.do("select-all")
    dialog = dialog_of(program, Width="", Resolution="150")
    press(find(dialog, "check box", "With selections"))
    path = fresh("selections.png")
    press(find(dialog, "push button", "Export…"))
    name_file(program, "Export Figure of nuclei_rgb.tif", path)
    has_text(program, "Saved.")
    with open(path, "rb") as file:
        assert file.read() == by_command("dpi=150", "selections=rectangle(0,0,640,640)")
    program.do("select-none")
    program.do("export-figure")
    window_titled(program, TITLE)
    set_steps(program, "")
    program.do("close-page")
    no_window(program, TITLE)


def plot_is_saved(program):
    """As SVG: lines and letters, with a bar for each that has rows."""
    begin(program)
    set_steps(program, STEPS + " | regionprops properties=label,area")
    has_text(program, "Results: ")
    press(program.find("push button", "Distribution"))
    plot = program.find("image", "Distribution")
    wait(lambda: box(plot)[2] > 200, "its width")
    path = fresh("plot.svg")
    click(find(plot.get_parent(), "push button", part="Save…"))
    name_file(program, "Save Plot", path)
    has_text(program, "Saved.")
    tags = [element.tag.rsplit("}")[-1] for element in xml.etree.ElementTree.parse(path).getroot().iter()]
    assert tags[0] == "svg" and "path" in tags and "use" in tags and "image" not in tags, tags


TESTS = [dialog_writes_what_it_shows, choices_are_remembered, sliders_and_rare_choices, clipboard_has_the_picture, selections_are_drawn, plot_is_saved]
