# SPDX-License-Identifier: MIT
"""Code that a step carries: what is typed here runs, what comes from elsewhere is shown and asked about before."""
import numpy as np

from person import click, find, picture, ready, set_steps, set_text, settled, text_of, wait

QUESTION = "Run the code of step 1"
REFUSED = "has not been allowed"
FAULT = "line 1, column 11: "


def inverse_of(program, before):
    return np.median(np.abs(picture(program).astype(int) + before - 255)) <= 1  # a scale bar lies on it


def typed_code(program):
    set_steps(program, "kernel")
    ready(program)
    before = settled(program).astype(int)
    entry = program.find("text", "Operation")
    set_text(entry, "z = 255 - x;")
    wait(lambda: inverse_of(program, before), "the inverse")
    set_text(entry, "z = 255 - y;")
    program.find("label", part=FAULT)
    set_text(entry, "z = 255 - x;")
    program.gone("label", part=FAULT)
    assert not find(program.app, "label", part=QUESTION) and not find(program.app, "label", part=REFUSED)


def asked(program, code):
    program.find("label", part=QUESTION)
    assert code in text_of(program.find("text", "Code"))


def answer(program, button):
    click(program.find("push button", button))
    program.gone("label", part=QUESTION)


def code_from_elsewhere(program):
    steps = 'kernel preamble="int most () { return 254; }" operation="z = most () - x;"'
    set_steps(program, steps)
    asked(program, "z = most () - x;")
    answer(program, "Cancel")
    program.find("label", part=REFUSED)
    set_text(program.find("text", "Operation"), "z = most () - 1 - x;")  # what is beside it has not been allowed
    asked(program, "z = most () - 1 - x;")
    answer(program, "Allow")
    program.gone("label", part=REFUSED)
    set_steps(program, steps)
    asked(program, "z = most () - x;")
    answer(program, "Cancel")
    set_steps(program, "gaussian")
    ready(program)


TESTS = [typed_code, code_from_elsewhere]
