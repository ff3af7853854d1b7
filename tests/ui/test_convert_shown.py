# SPDX-License-Identifier: MIT
"""Image ▸ Type: what is shown darkest and brightest become the ends of the new type, as in ImageJ."""
import os

import numpy as np
import tifffile

from person import NUCLEI, WORK, Program, has_step, has_text, no_step, run_command, wait
from test_dialogs import fresh, paste
from test_display import number, type_number


def converted(path, steps):
    """The steps as the window has them, done by the command."""
    out = os.path.join(WORK, "converted.tif")
    run_command("run", steps, path, "-o", out)
    return tifffile.imread(out)


def eight_bits_as_shown(program):
    """The limits that are set, or those that follow the image; what lies beyond them is black or white. 32 bits keep the values."""
    assert program.end() == 0
    pixels = np.random.default_rng(6).integers(200, 4000, (120, 160)).astype(np.uint16)
    path = fresh("sixteen.tif")
    tifffile.imwrite(path, pixels)
    program = Program(path)
    program.find("image", "Image")
    wait(lambda: (number(program, "Shown darkest"), number(program, "Shown brightest")) == (pixels.min(), pixels.max()), "its limits")
    for low, high in ((pixels.min(), pixels.max()), (500, 3000)):
        if low == 500:
            type_number(program, "Shown brightest", high)
            type_number(program, "Shown darkest", low)
        program.do("convert", "'u8'")
        has_step(program, "Convert Type")
        program.do("copy-steps")
        steps = wait(lambda: f"low={low} high={high}" in paste() and paste(), "the limits in the step")
        seen = converted(path, steps.strip())
        want = np.clip(np.rint((pixels.astype(float) - low) * 255 / (high - low)), 0, 255)
        assert seen.dtype == np.uint8 and np.abs(seen - want).max() == 0
        wait(lambda: (number(program, "Shown darkest"), number(program, "Shown brightest")) == (0, 255), "all of 8 bits")
        program.do("convert", "'u8'")
        has_text(program, "already has this type")
        program.do("undo")
        no_step(program)
    program.do("convert", "'f32'")
    has_step(program, "Convert Type")
    program.do("copy-steps")
    assert wait(lambda: "f32" in paste() and paste(), "32 bits").strip() == "convert type=f32"
    assert program.end() == 0
    return Program(NUCLEI)


def channels_as_shown(program):
    """Each channel by its own limits, as ImageJ does with a composite: those that are set and those that follow the image."""
    assert program.end() == 0
    rng = np.random.default_rng(7)
    pixels = np.stack([rng.integers(low, high, (90, 110)) for low, high in ((10, 400), (1000, 50000), (0, 2))]).astype(np.uint16)
    path = fresh("three.tif")
    tifffile.imwrite(path, pixels, imagej=True, metadata={"axes": "CYX"})
    program = Program(path)
    wait(lambda: (number(program, "Shown darkest"), number(program, "Shown brightest")) == (10, pixels[0].max()), "its limits")
    type_number(program, "Shown brightest", 300)
    program.do("convert", "'u8'")
    has_step(program, "Convert Type")
    program.do("copy-steps")
    steps = wait(lambda: "limits=" in paste() and paste(), "the limits in the step")
    seen = converted(path, steps.strip())
    limits = [(10, 300), (pixels[1].min(), pixels[1].max()), (0, 1)]
    want = np.stack([np.clip(np.rint((p.astype(float) - low) * 255 / (high - low)), 0, 255) for p, (low, high) in zip(pixels, limits)])
    assert seen.dtype == np.uint8 and np.abs(seen.reshape(want.shape) - want).max() == 0
    assert program.end() == 0
    return Program(NUCLEI)


TESTS = [eight_bits_as_shown, channels_as_shown]
