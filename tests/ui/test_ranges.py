# SPDX-License-Identifier: MIT
"""Images whose values lie very far apart or very close together."""
import os

import numpy as np
import tifffile

from person import WORK, below, box, drag, find, name_of, picture, settled, wait

LARGEST, SMALLEST = np.finfo(np.float64).max, 4.94e-324
VALUES = {"far": (-LARGEST, LARGEST), "huge": (0, LARGEST), "small": (0, 1e-307), "least": (0, SMALLEST), "apart": (1e18, 1e18 + 128),
          "nothing": (np.nan, np.inf)}


def opened(program, name, values):
    """An image half of each value, and what its canvas shows."""
    path = os.path.join(WORK, f"{name}.tif")
    tifffile.imwrite(path, np.repeat([values], 64, 0).repeat(32, 1).astype(np.float64))
    program.do("open-recent", f"b'{path}'", where="")
    wait(lambda: find(program.app, "label", f"{name}.tif"), f"the tab of {name}.tif")
    return settled(program)


def any_range(program):
    """Its histogram's handle is dragged, a profile drawn, a step with a value's slider made: the program keeps answering."""
    for name, values in VALUES.items():
        opened(program, name, values)
        program.do("display")
        x, y, width, height = box(wait(lambda: [n for n in below(program.app) if name_of(n) == "Histogram and contrast"][-1], "its histogram"))
        drag(x + width - 8, y + height / 2, x + width / 2, y + height / 2)
        program.do("line-profile")
        program.do("tool", "'line'")
        x, y, width, height = box(program.find("image", "Image"))
        drag(x + width * 0.3, y + height / 2, x + width * 0.7, y + height / 2)
        settled(program)
        program.do("add-step", "'threshold'")
        program.find("check box", "Dark background")
        assert program.alive(), name
        program.do("tool", "'hand'")
        program.do("set-steps", "''")
        program.gone("check box", "Dark background")
        program.do("close-page")
        program.gone("push button", f"Close {name}.tif")


def small_values_are_seen(program):
    """The smaller half is black, the greater one is white."""
    seen = opened(program, "small", VALUES["small"])
    height, width = seen.shape[:2]
    assert seen[height // 3, width // 2 - 40].max() < 20 and seen[height // 3, width // 2 + 40].min() > 235
    program.do("close-page")
    wait(lambda: not np.array_equal(picture(program), seen), "the image before")


TESTS = [any_range, small_values_are_seen]
