# SPDX-License-Identifier: MIT
"""What a new step takes by itself follows from the steps before it, whether their results are there yet or not."""
from person import NUCLEI, Program, find_all, held, name_file, ready, set_steps, shows_request, wait
from test_dialogs import fresh

# Steps that are there, and those that are added one after the other.
CASES = [("channel index=1 | gaussian sigma=2 | otsu | held", ("label", "regionprops")),
         ("gaussian sigma=2 | held", ("otsu", "label", "regionprops"))]


def count(program):
    return len(find_all(program.find("list", "Steps"), "list item"))


def add(program, step):
    before = count(program)
    program.do("add-step", f"'{step}'")
    wait(lambda: count(program) > before, f"the step {step}")


def started(program, steps):
    program.end()  # C stands where it does at the start
    program = Program(NUCLEI)
    set_steps(program, steps)
    wait(lambda: count(program) > steps.count("|"), "the steps")
    return program


def written(program):
    path = fresh("new.steps")
    program.do("save-steps")
    name_file(program, "Save Steps", path)
    with open(path, encoding="utf-8") as text:
        return text.read()


def added_during_a_run(program):
    for steps, new in CASES:
        program = started(program, steps)
        for step in new:
            ready(program)
            add(program, step)
        ready(program)
        after = written(program)
        assert "intensity=" in after and after.count("channel ") == 1, after
        with held():
            program = started(program, steps)
            for step in new:
                add(program, step)
            assert not shows_request(program)
        during = written(program)
        assert during == after, f"{during!r} and not {after!r}"
    return program


TESTS = [added_during_a_run]
