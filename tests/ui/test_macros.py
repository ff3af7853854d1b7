# SPDX-License-Identifier: MIT
"""Macros: written, run and stopped in their windows; what the window does is recorded as one that does the same."""
import os
import shutil
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

from person import (NUCLEI, TIMEOUT, WORK, Program, click, find, focus_window, focused, has_text, keys, name_file, name_of,  # noqa: E402
                    no_step, no_window, press, run_command, set_text, text_of, type_text, wait, window_titled)


def macro_file(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def as_bytes(path):
    return f"b'{path}'"


def opened(program, name, text):
    """The window of a macro in a file of this name."""
    program.do("open-macro-file", as_bytes(macro_file(name, text)))
    return window_titled(program, f"{name} – Macro")


def output(window):
    return text_of(find(window, "text", "Output"))


def says(window, part):
    return wait(lambda: find(window, "label", part=part), part)


def button(window, name):
    return wait(lambda: find(window, "push button", name), name)


def closed(program, window, name):
    focus_window(program, f"{name} – Macro")
    keys("ctrl+w")
    no_window(program, f"{name} – Macro")


# ---- Tests ----


def error_stands_at_its_line(program):
    """A macro that the command line names opens in its window; what is wrong is said beneath, and the cursor is there."""
    path = macro_file("wrong.lua", 'print("before")\n\nrun("Gaussian Blurr...", "sigma=2")\nprint("after")\n')
    subprocess.run([os.environ["FOVEA_PROGRAM"], path], check=True)
    window = window_titled(program, "wrong.lua – Macro")
    click(button(window, "Run"))
    says(window, "wrong.lua:3: ")
    assert output(window) == "before\n"
    text = find(window, "text", "Macro")
    assert text_of(text)[:text.get_text_iface().get_caret_offset()].count("\n") == 2
    closed(program, window, "wrong.lua")


def macro_does_what_the_command_does(program):
    """Steps, pixels, tables and files."""
    by_command, by_macro = (os.path.join(WORK, f"{name}.csv") for name in ("command", "macro"))
    run_command("run", "channel index=2 | gaussian sigma=2 | otsu | label | regionprops", NUCLEI, "--table", by_command)
    window = opened(program, "cells.lua", f"""open("{NUCLEI}")
run("channel", "index=2")
run("Gaussian Blur...", "sigma=2")
run("otsu")
run("label")
run("regionprops")
print(getTitle(), nResults())
saveAs("Results", "{by_macro}")
close()
""")
    click(button(window, "Run"))
    says(window, "Done.")
    lines = open(by_command, "rb").read()
    assert open(by_macro, "rb").read() == lines
    assert output(window) == f"nuclei_rgb.tif {lines.count(bytes([10])) - 1}\n", output(window)
    no_step(program)
    closed(program, window, "cells.lua")


def stop_ends_a_loop(program):
    window = opened(program, "loop.lua", 'print("begun")\nwhile true do end\n')
    click(button(window, "Run"))
    wait(lambda: output(window) == "begun\n", "the output")
    program.find("push button", "Stop")
    has_text(program, "loop.lua")
    start = time.monotonic()
    click(button(window, "Stop"))
    says(window, "Stopped.")
    assert time.monotonic() - start < 2
    closed(program, window, "loop.lua")


def dialog_asks(program):
    window = opened(program, "ask.lua", """Dialog.create("Blur")
Dialog.addNumber("Sigma", 2)
Dialog.addString("Name", "cells")
Dialog.addCheckbox("Log", true)
Dialog.addChoice("Method", {"mean", "median"}, "median")
Dialog.show()
print(Dialog.getNumber(), Dialog.getString(), Dialog.getCheckbox(), Dialog.getChoice())
""")
    click(button(window, "Run"))
    dialog = window_titled(program, "Blur")
    set_text(wait(lambda: find(dialog, "text", "Sigma"), "the field"), "many")
    click(button(dialog, "OK"))
    set_text(wait(lambda: find(dialog, "text", "Sigma"), "the dialog stays"), "3.5")
    click(button(dialog, "OK"))
    says(window, "Done.")
    assert output(window) == "3.5 cells true median\n", output(window)
    click(button(window, "Run"))
    window_titled(program, "Blur")
    click(button(window, "Stop"))
    says(window, "Stopped.")
    no_window(program, "Blur")
    closed(program, window, "ask.lua")


def at_editor(program, window, name):
    """The keys go to the text, of which nothing is selected."""
    focus_window(program, f"{name} – Macro")
    press(find(window, "text", "Macro"))
    keys("ctrl+Home")


def chosen_lines_run_alone(program):
    """With the numbers that they have in the whole; what is found is selected."""
    window = opened(program, "lines.lua", 'print("one")\nprint("two")\nprint("three") error("wrong")\nprint("four")\n')
    at_editor(program, window, "lines.lua")
    keys("Down", "shift+Down")
    keys("ctrl+shift+r")
    says(window, "Done.")
    assert output(window) == "two\n"
    keys("ctrl+f")
    wait(lambda: any(name_of(node) == "Find" for node in focused(window)), "the focus in the field")
    type_text("three")
    text = find(window, "text", "Macro")
    wait(lambda: Atspi.Text.get_n_selections(text) and Atspi.Text.get_selection(text, 0).start_offset == 33, "what was to be found")
    keys("Escape", "ctrl+shift+r")
    says(window, "lines.lua:3: wrong")
    assert output(window) == "three\n"
    closed(program, window, "lines.lua")


def what_is_not_saved_is_asked_about(program):
    """When its window is closed, and when the program ends; saved, it is in the menu of macros with its key."""
    program.do("new-macro", "''")
    window = window_titled(program, "New macro – Macro")
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea", "macros")
    at_editor(program, window, "New macro")
    type_text("print(7 * 6) ")
    keys("Return")
    type_text(" -- key: <Control><Alt>7")
    keys("ctrl+w")
    window_titled(program, "• New macro – Macro")
    has_text(program, "Close New macro without saving?")
    click(program.find("push button", "Cancel"))
    wait(lambda: not find(program.app, "label", part="without saving"), "the answer")
    program.do("quit", where="")
    has_text(program, "Close New macro without saving?")
    click(program.find("push button", "Save…"))
    name_file(program, "Save Macro", os.path.join(folder, "six_sevens.lua"))
    assert program.process.wait(TIMEOUT) == 0
    with open(os.path.join(folder, "six_sevens.lua"), encoding="utf-8") as file:
        assert file.read() == "print(7 * 6) \n -- key: <Control><Alt>7"
    program = Program(NUCLEI)
    focus_window(program, "Fovea")
    keys("ctrl+alt+7")
    window = window_titled(program, "six_sevens.lua – Macro")
    says(window, "Done.")
    assert output(window) == "42\n"
    shutil.rmtree(folder)
    closed(program, window, "six_sevens.lua")
    return program


TESTS = [chosen_lines_run_alone, what_is_not_saved_is_asked_about, error_stands_at_its_line, macro_does_what_the_command_does, stop_ends_a_loop, dialog_asks]
