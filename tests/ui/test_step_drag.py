# SPDX-License-Identifier: MIT
"""Steps are dragged to other positions in their list."""
from person import click, drag, find_all, line_of, name_of, ready, set_steps, steps_of, wait, Program, NUCLEI


def titles(program):
    """The first label of each row that has a switch: the name of the step."""
    return [name_of(find_all(row, "label")[0]) for row in find_all(steps_of(program), "list item")[1:]]


def drag_row(program, start, end, upper):
    """A row to the upper or the lower half of another."""
    rows = find_all(steps_of(program), "list item")[1:]
    (x, y, width, height), (_, to, _, high) = line_of(rows[start]), line_of(rows[end])
    drag(x + width / 2, y + height / 2, x + width / 2, to + high * (0.25 if upper else 0.75))


def becomes(program, want):
    wait(lambda: titles(program) == want, f"the steps {want}")


def steps_are_dragged(program):
    """Before and after others, as one change to undo, and nowhere when they are let go elsewhere; one that would no
    longer find what it takes stays, with a word."""
    program.end()
    program = Program(NUCLEI)
    set_steps(program, "channel index=1 | gaussian sigma=2 | median radius=2 | otsu")
    first, blur, median, otsu = wait(lambda: len(titles(program)) == 4 and titles(program), "the steps")
    ready(program)
    drag_row(program, 2, 0, True)
    becomes(program, [median, first, blur, otsu])
    drag_row(program, 0, 2, False)
    becomes(program, [first, blur, median, otsu])
    drag_row(program, 1, 2, True)
    drag_row(program, 2, 3, True)
    x, y, width, height = line_of(find_all(steps_of(program), "list item")[2])
    drag(x + width / 2, y + height / 2, 400, 500)
    assert titles(program) == [first, blur, median, otsu], "a step has moved to where it is"
    program.do("undo")
    becomes(program, [median, first, blur, otsu])
    program.do("undo")
    becomes(program, [first, blur, median, otsu])
    set_steps(program, "channel index=1 | otsu | label as=cells | regionprops from=cells")
    want = wait(lambda: len(titles(program)) == 4 and blur not in titles(program) and titles(program), "other steps")
    ready(program)
    drag_row(program, 3, 1, True)
    program.find("label", "Error")
    assert titles(program) == want
    click(program.find("push button", "Close the message"))
    return program


TESTS = [steps_are_dragged]
