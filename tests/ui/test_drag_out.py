# SPDX-License-Identifier: MIT
"""An image is dragged to another program as a file."""
import os
import subprocess

import numpy as np
import tifffile

from person import NUCLEI, box, drag, find_all, has_step, keys, name_of, no_window, press, set_steps, settled, wait, window_titled
from test_dialogs import OTHER, green


def dragged(program):
    """The files that another program gets from the button that saves."""
    other = subprocess.Popen([*OTHER, "drop"], stdout=subprocess.PIPE, text=True)
    try:
        wait(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Files$"], capture_output=True).stdout, "the other window")
        save = wait(lambda: next(n for n in find_all(program.window, "push button") if name_of(n).startswith("Save the image") and box(n)[2] > 0), "the button")
        x, y, width, height = box(save)
        drag(x + width / 2, y + height / 2, 60, 30, steps=12)
        return other.communicate(timeout=20)[0].splitlines()
    finally:
        other.kill()


def image_is_dragged_out(program):
    """The opened file itself; what steps make of it as a TIFF file with the same pixels. A drop on the own window opens nothing."""
    settled(program)
    assert dragged(program) == [NUCLEI]
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    settled(program)
    [path] = dragged(program)
    assert os.path.basename(path) == "nuclei_rgb-fovea.tif", path
    assert np.array_equal(tifffile.imread(path), green())
    x, y, _, _ = box(program.find("image", "Image"))
    save = next(n for n in find_all(program.window, "push button") if name_of(n).startswith("Save the image"))
    left, top, width, height = box(save)
    drag(left + width / 2, top + height / 2, x + 300, y + 300, steps=12)
    program.heard()
    settled(program)
    press(save)  # which a click still does
    window_titled(program, "Save Image")
    keys("Escape")
    no_window(program, "Save Image")
    assert len([n for n in find_all(program.window, "push button") if name_of(n).startswith("Close ")]) == 1


TESTS = [image_is_dragged_out]
