# SPDX-License-Identifier: MIT
"""Compares labels with the truth by `fovea score`, and pools fields."""
import csv
import dataclasses
import io
import pathlib
import subprocess
import tempfile

import numpy as np
import tifffile


@dataclasses.dataclass
class Score:
    """Counts of one field, or of several that were added. matched: for each of fovea's ten thresholds of the IoU."""
    true: int
    found: int
    matched: np.ndarray
    merged: int
    split: int

    def __add__(self, other):
        return Score(*(getattr(self, field.name) + getattr(other, field.name) for field in dataclasses.fields(self)))

    def precision(self):
        """Average precision at each threshold: matched / (matched + missed + extra)."""
        return self.matched / np.maximum(1, self.true + self.found - self.matched)

    @property
    def ap50(self):
        return float(self.precision()[0])

    @property
    def mean(self):
        return float(self.precision().mean())


def total(scores):
    scores = list(scores)
    return sum(scores[1:], scores[0])


class Fovea:
    """The command, with a folder for its files."""

    def __init__(self, command):
        self.command = pathlib.Path(command).resolve()
        self.folder = tempfile.TemporaryDirectory()

    def call(self, *words):
        return subprocess.run([self.command, *words], cwd=self.folder.name, check=True, capture_output=True, text=True).stdout

    def write(self, name, image):
        tifffile.imwrite(pathlib.Path(self.folder.name) / name, image)

    def score(self, labels, truth):
        self.write("labels.tif", labels.astype(np.uint16))
        self.write("truth.tif", truth.astype(np.uint16))
        rows = list(csv.DictReader(io.StringIO(self.call("score", "labels.tif", "truth.tif"))))
        matched = np.array([int(row["matched"]) for row in rows])
        true, found = (int(rows[0][key]) + matched[0] for key in ("missed", "extra"))
        return Score(true, found, matched, int(rows[0]["merged"]), int(rows[0]["split"]))

    def run(self, steps, image):
        """The labels that steps make of an image."""
        self.write("image.tif", image)
        self.call("run", "-q", steps, "image.tif", "-o", "result.tif")
        return tifffile.imread(pathlib.Path(self.folder.name) / "result.tif")
