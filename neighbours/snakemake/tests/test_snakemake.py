#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules in the real Snakemake, against SciPy.

    python3 neighbours/snakemake/tests/test_snakemake.py     with snakemake, fovea, scipy and tifffile
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import tifffile
from scipy import ndimage

RULES = pathlib.Path(__file__).parents[1] / "fovea.smk"
USER = f"""
configfile: "config.yaml"

module fovea:
    snakefile: "{RULES}"
    config: config

use rule * from fovea
"""
CONFIG = """
images: ["data/*.tif", "data/more/*.tif"]
steps: gaussian sigma=2 | threshold method=manual lower=100 as=mask | label as=cells | regionprops properties=label,num_pixels
outputs: {cells: tif, mask: png}
options: ["--device", "cpu"]
threads: 2
"""


class Workflow(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "data/more").mkdir(parents=True)
        self.images = {}
        for n, name in enumerate(("a", "b 2", "more/it's")):
            noise = np.random.default_rng(n).random((60, 80))
            self.images[pathlib.Path(name).name] = pixels = (ndimage.gaussian_filter(noise, 4) > 0.5).astype(np.uint8) * 200
            tifffile.imwrite(self.folder / f"data/{name}.tif", pixels)
        (self.folder / "Snakefile").write_text(USER, encoding="utf-8")
        self.configure(CONFIG)

    def configure(self, text):
        (self.folder / "config.yaml").write_text(text, encoding="utf-8")

    def run_rules(self, *options):
        return subprocess.run([sys.executable, "-m", "snakemake", "--cores", "2", *options], cwd=self.folder, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    def expected(self):
        """For each image its labels, as SciPy finds them."""
        smooth = {name: ndimage.gaussian_filter(pixels.astype(float), 2, mode="nearest") for name, pixels in self.images.items()}
        return {name: ndimage.label(blurred >= 100, np.ones((3, 3)))[0] for name, blurred in smooth.items()}

    def test_all(self):
        """Each image has its files, the table has the rows of all, and nothing is done twice."""
        done = self.run_rules()
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = []
        for name, labels in self.expected().items():
            np.testing.assert_array_equal(tifffile.imread(self.folder / f"results/cells/{name}.tif"), labels)
            self.assertTrue((self.folder / f"results/mask/{name}.png").is_file())
            rows += [[name, str(n), str(size)] for n, size in enumerate(np.bincount(labels.ravel())[1:], 1)]
        with open(self.folder / "results/table.csv", newline="", encoding="utf-8") as file:
            self.assertEqual(list(csv.reader(file)), [["image", "label", "num_pixels"]] + rows)
        self.assertIn("Nothing to be done", self.run_rules().stdout)
        self.images["a"] = self.images["a"].T.copy()
        tifffile.imwrite(self.folder / "data/a.tif", self.images["a"])
        again = self.run_rules()
        self.assertEqual(again.returncode, 0, again.stdout)
        self.assertEqual(again.stdout.count("rule fovea_run:"), 1, again.stdout)
        np.testing.assert_array_equal(tifffile.imread(self.folder / "results/cells/a.tif"), self.expected()["a"])

    def test_changed_steps(self):
        """Other steps compute all images again."""
        self.assertEqual(self.run_rules().returncode, 0)
        self.configure(CONFIG.replace("lower=100", "lower=50"))
        self.assertEqual(self.run_rules("--dry-run").stdout.count("rule fovea_run:"), 3)

    def test_damaged(self):
        """A damaged image fails alone, and its log says why."""
        (self.folder / "data/a.tif").write_bytes(b"II*\0 no image")
        done = self.run_rules("--keep-going")
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue((self.folder / "results/tables/b 2.csv").is_file() and not (self.folder / "results/table.csv").exists())
        self.assertIn("a.tif", (self.folder / "results/logs/a.log").read_text(encoding="utf-8"))

    def test_wrong(self):
        """No images, or two of one name, are errors that say so."""
        self.configure(CONFIG.replace("data/", "nothing/"))
        self.assertIn("No file matches", self.run_rules().stdout)
        tifffile.imwrite(self.folder / "data/more/a.tif", self.images["a"])
        self.configure(CONFIG)
        self.assertIn("have the same name", self.run_rules().stdout)

    def test_images_only(self):
        """Without a table the steps need not make one."""
        self.configure("images: data/a.tif\nsteps: gaussian sigma=2 as=smooth\noutputs: {smooth: tif}\ntable: false\n")
        done = self.run_rules()
        self.assertEqual(done.returncode, 0, done.stdout)
        smooth = tifffile.imread(self.folder / "results/smooth/a.tif")
        np.testing.assert_allclose(smooth, ndimage.gaussian_filter(self.images["a"].astype(np.float32), 2, mode="nearest"), atol=1e-4)


if __name__ == "__main__":
    unittest.main()
