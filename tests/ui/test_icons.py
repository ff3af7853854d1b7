# SPDX-License-Identifier: MIT
"""Every button shows its own picture, also where GTK can read no SVG."""
import itertools
import os

import numpy as np
from person import NUCLEI, Program, box, find, name_of, role_of, screen, set_steps, settled, wait


def pictures_beside(program, name):
    """For each button in the row of this one: its name, and where its icon has ink."""
    row = wait(lambda: find(program.app, name=name), name).get_parent()
    children = [row.get_child_at_index(i) for i in range(row.get_child_count())]
    pixels = screen().astype(int)
    pictures = {}
    for button in children:
        if role_of(button) in ("push button", "toggle button"):
            x, y, width, height = box(button)
            x, y = x + width // 2 - 8, y + height // 2 - 8
            ink = np.abs(pixels[y:y + 16, x:x + 16] - pixels[y, x - 2]).sum(axis=2)
            pictures[name_of(button)] = ink > max(30, ink.max() / 2)
    return pictures


def have_their_pictures(program):
    """A button that GTK has no picture for is empty or shows the picture of what is missing, which is the same for all."""
    set_steps(program, "gaussian")
    settled(program)
    for name, least in (("hand", 13), ("Delete the step (Delete)", 3)):
        pictures = pictures_beside(program, name)
        assert len(pictures) >= least, sorted(pictures)
        for button, ink in pictures.items():
            assert ink.sum() > 8, f"{button} is empty"
        for (one, ink), (other, same) in itertools.combinations(pictures.items(), 2):
            assert (ink != same).any(), f"{one} and {other} show the same picture"


def buttons_have_pictures(program):
    have_their_pictures(program)


def buttons_have_pictures_without_svg(program):
    program.end()
    program = Program(NUCLEI, GDK_PIXBUF_MODULE_FILE=os.devnull)
    try:
        have_their_pictures(program)
    finally:
        program.end()
    return Program(NUCLEI)


TESTS = [buttons_have_pictures, buttons_have_pictures_without_svg]
