# SPDX-License-Identifier: MIT
"""Objects edited by hand: what each gesture makes of areas that are known, and that it is a step as others are."""
import os
import subprocess

import numpy as np
import tifffile
from scipy import ndimage

from person import (WORK, Program, box, find_all, focus_window, has_text, keys, looked_at, mouse, move, picture, press, ready, rows, set_steps, text_of,
                    wait)

STEPS = "otsu | label | regionprops properties=label,area"
BRIGHT = (255, 230, 40)
SQUARE, RING, BAR = 1600, 3600 - 400, 20 * 130  # pixels


def shapes():
    """Two squares, a ring and a bar, in rows and columns of a small image."""
    path = os.path.join(WORK, "shapes.tif")
    image = np.zeros((200, 300), np.uint8)
    image[20:60, 20:60] = image[20:60, 90:130] = image[100:160, 30:90] = image[100:120, 150:280] = 200
    image[120:140, 50:70] = 0
    tifffile.imwrite(path, image)
    return path


class Pixels:
    """The screen positions of pixel centers, as long as the image is not moved or zoomed."""

    def __init__(self, program):
        self.zoom, self.left, self.top = looked_at(program)
        self.x, self.y, _, _ = box(program.find("image", "Image"))

    def at(self, row, column):
        return [str(round(self.x + (column + 0.5 - self.left) * self.zoom)), str(round(self.y + (row + 0.5 - self.top) * self.zoom))]

    def click(self, row, column):
        mouse(*self.at(row, column), 1)

    def click_too(self, row, column):
        move(*self.at(row, column))
        subprocess.run(["xdotool", "keydown", "shift", "click", "1", "keyup", "shift"], check=True)

    def draw(self, *points):
        words = [word for point in points[1:] for word in ("mousemove", *self.at(*point), "sleep", "0.05")]
        move(*self.at(*points[0]))
        subprocess.run(["xdotool", "mousedown", "1", *words, "mouseup", "1"], check=True)


def areas(program, *expected):
    wait(lambda: sorted(float(row[1]) for row in rows(program, "Results")) == sorted(map(float, expected)), f"objects of {expected} pixels")


def chosen(program, n):
    """So many outlines that do not touch."""
    wait(lambda: ndimage.label((picture(program) == BRIGHT).all(2), np.ones((3, 3)))[1] == n, f"{n} outlines")


def hand_edits_objects(program):
    """Each object is found by a position in it; a gesture that changes nothing adds no step."""
    program.end()
    program = Program(shapes())
    focus_window(program, "shapes.tif – Fovea")
    set_steps(program, STEPS)
    areas(program, SQUARE, SQUARE, RING, BAR)
    ready(program)
    pixels = Pixels(program)
    keys("e")
    program.find("tool bar", "Edit objects")
    pixels.click(40, 40)
    chosen(program, 1)
    keys("Delete")
    areas(program, SQUARE, RING, BAR)
    press(program.find("push button", "Split"))
    pixels.draw((95, 215), (125, 215))
    areas(program, SQUARE, RING, 65 * 20, 64 * 20)
    keys("ctrl+z")
    areas(program, SQUARE, RING, BAR)
    keys("ctrl+shift+z")
    areas(program, SQUARE, RING, 65 * 20, 64 * 20)
    pixels.draw((80, 120), (80, 200))
    has_text(program, "Nothing was changed")
    pixels.click(110, 160)
    pixels.click_too(110, 260)
    chosen(program, 2)
    keys("m")
    areas(program, SQUARE, RING, 129 * 20)
    pixels.click(110, 40)
    chosen(program, 2)  # its rim around it and that around its hole
    press(program.find("push button", "Fill"))
    areas(program, SQUARE, 3600, 129 * 20)
    keys("d")
    pixels.draw((60, 200), (60, 240), (90, 240), (90, 200))
    areas(program, SQUARE, 3600, 129 * 20, 31 * 41)
    keys("e")
    pixels.draw((50, 190), (50, 220), (75, 220), (75, 190))
    areas(program, SQUARE, 3600, 129 * 20, 31 * 41 - 16 * 21)
    keys("Escape")
    program.gone("tool bar", "Edit objects")
    press(find_all(program.find("list", "Steps"), "list item")[3])
    commands = wait(lambda: next(t for t in map(text_of, find_all(program.app, "text")) if "; " in t), "the commands")
    assert [c.split()[0] for c in commands.split("; ")] == ["delete", "split", "merge", "fill", "draw", "erase"], commands
    return program


def hand_edits_a_slice(program):
    """Planes of a stack have objects of their own, with the same numbers: those of the slice that is seen are meant."""
    program.end()
    path = os.path.join(WORK, "slices.tif")
    stack = np.zeros((2, 100, 150), np.uint8)
    stack[0, 10:30, 10:30] = stack[1, 10:40, 10:50] = stack[1, 60:90, 100:140] = 200
    tifffile.imwrite(path, stack, imagej=True, metadata={"axes": "ZYX"})
    program = Program(path)
    set_steps(program, STEPS)
    wait(lambda: len(rows(program, "Results")) == 3, "three objects")
    ready(program)
    pixels = Pixels(program)
    program.do("move-position", "'z+'")
    program.do("add-step", "'edit'")
    pixels.click(20, 20)
    chosen(program, 1)
    press(program.find("push button", "Delete"))
    wait(lambda: sorted(row[-1] for row in rows(program, "Results")) == ["1200.0", "400.00"], "the object of the second slice has gone")
    program.do("tool", "'hand'")
    return program


def hand_edits_a_label_image(program):
    """The objects of a file that has nothing else: the step comes before the one that measures them."""
    program.end()
    path = os.path.join(WORK, "cells.tif")
    labels = np.zeros((100, 150), np.uint16)
    labels[10:30, 10:30], labels[50:80, 60:100] = 5, 300
    tifffile.imwrite(path, labels)
    program = Program(path)
    program.do("add-step", "'edit'")
    has_text(program, "There are no objects yet")
    set_steps(program, "regionprops properties=label,area")
    wait(lambda: rows(program, "Results") == [["5", "400.00"], ["300", "1200.0"]], "the objects of the file")
    ready(program)
    pixels = Pixels(program)
    pixels.click(20, 20)
    chosen(program, 1)
    press(program.find("push button", "Delete"))
    wait(lambda: rows(program, "Results") == [["300", "1200.0"]], "the second object alone")
    program.do("tool", "'hand'")
    return program


TESTS = [hand_edits_objects, hand_edits_a_slice, hand_edits_a_label_image]
