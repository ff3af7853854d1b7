# SPDX-License-Identifier: MIT
"""Label images of other programs are measured in the app, too; values that are not labels are reported with their position."""
import os

import numpy as np
import tifffile

from person import NUCLEI, WORK, Program, has_text, set_steps

STEP = "regionprops properties=label,area,centroid"


def labels():
    image = np.zeros((40, 50))
    for i in range(5):
        image[3 + 6 * i:8 + 6 * i, 4 + 7 * i:10 + 7 * i] = 1000 * i + 7
    return image


def other_programs_labels(program):
    """64-bit floats, as which unsigned labels of 32 bits open."""
    assert program.end() == 0
    path = os.path.join(WORK, "labels.tif")
    tifffile.imwrite(path, labels().astype(np.uint32))
    program = Program(path)
    program.find("image", "Image")
    set_steps(program, STEP)
    has_text(program, "5 rows")
    assert program.end() == 0
    return Program(NUCLEI)


def no_labels(program):
    """The image has a half where a label should be."""
    assert program.end() == 0
    path, image = os.path.join(WORK, "halves.tif"), labels().astype(np.float32)
    image[9, 11] = 2.5
    tifffile.imwrite(path, image)
    program = Program(path)
    program.find("image", "Image")
    set_steps(program, STEP)
    has_text(program, "is 2.5 at x = 11, y = 9")
    assert program.end() == 0
    return Program(NUCLEI)


TESTS = [other_programs_labels, no_labels]
