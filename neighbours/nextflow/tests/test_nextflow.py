#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scripts of the processes, as Groovy makes them of main.nf, run by bash as Nextflow does, against SciPy. Nextflow itself is not needed.

    python3 neighbours/nextflow/tests/test_nextflow.py     with groovy, fovea, scipy and tifffile
"""
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

if not shutil.which("groovy"):
    print("The module for Nextflow is not tested: groovy is missing.")
    sys.exit(77)

import numpy as np  # noqa: E402 - behind the check
import tifffile  # noqa: E402
from scipy import ndimage  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
STEPS = "gaussian sigma=2 | threshold method=manual lower=100 as=mask | label as=\"it's\" | regionprops properties=label,num_pixels"
SETTINGS = {"steps": STEPS, "outputs": {"it's": "tif", "mask": "png"}, "table": True, "options": ["--device", "cpu"]}


def groovy(value):
    """A literal of Groovy."""
    if isinstance(value, dict):
        return "[" + ", ".join(f"{groovy(key)}: {groovy(item)}" for key, item in value.items()) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(map(groovy, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.images = {}
        (self.folder / "images").mkdir()
        for n, name in enumerate(("a", "b 2", "it's $HOME [1]")):
            noise = np.random.default_rng(n).random((60, 80))
            self.images[name] = pixels = (ndimage.gaussian_filter(noise, 4) > 0.5).astype(np.uint8) * 200
            tifffile.imwrite(self.folder / f"images/{name}.tif", pixels)

    def work(self, process, *names, **changes):
        """A folder in which a process has run with links to these images, as Nextflow puts them there."""
        work = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (work / "input").mkdir()
        for name in names:
            (work / f"input/{name}.tif").symlink_to(self.folder / f"images/{name}.tif")
        script = subprocess.run(["groovy", HERE / "processes.groovy", HERE.parent / "main.nf", process, "2", groovy({**SETTINGS, **changes})], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
        done = subprocess.run(["bash", "-ue", "-c", script], cwd=work, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, script + done.stdout)
        return work

    def expected(self, name):
        smooth = ndimage.gaussian_filter(self.images[name].astype(float), 2, mode="nearest")
        return ndimage.label(smooth >= 100, np.ones((3, 3)))[0]

    def rows(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def is_right(self, work, name):
        labels = self.expected(name)
        np.testing.assert_array_equal(tifffile.imread(work / f"out/{name}_it's.tif"), labels)
        self.assertTrue((work / f"out/{name}_mask.png").is_file())
        return [str(n) for n in np.bincount(labels.ravel())[1:]]

    def test_run(self):
        """Each image has its files and its table, and its name can have any characters."""
        for name in self.images:
            work = self.work("FOVEA_RUN", name)
            sizes = self.is_right(work, name)
            self.assertEqual([row["num_pixels"] for row in self.rows(work / f"tables/{name}.csv")], sizes)
            self.assertEqual(len(list((work / "out").iterdir())), 2)

    def test_batch(self):
        """Many images have one table."""
        work = self.work("FOVEA_BATCH", *self.images)
        rows = [(row["file"], row["num_pixels"]) for row in self.rows(work / "out/table.csv")]
        self.assertEqual(sorted(rows), sorted((f"{name}.tif", size) for name in self.images for size in self.is_right(work, name)))
        self.assertEqual(len(list((work / "out").glob("*_*"))), 2 * len(self.images))

    def test_without(self):
        """Without a table, outputs and options."""
        work = self.work("FOVEA_RUN", "a", steps="gaussian as=smooth", table=False, outputs={"smooth": "tif"}, options=[])
        self.assertEqual([path.name for path in work.rglob("*.*") if "input" not in path.parts], ["a_smooth.tif"])


if __name__ == "__main__":
    unittest.main()
