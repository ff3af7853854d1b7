# SPDX-License-Identifier: MIT
"""The scatter plot of two channels beside the numbers of colocalize."""
import csv
import os
import xml.etree.ElementTree

import numpy as np
import tifffile

from person import WORK, box, find, name_file, press, screen, set_steps, wait
from test_dialogs import CELLS, open_files, visible
from test_display import close

CHANNELS = ("nuclei", "cytoplasm")


def plot_of(program):
    """The pixels of the plot, when there are any cells in it."""
    x, y, width, height = box(visible(program, "image", "Scatter plot"))
    seen = screen()[int(y):int(y + height), int(x):int(x + width)].astype(int)
    return seen if (seen[..., 1] - seen[..., 0] > 60).sum() > 20 else None


def saved(program, name):
    path = os.path.join(WORK, name)
    press(visible(program, "push button", "Save…"))
    name_file(program, "Save Plot", path)
    wait(lambda: os.path.exists(path) and os.path.getsize(path), "the file")
    return path


def scatter_of_channels(program):
    """After colocalize a tab has the plot of both channels: as NumPy counts them, with its axes named; it follows the channels of the step and
    goes with it."""
    open_files(program, CELLS)
    set_steps(program, "colocalize")
    press(program.find("page tab", "Scatter Plot"))
    wait(lambda: plot_of(program) is not None, "cells")
    pixels = tifffile.imread(CELLS).reshape(2, -1).astype(float)
    r = np.corrcoef(pixels)[0, 1]
    wait(lambda: visible(program, "label", part=f"Pearson {r:.4g}, {pixels.shape[1]} pixels"), "the coefficient")
    with open(saved(program, "scatter.csv"), encoding="utf-8") as file:
        header, *lines = csv.reader(file)
    assert header == [f"{name} {end}" for name in CHANNELS for end in ("from", "to")] + ["pixels"], header
    cells = np.array(lines, float)
    for from_a, to_a, from_b, to_b, n in cells[:: len(cells) // 20]:
        assert n == ((pixels[0] > from_a) & (pixels[0] < to_a) & (pixels[1] > from_b) & (pixels[1] < to_b)).sum()
    assert cells[:, 4].sum() == pixels.shape[1]
    assert xml.etree.ElementTree.parse(saved(program, "scatter.svg")).getroot().tag.endswith("svg")
    before = plot_of(program)
    set_steps(program, "colocalize channel_a=1 channel_b=0")
    wait(lambda: (plot_of(program) != before).sum() > 1000, "the plot of the channels the other way round")
    with open(saved(program, "turned.csv"), encoding="utf-8") as file:
        assert file.readline().startswith("cytoplasm from")
    set_steps(program, "")
    wait(lambda: not find(program.app, "page tab", "Scatter Plot"), "no plot")
    close(program, os.path.basename(CELLS))


TESTS = [scatter_of_channels]
