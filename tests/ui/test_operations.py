# SPDX-License-Identifier: MIT
"""A formula becomes an operation of its own, with sliders of its own, in the menus at once."""
import os

from gi.repository import Atspi

from person import (chosen_row, click, find, focus_window, focused, has_state, has_step, has_text, keys, name_of, no_window, ready, set_steps, set_text,
                    type_text, wait, window_titled)

FILE = os.path.join(os.environ["XDG_DATA_HOME"], "fovea", "operations", "scale_it.operation")
FORMULA = 'channel index=1 | expression expression="a * p + q" p=2 q=5'


def fill(program, **fields):
    for name, text in fields.items():
        set_text(program.find("text", name.replace("_", " ")), text)


def formula_becomes_operation(program):
    set_steps(program, FORMULA)
    has_step(program, "Math Expression")
    ready(program)
    click(program.find("push button", "Save as Operation…"))
    window_titled(program, "Save as Operation")
    has_text(program, "Enter a name.")
    fill(program, Name_of_the_operation="Otsu")
    has_text(program, "The operation otsu already exists.")
    fill(program, Name_of_the_operation="Scale It", Name_of_p="Gain", Least_p="4", Largest_p="1")
    has_text(program, "The slider range of p must be ascending.")
    fill(program, Least_p="1", Largest_p="4", Name_of_q="sqrt")
    click(program.find("push button", "Save"))
    has_text(program, "sqrt means something else in a formula.")
    fill(program, Name_of_q="Offset")
    click(program.find("push button", "Save"))
    no_window(program, "Save as Operation")
    focus_window(program, "Fovea")
    with open(FILE, encoding="utf-8") as file:
        text = file.read()
    assert "expression=a * gain + offset" in text and "slider_max=4" in text, text
    keys("ctrl+l")  # lists what the menus have
    finder = window_titled(program, "Find a Command")
    wait(lambda: focused(finder), "the focus in the finder")
    type_text("scale it")
    wait(lambda: name_of(find(chosen_row(finder), "label")) == "Scale It...", "the command")
    keys("Return")
    has_step(program, "Scale It")
    slider = program.find("slider", "Gain")
    wait(lambda: slider.get_value_iface().get_current_value() == 2, "what p was")
    ready(program)
    os.remove(FILE)


def is_wrong(field):
    """GTK 4.8 tells it by a state of another name."""
    return has_state(field, Atspi.StateType.INVALID_ENTRY) or has_state(field, Atspi.StateType.INVALID)


def fault_is_at_its_field(program):
    """What the run finds wrong with a parameter is marked in the form, not only told in the row of the step."""
    set_steps(program, "expression")
    field, other = program.find("text", "Expression"), program.find("text", "Number p")
    set_text(field, "where(a > p, a, p*")
    has_text(program, "Column 19: a value is missing at the end.")
    wait(lambda: is_wrong(field), "the mark")
    assert not is_wrong(other)
    set_text(field, "where(a > p, a, p*2)")
    wait(lambda: not is_wrong(field), "no mark")


def kernel_becomes_operation(program):
    set_steps(program, "kernel")
    ready(program)
    set_text(program.find("text", "Inputs"), "T x, float32 level=p")  # typed here: it runs, and so does what is made of it
    set_text(program.find("text", "Operation"), "z = level - x;")
    ready(program)
    click(program.find("push button", "Save as Operation…"))
    window_titled(program, "Save as Operation")
    fill(program, Name_of_the_operation="Turn It", Least_p="0", Largest_p="255")
    click(program.find("push button", "Save"))
    no_window(program, "Save as Operation")
    with open(FILE.replace("scale_it", "turn_it"), encoding="utf-8") as file:
        text = file.read()
    assert "in_params=T x, float32 level=level" in text and "kernel=\n  z = level - x;\n" in text, text
    set_steps(program, "turn_it level=100")
    has_step(program, "Turn It")
    slider = program.find("slider", "level")
    wait(lambda: slider.get_value_iface().get_current_value() == 100, "the level")
    ready(program)
    assert not find(program.app, "label", part="has not been allowed")
    os.remove(FILE.replace("scale_it", "turn_it"))


TESTS = [formula_becomes_operation, fault_is_at_its_field, kernel_becomes_operation]
