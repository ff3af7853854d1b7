#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes kernels/regions/region_surface_cells.c: the triangles that scikit-image's marching cubes put into each kind of cell of a mask. Needs scikit-image."""
import pathlib

import numpy as np
from skimage.measure import marching_cubes

FILE = pathlib.Path(__file__).parent.parent / "kernels" / "regions" / "region_surface_cells.c"
START = """/* SPDX-License-Identifier: MIT
 *
 * The triangles of each kind of cell, as T. Lewiner et al., Efficient implementation of marching cubes' cases with topological guarantees, Journal
 * of Graphics Tools 8 (2003), has them for a mask; see region_surface_cells.h for the characters. Made by scripts/surface_cells.py.
 */
#include "kernels/regions/region_surface_cells.h"

/* clang-format off */
const char *const surface_triangles[SURFACE_CELLS] = {
"""


def triangles(cell):
    """Three characters for each; bit 4 dx + 2 dz + dy of the cell: the corner there is in the object."""
    x, z, y = np.unravel_index(np.arange(8), (2, 2, 2))
    corners = np.zeros((2, 2, 2), np.float32)
    corners[z, y, x] = cell >> np.arange(8) & 1
    if cell in (0, 255):
        return ""
    vertices, faces, *_ = marching_cubes(corners, 0.5)
    halves = np.rint(2 * vertices).astype(int)
    assert np.allclose(halves, 2 * vertices), cell
    return "".join(chr(ord("a") + n) for n in (halves @ (9, 3, 1))[faces].ravel())


def main():
    lines, line = [], " "
    for cell in range(256):
        word = f' "{triangles(cell)}",'
        if len(line + word) > 150:
            lines, line = [*lines, line], " "
        line += word
    FILE.write_text(START + "\n".join([*lines, line]) + "\n};\n", encoding="utf-8")


main()
