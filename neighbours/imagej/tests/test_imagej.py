#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plugin in the real ImageJ, against Fovea's Python package.

    python3 neighbours/imagej/tests/test_imagej.py     with imagej, libjna-java, a JDK, xvfb, fovea and tifffile

FOVEA_BUILD: a folder in which Fovea was built, if it is not installed.
"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
IMAGEJ, JNA = (pathlib.Path(os.environ.get(name, f"/usr/share/java/{jar}")) for name, jar in (("IJ_JAR", "ij.jar"), ("JNA_JAR", "jna.jar")))
BUILD = os.environ.get("FOVEA_BUILD")
MISSING = [name for name in ("javac", "java", "xvfb-run") if not shutil.which(name)] + [jar.name for jar in (IMAGEJ, JNA) if not jar.exists()]
if MISSING:
    print(f"The plugin for ImageJ is not tested: {', '.join(MISSING)} missing (packages imagej, libjna-java, default-jdk-headless, xvfb).")
    sys.exit(77)
if BUILD:
    sys.path.insert(0, os.path.join(BUILD, "python"))

import numpy as np  # noqa: E402 - behind the check
import tifffile  # noqa: E402

import fovea  # noqa: E402

RNG = np.random.default_rng(5)


class ImageJ(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """ImageJ's folder with the plugin, as a user has it."""
        cls.home = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.home)
        (cls.home / "plugins/jars").mkdir(parents=True)
        shutil.copy(JNA, cls.home / "plugins/jars")
        library = {"FOVEA_LIBRARY": os.path.join(BUILD, "library")} if BUILD else {}
        subprocess.run([HERE.parent / "build.sh", cls.home / "plugins"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **library})
        cls.java = ["xvfb-run", "-a", "java", f"-Duser.home={cls.home}", f"-Dplugins.dir={cls.home}", "-Dfile.encoding=UTF-8"]
        cls.java += [f"-Djna.library.path={path}" for path in library.values()] + ["-cp", str(IMAGEJ), str(HERE / "Check.java")]

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def check(self, *arguments):
        done = subprocess.run([*self.java, *arguments], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def macro(self, text):
        """Runs a macro, and returns what appeared in dialogs."""
        path = self.folder / "macro.ijm"
        path.write_text(text.replace("FOLDER", str(self.folder)), encoding="utf-8")
        return self.check("macro", str(path))

    def write(self, name, pixels, **metadata):
        tifffile.imwrite(self.folder / name, pixels, imagej=True, resolution=(2, 2), metadata={"unit": "um", **metadata})
        return fovea.open(self.folder / name)

    def same(self, name, expected):
        """What ImageJ saved has these pixels, and the same calibration."""
        got = fovea.open(self.folder / name)
        pixels = np.asarray(expected)
        pixels = pixels * 255 if expected.role == "mask" else pixels
        np.testing.assert_array_equal(np.squeeze(got), np.squeeze(pixels), err_msg=name)
        self.assertEqual((got.spacing, got.unit), (expected.spacing, expected.unit), name)

    def test_menu(self):
        """ImageJ has a command of its own for each operation in a menu."""
        self.macro("""List.setCommands; text = "";
                      List.toArrays(keys, values); for (i = 0; i < keys.length; i++) text += keys[i] + "\\t" + values[i] + "\\n";
                      File.saveString(text, "FOLDER/commands");""")
        lines = (self.folder / "commands").read_text(encoding="utf-8").splitlines()
        commands = dict(line.split("\t") for line in lines)
        expected = {f"Fovea: {about['label']}": f'fovea.Command("{key}")' for key in fovea.operations() if (about := fovea.describe(key))["menu"]}
        self.assertGreater(len(expected), 90)
        self.assertEqual({name: call for name, call in commands.items() if call.startswith("fovea.Command")}, expected)

    def test_pixels(self):
        """Every type, stacks and hyperstacks: the pixels and calibration of Fovea."""
        images = {"u8": self.write("u8.tif", RNG.integers(0, 255, (41, 60), np.uint8)),
                  "u16": self.write("u16.tif", RNG.integers(0, 65535, (3, 41, 60), np.uint16), axes="ZYX", spacing=1.5),
                  "f32": self.write("f32.tif", RNG.random((41, 60), np.float32)),
                  "hyper": self.write("hyper.tif", RNG.integers(0, 65535, (2, 3, 2, 21, 30), np.uint16), axes="TZCYX", spacing=1.5, finterval=2),
                  "rgb": self.write("rgb.tif", RNG.integers(0, 255, (41, 60, 3), np.uint8), axes="YXS")}
        steps = {"gaussian": ("Gaussian Blur...", {"sigma": 2}), "median": ("Median...", {"radius": 2, "border": "reflect"}), "otsu": ("Otsu Threshold", {})}
        lines = []
        for name in images:
            for key, (label, values) in steps.items():
                arguments = " ".join(f"{k}={v}" for k, v in values.items())
                lines.append(f'open("FOLDER/{name}.tif"); run("Fovea: {label}", "{arguments}"); saveAs("Tiff", "FOLDER/{name}_{key}.tif"); close("*");')
        self.assertEqual(self.macro("\n".join(lines)), "")
        for name, image in images.items():
            for key, (_, values) in steps.items():
                with self.subTest(name=name, key=key):
                    self.same(f"{name}_{key}.tif", getattr(fovea, key)(image, **values))

    def test_objects(self):
        """Objects are in the ROI Manager and in the Results table; ROIs become the same labels."""
        smooth = np.asarray(fovea.gaussian(RNG.random((80, 100), np.float32), 3))
        image = self.write("cells.tif", smooth)
        said = self.macro("""run("Set Measurements...", "area decimal=9");
            open("FOLDER/cells.tif"); run("Fovea: Steps...", "steps=[otsu | label as=cells]"); rename("cells"); saveAs("Tiff", "FOLDER/labels.tif");
            run("Fovea: Labels to ROI Manager");
            text = ""; for (i = 0; i < roiManager("count"); i++) { roiManager("select", i); getRawStatistics(n); text += Roi.getName + " " + n + "\\n"; }
            File.saveString(text, "FOLDER/rois"); run("Select None");
            run("Fovea: Measure Objects...", "intensity=cells.tif properties=label,area,centroid,intensity_mean"); saveAs("Results", "FOLDER/table.csv");
            selectWindow("cells.tif"); run("Fovea: ROI Manager to Labels"); saveAs("Tiff", "FOLDER/back.tif");""")
        self.assertEqual(said, "")
        labels = fovea.label(fovea.otsu(image))
        self.same("labels.tif", labels)
        self.same("back.tif", labels)
        rois = [line.split() for line in (self.folder / "rois").read_text(encoding="utf-8").splitlines()]
        self.assertEqual([(int(name[:4]), int(n)) for name, n in rois], list(enumerate(np.bincount(np.asarray(labels).ravel())[1:], 1)))
        expected = fovea.regionprops(labels, image, "label,area,centroid,intensity_mean")
        with open(self.folder / "table.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for name in expected:
            heading = name + (f" ({expected.units[name]})" if expected.units[name] else "")
            np.testing.assert_allclose([float(row[heading]) for row in rows], expected[name], atol=1e-8, err_msg=name)

    def test_inputs(self):
        """Other images, the selection of the image and the ROI Manager are inputs."""
        a = self.write("a.tif", RNG.integers(0, 255, (50, 60), np.uint8))
        b = self.write("b.tif", RNG.integers(0, 255, (50, 60), np.uint8))
        self.assertEqual(self.macro("""open("FOLDER/b.tif"); open("FOLDER/a.tif");
            run("Fovea: Image Calculator...", "function=difference b=b.tif"); saveAs("Tiff", "FOLDER/difference.tif");
            selectWindow("a.tif"); makeOval(10, 5, 30, 20);
            run("Fovea: Keep Inside...", "inside=selection"); saveAs("Tiff", "FOLDER/kept.tif");
            selectWindow("a.tif"); roiManager("add"); makeRectangle(45, 30, 10, 10); roiManager("add"); run("Select None");
            run("Fovea: Keep Inside...", "inside=[ROI Manager]"); saveAs("Tiff", "FOLDER/both.tif");
            selectWindow("a.tif"); run("Fovea: Measure Objects...", "from=[ROI Manager] properties=label,num_pixels"); saveAs("Results", "FOLDER/t.csv");"""), "")
        self.same("difference.tif", fovea.calculate(a, b, function="difference"))
        self.same("kept.tif", fovea.keep(a, "oval(10,5,30,20)"))
        inside = np.asarray(fovea.keep(np.ones((50, 60), np.uint8), "oval(10,5,30,20)")) > 0
        inside[30:40, 45:55] = True
        self.same("both.tif", fovea.Image(np.where(inside, a, 0), spacing=a.spacing, unit=a.unit))
        with open(self.folder / "t.csv", newline="", encoding="utf-8") as file:
            self.assertEqual([float(row["num_pixels"]) for row in csv.DictReader(file)], [inside.sum() - 100, 100])

    def test_dialog(self):
        """A dialog has a preview, and is recorded with the keys of Fovea."""
        said = self.check("dialog", "Fovea: Gaussian Blur...", "truncate", "3.5")
        self.assertIn("preview: 32", said)
        self.assertIn('recorded: run("Fovea: Gaussian Blur...", "truncate=3.5");', said)

    def test_errors(self):
        """Errors are the sentences of Fovea, and end the macro."""
        self.write("a.tif", RNG.integers(0, 255, (50, 60), np.uint8))
        for line, *words in (('run("Fovea: Gaussian Blur...", "sigam=2");', "'sigam'", "did you mean 'sigma'"),
                             ('run("Fovea: Gaussian Blur...", "sigma=-1");', "sigma must be"),
                             ('run("Fovea: Keep Inside...", "inside=none.tif");', "No image is called 'none.tif'"),
                             ('run("Fovea: Keep Inside...", "inside=selection");', "has no selection"),
                             ('run("Fovea: Keep Inside...", "inside=[ROI Manager]");', "The ROI Manager is empty"),
                             ('run("Fovea: Median...", "border=[reflect");', "is not closed"),
                             ('run("Fovea: Steps...", "steps=[gausian]");', "gausian"),
                             ('close(); run("Fovea: Gaussian Blur...", "sigma=1");', "Open an image first")):
            said = self.macro(f'open("FOLDER/a.tif"); {line} File.saveString("", "FOLDER/later");')
            self.assertTrue(all(word in said for word in words), (line, said))
            self.assertFalse((self.folder / "later").exists(), line)


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # such as that slices are one volume, which ImageJ's log says, too
