# SPDX-License-Identifier: MIT
"""A parameter takes a number that an earlier step finds, typed and from its menu, and follows it."""
import re

from person import Atspi, find, find_all, focused, has_state, has_step, keys, name_of, press, ready, set_steps, steps_of, text_of, texts, type_text, wait


def row(program, i):
    return find_all(steps_of(program), "list item")[i]


def entry_of(program, i, label):
    press(row(program, i))
    return wait(lambda: find(row(program, i), "text", label), f"the entry {label}")


def came_to(program):
    """The number below the entry."""
    found = [re.fullmatch("= (.*)", text) for text in texts(program)]
    return next((match[1] for match in found if match), None)


def value_is_typed(program):
    """{otsu.threshold}/2 is half of what Otsu's row says; another channel has another one; a number takes its role, and undo gives it back."""
    set_steps(program, "channel index=1 as=c | otsu | threshold from=c lower=100")
    has_step(program, "Threshold")
    ready(program)
    entry = entry_of(program, 3, "Lower")
    press(entry)
    keys("ctrl+a")
    type_text("{otsu.threshold}/2")
    wait(lambda: came_to(program) == "41", "half of 82")
    ready(program)
    set_steps(program, "channel index=0 as=c | otsu | threshold from=c lower={otsu.threshold}/2")
    ready(program)
    entry_of(program, 3, "Lower")
    threshold = wait(lambda: re.search(r"threshold (\d+)", name_of(row(program, 2))), "the threshold")
    wait(lambda: came_to(program) == f"{int(threshold[1]) / 2:.6g}", "half of the other one")
    press(entry_of(program, 3, "Lower"))
    keys("ctrl+a")
    type_text("50")
    wait(lambda: came_to(program) is None, "a number of its own")
    ready(program)
    press(row(program, 2))
    keys("ctrl+z")
    wait(lambda: text_of(entry_of(program, 3, "Lower")) == "{otsu.threshold}/2", "what was undone")


TESTS = [value_is_typed]
