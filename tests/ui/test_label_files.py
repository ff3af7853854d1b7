# SPDX-License-Identifier: MIT
"""A file of labels of any type is measured, and its objects can be chosen in the table and in the image."""
import os

import numpy as np
import tifffile

from person import NUCLEI, WORK, Program, box, has_text, looked_at, mouse, name_of, set_steps, settled, wait
from test_objects import cells_of, chosen, first_cells, lit


def labels_of():
    """Five bars apart from each other, in an image as large as those of the other tests of objects."""
    labels = np.zeros((640, 640), int)
    for i in range(5):
        labels[100 + 90 * i:150 + 90 * i, 60 + 80 * i:180 + 80 * i] = 300 * i + 7
    return labels


def chosen_both_ways(program, labels):
    """A row lights its object; a click on an object lights it and chooses its row."""
    set_steps(program, "regionprops properties=label,area,centroid")
    has_text(program, "5 rows")
    settled(program)
    x, y, _, height = box(cells_of(program)[0])
    mouse(x + 10, y + height / 2, 1)
    wait(lambda: lit(settled(program), labels, first_cells(program), program), "the first row's object")
    zoom, left, top = looked_at(program)
    x, y, _, _ = box(program.find("image", "Image"))
    row, column = (int(k.mean()) for k in np.nonzero(labels == 607))
    mouse(x + (column + 0.5 - left) * zoom, y + (row + 0.5 - top) * zoom, 1)
    wait(lambda: lit(settled(program), labels, 607, program), "the object under the pointer")
    wait(lambda: chosen(program, 607), f"its row among {[name_of(cell) for cell in cells_of(program)]}")


def with_type(program, kind):
    assert program.end() == 0
    labels, path = labels_of(), os.path.join(WORK, f"{kind}.tif")
    tifffile.imwrite(path, labels.astype(kind))
    program = Program(path)
    program.find("image", "Image")
    chosen_both_ways(program, labels)
    assert program.end() == 0
    return Program(NUCLEI)


def labels_of_16_bits(program):
    return with_type(program, "uint16")


def labels_of_32_bits(program):
    return with_type(program, "int32")


def labels_as_floats(program):
    return with_type(program, "float32")


TESTS = [labels_of_16_bits, labels_of_32_bits, labels_as_floats]
