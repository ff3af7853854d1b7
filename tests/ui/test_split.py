# SPDX-License-Identifier: MIT
"""Touching nuclei are split from the menus: their count follows the slider, and each has a color of its own."""
import os

import numpy as np
import tifffile
from person import NUCLEI, WORK, name_of, ready, run_command, set_steps, settled, wait

MASK = "channel index=1 | otsu"


def objects_by_command(step):
    path = os.path.join(WORK, "split.tif")
    run_command("run", f"{MASK} | {step}", NUCLEI, "-o", path)
    return int(tifffile.imread(path).max())


def count_follows_the_slider(program):
    set_steps(program, MASK)
    ready(program)
    program.do("add-step", "'split'")
    count = objects_by_command("split")
    program.find("label", f"{count} objects")
    colours = settled(program).reshape(-1, 3)
    assert len(np.unique(colours[np.ptp(colours.astype(int), axis=1) > 60], axis=0)) > 10
    program.find("slider", "Least height of a peak").get_value_iface().set_current_value(4)
    fewer = objects_by_command("split h=4")
    assert fewer < count, (fewer, count)
    wait(lambda: name_of(program.find("label", part=" objects")) == f"{fewer} objects", "fewer objects")


TESTS = [count_follows_the_slider]
