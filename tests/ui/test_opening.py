# SPDX-License-Identifier: MIT
"""Files that are opened together appear in the order in which they were given. All failures are named, and unsupported parts of a file are
reported."""
import os

import numpy as np
import tifffile

from person import NUCLEI, WORK, Program, find, has_text, name_of, page_tabs, wait


def files(sizes):
    """Images of so many rows and columns: the first ones take longest to read."""
    paths = [os.path.join(WORK, f"given{n}.tif") for n in range(len(sizes))]
    for path, size in zip(paths, sizes):
        tifffile.imwrite(path, np.random.default_rng(1).integers(0, 60000, (size, size), dtype=np.uint16), compression="zlib")
    return paths


def order_is_kept(program):
    assert program.end() == 0
    paths = files([3000, 1500, 40, 700, 20])
    program = Program(*paths)
    wait(lambda: len(page_tabs(program)) == len(paths), "all tabs")
    titles = [name_of(find(tab, "label")) for tab in page_tabs(program)]
    assert titles == [os.path.basename(path) for path in paths], titles
    assert program.end() == 0
    return Program(NUCLEI)


def all_faults_are_named(program):
    assert program.end() == 0
    bad = [os.path.join(WORK, name) for name in ("a.nii", "b.czi", "c.tif")]
    for path, head in zip(bad, (bytes(344) + b"n+1\0", b"ZISRAWFILE" + bytes(54), b"no image at all")):
        with open(path, "wb") as file:
            file.write(head + bytes(8))
    program = Program(NUCLEI, *bad)
    program.find("image", "Image")
    for part in ("a.nii' is a NIfTI file", "b.czi' is a Zeiss CZI file", "c.tif' is not an image"):
        has_text(program, part)
    assert program.end() == 0
    return Program(NUCLEI)


def rest_of_a_file_is_told(program):
    assert program.end() == 0
    path = os.path.join(WORK, "several.tif")
    with tifffile.TiffWriter(path) as file:
        for size in (60, 50, 40):
            file.write(np.zeros((size, 64), np.uint8), metadata=None)
        file.write(np.zeros((20, 50), np.uint8), metadata=None, subfiletype=1)
    program = Program(path)
    has_text(program, "has 3 images")
    has_text(program, "page 4 (50×20 pixels)")
    assert program.end() == 0
    return Program(NUCLEI)


TESTS = [order_is_kept, all_faults_are_named, rest_of_a_file_is_told]
