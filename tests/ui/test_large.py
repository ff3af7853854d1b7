# SPDX-License-Identifier: MIT
"""An image much larger than the screen, and than memory may be: what is seen of it is read from its pyramid, and nothing else."""
import os

import numpy as np

import large_tiff
from person import NUCLEI, WORK, Program, box, has_text, looked_at, mouse, picture, settled, text_of, wait

SIDE = 65536


def resident(program):
    """Bytes in memory."""
    with open(f"/proc/{program.process.pid}/status", encoding="ascii") as lines:
        return 1024 * int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def limits(program):
    return [float(text_of(program.find("spin button", f"Shown {end}"))) for end in ("darkest", "brightest")]


def expected(program, low, high):
    """The gray of each pixel of the canvas, at 100 %."""
    zoom, left, top = looked_at(program)
    assert zoom == 1
    _, _, width, height = box(program.find("image", "Image"))
    rows = np.floor(top + np.arange(height) + 0.5).astype(int) % large_tiff.PERIOD
    columns = np.floor(left + np.arange(width) + 0.5).astype(int) % large_tiff.PERIOD
    values = large_tiff.picture(np.uint16)[rows][:, columns].astype(float)
    return np.clip((values - low) / (high - low), 0, 1) * 255


def is_right(program):
    seen, wanted = picture(program), expected(program, *limits(program))
    assert seen.shape[:2] == wanted.shape
    kept = np.s_[10:-80, 10:-280]  # without the scale bar
    return (abs(seen[kept].astype(float) - wanted[kept][..., None]) <= 2).all() and seen[kept].max() > 200


def only_what_is_seen_is_read(program):
    assert program.end() == 0
    path = os.path.join(WORK, "large.tif")
    large_tiff.write(path, SIDE, np.uint16)
    program = Program(path)
    wait(lambda: settled(program).max() > 8, "the whole image, in which spots are less than a pixel")
    program.do("display")
    has_text(program, "Estimated from a sample of the pixels")
    program.do("zoom-100")
    wait(lambda: settled(program) is not None and is_right(program), "the pixels in the middle")
    zoom, left, top = looked_at(program)
    x, y, width, height = box(program.find("image", "Image"))
    mouse(x + width // 2, y + height // 2)
    row, column = (int(np.floor(k + n // 2)) for k, n in ((top, height), (left, width)))
    value = large_tiff.picture(np.uint16)[row % large_tiff.PERIOD, column % large_tiff.PERIOD]
    has_text(program, f"x {column}  y {row}   value {value} ")
    assert resident(program) < SIDE * SIDE * 2 / 8, f"{resident(program) >> 20} MiB are in memory"
    assert program.end() == 0
    return Program(NUCLEI)


TESTS = [only_what_is_seen_is_read]
