# SPDX-License-Identifier: MIT
"""Code that a step carries: what is typed here runs, what comes from elsewhere is shown and asked about before."""
import numpy as np

from person import click, find, has_text, picture, ready, set_steps, set_text, settled, text_of, wait

QUESTION = "Run the code of step 1"
REFUSED = "has not been allowed"


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
    wait(lambda: has_text(program, "line 1, column 11: "), "the place of the fault")
    set_text(entry, "z = 255 - x;")
    wait(lambda: not has_text(program, "line 1, column 11: "), "no fault")
    assert not has_text(program, QUESTION) and not has_text(program, REFUSED)


def code_from_elsewhere(program):
    steps = 'kernel operation="z = 254 - x;"'
    set_steps(program, steps)
    wait(lambda: has_text(program, QUESTION), "the question")
    assert "z = 254 - x;" in text_of(program.find("text", "Code"))
    click(program.find("push button", "Cancel"))
    wait(lambda: has_text(program, REFUSED) and not has_text(program, QUESTION), "that it does not run")
    set_text(program.find("text", "Operation"), "z = 253 - x;")  # what is beside it was not read
    wait(lambda: has_text(program, QUESTION), "the question again")
    click(program.find("push button", "Allow"))
    wait(lambda: not has_text(program, REFUSED) and not has_text(program, QUESTION), "the run")
    set_steps(program, steps)
    wait(lambda: has_text(program, QUESTION), "the question about the other one")
    click(program.find("push button", "Cancel"))
    set_steps(program, "gaussian")
    ready(program)


TESTS = [typed_code, code_from_elsewhere]
