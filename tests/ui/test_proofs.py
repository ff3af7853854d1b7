# SPDX-License-Identifier: MIT
"""Five tasks from the opened image to the file on the disk, with the mouse alone: no more clicks than docs/how-to/tasks.md says, and the numbers of
SciPy, scikit-image and SEP (tests/ui/proofs). With FOVEA_PROOFS=FOLDER each leaves a picture of the screen there."""
import csv
import os
import re
import shutil
import subprocess
import time

import numpy as np
import tifffile

from person import SOURCE, WORK, Program, box, find, has_text, misplaced, mouse, press, ready, settled, wait, window_titled

SAMPLES = [os.path.join(SOURCE, "data/samples"), os.path.join(os.path.dirname(os.path.dirname(os.environ["FOVEA_COMMAND"])), "data/samples")]
ORACLE = os.path.join(SOURCE, "tests/ui/proofs")


class Hand:
    """A hand on a mouse: how often it clicks, and for how long."""

    def __init__(self, program):
        self.program, self.clicks, self.start = program, 0, time.monotonic()

    def click(self, *where, root=None):
        """On what has this role and name."""
        node = wait(lambda: next((n for n in [find(root or self.program.app, *where)] if n and box(n)[2] > 0), None), where)
        press(node)
        self.clicks += 1

    def choose(self, title, entry):
        """From a menu, whose entries say where they are below its title."""
        self.click("menu item", title)
        left, top, _, height = box(find(self.program.app, "menu item", title))
        node = wait(lambda: find(self.program.app, "menu item", entry), entry)
        x, y, wide, high = wait(lambda: box(node)[2] and box(node), entry)
        if misplaced(self.program):  # from then on it is where it is in the app
            left = top = height = 0
        time.sleep(0.3)
        mouse(left + x + wide / 2, top + height + y + high / 2, 1)
        self.clicks += 1

    def seconds(self):
        return time.monotonic() - self.start


def begin(program, sample):
    """The window with an image that lies alone in a folder."""
    program.end()
    folder = os.path.join(WORK, "proof")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    path = os.path.join(folder, sample)
    shutil.copy(next(p for p in (os.path.join(at, sample) for at in SAMPLES) if os.path.exists(p)), path)
    program = Program(path)
    settled(program)
    return program, Hand(program), os.path.splitext(path)[0]


def promised(task):
    """The clicks that the page promises: here, and in ImageJ."""
    page = open(os.path.join(SOURCE, "docs/how-to/tasks.md"), encoding="utf-8").read()
    row = re.search(rf"^\| {task} \| (\d+) \|[^|]*\| (\d+) \|", page, re.M)
    return int(row[1]), int(row[2])


def is_proof(hand, task):
    clicks, theirs = promised(task)
    print(f"# {task}: {hand.clicks} clicks, {hand.seconds():.1f} s", flush=True)
    assert hand.clicks == clicks <= 12 and clicks < theirs, (hand.clicks, clicks, theirs)


def shoot(program, task):
    if os.environ.get("FOVEA_PROOFS"):
        settled(program)
        path = os.path.join(os.environ["FOVEA_PROOFS"], task.replace(" ", "_") + ".png")
        subprocess.run(["sh", "-c", 'xwd -root -silent | xwdtopnm | pnmtopng >"$0"', path], check=True, stderr=subprocess.DEVNULL)


def export_table(program, hand, stem):
    """The rows that are saved under the name that is offered."""
    hand.click("push button", "Export CSV…")
    dialog = window_titled(program, "Export Results")
    time.sleep(0.3)
    hand.click("push button", "Export", root=dialog)
    wait(lambda: os.path.exists(stem + ".csv"), "the table")
    has_text(program, "Exported")
    with open(stem + ".csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def column(rows, name):
    """By its name without the unit."""
    key = next(key for key in rows[0] if key.split(" (")[0] == name)
    return np.array([float(row[key]) for row in rows])


def oracle(name):
    with open(os.path.join(ORACLE, name + ".csv"), encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.DictReader(lines))


def agree(rows, theirs, rtol, **names):
    """Columns, whose names may be others there, row by row."""
    assert len(rows) == len(theirs), (len(rows), len(theirs))
    for name, other in names.items():
        ours, want = column(rows, name), column(theirs, other)
        assert np.allclose(ours, want, rtol=rtol, atol=1e-9), (name, ours[:5], want[:5], np.abs(ours / want - 1).max())


def by_recipe(program, hand, recipe, stem, task):
    """One click for all steps, and two for the table; its rows."""
    hand.click("push button", recipe)
    has_text(program, "Results: ")
    ready(program)
    rows = export_table(program, hand, stem)
    is_proof(hand, task)
    shoot(program, recipe)
    return rows


def count_touching_nuclei(program):
    program, hand, stem = begin(program, "nuclei_rgb.tif")
    rows = by_recipe(program, hand, "Count Objects", stem, "Count touching nuclei")
    agree(rows, oracle("count"), 1e-5, area="area", **{"intensity_mean-1": "mean"})
    return program


def intensity_of_two_channels(program):
    program, hand, stem = begin(program, "cells_2channel.tif")
    rows = by_recipe(program, hand, "Intensity in Nuclei", stem, "Intensity of two channels in nuclei")
    agree(rows, oracle("intensity"), 1e-5, area="area", **{"intensity_mean-0": "nuclei", "intensity_mean-1": "cytoplasm"})
    return program


def area_of_a_wound(program):
    program, hand, stem = begin(program, "wound.tif")
    rows = by_recipe(program, hand, "Wound over Time", stem, "Area of a wound over 20 frames")
    assert list(column(rows, "frame")) == list(range(1, 21)), rows
    agree(rows, oracle("wound"), 1e-5, area="area")
    return program


def colocalization_with_a_figure(program):
    """Pearson's and the overlap coefficient are NumPy's; so is what lies above the thresholds that were found."""
    program, hand, stem = begin(program, "cells_2channel.tif")
    hand.click("push button", "Colocalization")
    has_text(program, "Results: 1 row")
    ready(program)
    row = export_table(program, hand, stem)[0]
    hand.choose("File", "Export Figure…")
    dialog = window_titled(program, "Figure")
    hand.click("push button", "Export…", root=dialog)
    chooser = window_titled(program, "Export Figure")
    time.sleep(0.3)
    hand.click("push button", "Export", root=chooser)
    wait(lambda: os.path.exists(stem + "-figure.png"), "the figure")
    is_proof(hand, "Colocalization with a figure")
    shoot(program, "Colocalization")
    a, b = tifffile.imread(stem + ".tif").astype(float)
    want = {"pearson": np.corrcoef(a.ravel(), b.ravel())[0, 1], "overlap": (a * b).sum() / np.sqrt((a ** 2).sum() * (b ** 2).sum()),
            "tm1": a[b > float(row["threshold_b"])].sum() / a.sum(), "tm2": b[a > float(row["threshold_a"])].sum() / b.sum()}
    for name, value in want.items():
        assert np.isclose(float(row[name]), value, rtol=1e-9), (name, row[name], value)
    return program


def sources_in_a_fits(program):
    program, hand, stem = begin(program, "sky.fits")
    rows = by_recipe(program, hand, "Sources in the Sky", stem, "Sources in a FITS image")
    agree(sorted(rows, key=lambda row: float(row["x (px)"])), sorted(oracle("sky"), key=lambda row: float(row["x"])), 1e-4,
          x="x", y="y", flux="flux")
    return program


TESTS = [count_touching_nuclei, intensity_of_two_channels, area_of_a_wound, colocalization_with_a_figure, sources_in_a_fits]
