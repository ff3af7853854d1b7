# SPDX-License-Identifier: MIT
"""The form of a step stands under its row, and what is done in it is done to that step."""
from person import Atspi, box, chosen_row, find, find_all, focused, has_state, has_step, keys, line_of, name_of, press, ready, set_steps, steps_of, texts, wait

STEPS = "channel index=1 | gaussian | otsu | label"


def row(program, i):
    return find_all(steps_of(program), "list item")[i]


def chosen(program):
    return name_of(chosen_row(steps_of(program)))


def begin(program):
    set_steps(program, STEPS)
    has_step(program, "Label Objects")
    ready(program)


def opens_under_its_row(program):
    """Between its row and the next one, whichever is chosen; rows above stay where they are."""
    begin(program)
    first = line_of(row(program, 1))[1]
    for i, control in ((2, ("slider", "Sigma")), (1, ("slider", "Channel")), (4, ("check box", "3-D (whole stack)")), (2, ("slider", "Sigma"))):
        press(row(program, i))
        there = wait(lambda c=control: next((n for n in [find(row(program, i), *c)] if n and box(n)[2] > 0), None), control)
        x, y, width, height = line_of(row(program, i))
        wait(lambda: box(there)[1] >= line_of(row(program, i))[1] + height, "the form below the line")
        if i < 4:
            wait(lambda: box(there)[1] + box(there)[3] <= box(row(program, i + 1))[1], "the next row below the form")
        wait(lambda: line_of(row(program, 1))[1] == first, "the first row where it was")


def keys_stay_in_it(program):
    """Keys that move between rows, or delete one, do not when they are pressed in the form."""
    begin(program)
    press(row(program, 2))
    slider = wait(lambda: find(row(program, 2), "slider", "Sigma"), "its slider")
    press(slider)
    wait(lambda: has_state(slider, Atspi.StateType.FOCUSED), "the focus there")
    for key in ("Delete", "Page_Down", "Down", "Tab", "Tab", "Down", "Delete", "End"):
        keys(key)
        program.heard()
    assert "Gaussian Blur" in chosen(program), chosen(program)
    assert len(find_all(steps_of(program), "list item")) == 5


def another_operation_keeps_the_row(program):
    """A threshold that is taken by hand is the same step, chosen as before, with the focus in its form."""
    begin(program)
    press(row(program, 3))
    button = wait(lambda: find(row(program, 3), "push button", part="Adjust by Hand"), "the button")
    wait(lambda: box(button)[2] > 0, "the button in sight")
    press(button)
    has_step(program, "Threshold")
    wait(lambda: chosen(program).startswith("Threshold"), "the same step")
    wait(lambda: any(box(n)[1] > line_of(row(program, 3))[1] for n in focused(row(program, 3))), "the focus in the form")
    assert "Otsu Threshold" not in texts(program)


def stands_beside_low_steps(program):
    """Below the image the height is too small for it."""
    begin(program)
    press(row(program, 2))
    program.set_state("steps-place", "below")
    wait(lambda: not find(row(program, 2), "slider"), "no form in the row")
    slider = program.find("slider", "Sigma")
    x, y, width, height = box(steps_of(program))
    wait(lambda: box(slider)[0] >= x + width, "the form beside the steps")
    program.set_state("steps-place", "end")
    wait(lambda: find(row(program, 2), "slider", "Sigma"), "the form in the row again")


TESTS = [opens_under_its_row, keys_stay_in_it, another_operation_keeps_the_row, stands_beside_low_steps]
