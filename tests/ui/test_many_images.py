# SPDX-License-Identifier: MIT
"""Threads and memory do not grow with how many images are open beyond what each image needs, and an image that was not seen for a while is as
it was."""
import os

import numpy as np
import tifffile

from person import NUCLEI, WORK, Program, becomes, page_tabs, ready, rows, set_steps, settled, wait

FEW, MANY = 5, 14
STEPS = "gaussian sigma=2 | otsu | label | regionprops properties=label,area,centroid,solidity"


def make(i):
    path = os.path.join(WORK, f"small {i}.tif")
    tifffile.imwrite(path, np.random.default_rng(i).integers(0, 255, (512, 512), dtype=np.uint8))
    return path


def threads(program):
    return len(os.listdir(f"/proc/{program.process.pid}/task"))


def megabytes(program):
    """That the program has of its own."""
    with open(f"/proc/{program.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("RssAnon"))


def small_images_stay_small(program):
    """Each with steps and a table of hundreds of objects."""
    program.end()
    program = Program(make(0))
    set_steps(program, STEPS)
    ready(program)
    settled(program)
    first, table = settled(program), rows(program, "Results")[:3]
    workers = 3 * (os.cpu_count() + 6)
    alone, most, few = threads(program), 0, 0
    for i in range(1, MANY):
        program.do("open-recent", f"b'{make(i)}'", where="")
        wait(lambda: len(page_tabs(program)) == i + 1, f"image {i}")
        set_steps(program, STEPS)
        ready(program)
        most = max(most, threads(program))
        if i == FEW - 1:
            settled(program)
            few = megabytes(program)
    settled(program)
    assert most <= alone + workers, f"{most} threads, {alone} with one image"
    each = (megabytes(program) - few) / (MANY - FEW)
    assert each < 16, f"{each:.1f} MB for each image of 0.25 MB"
    wait(lambda: threads(program) <= alone + 4, "as many threads as with one image")
    for left in reversed(range(1, MANY)):  # so that the one before it comes to the front
        set_steps(program, "")
        program.do("close-page")
        wait(lambda: len(page_tabs(program)) == left, f"{left} images")
    becomes(program, first, "the first image as it was")
    wait(lambda: rows(program, "Results")[:3] == table, "its table")
    program.end()
    return Program(NUCLEI)


TESTS = [small_images_stay_small]
