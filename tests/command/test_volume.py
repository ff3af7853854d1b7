# SPDX-License-Identifier: MIT
"""Whether slices are one volume is set once, or taken from the image and reported by the command: two cubes, of 200 and 800 voxels."""
import csv
import json
import os

import numpy as np
import tifffile

from command import fails, fovea, main, same

STEPS = "otsu | label | regionprops properties=label,num_pixels"


def make(name, **metadata):
    stack = np.zeros((20, 40, 40), np.uint8)
    stack[2:7, 2:12, 2:6] = 200
    stack[5:13, 20:30, 20:30] = 220
    tifffile.imwrite(name, stack, imagej=True, resolution=(2, 2), metadata={"axes": "ZYX", **metadata})
    return name


def sizes(*arguments, note=""):
    done = fovea("run", *arguments, "-t", "t.csv")
    same(done.returncode, 0, done.stderr)
    assert (note in done.stderr.decode()) if note else not done.stderr, done.stderr
    with open("t.csv", newline="") as file:
        return sorted(int(row["num_pixels"]) for row in csv.DictReader(file))


def test_calibrated_stack_is_a_volume():
    name = make("a.tif", spacing=2, unit="mm")
    same(sizes(STEPS, name, note="fovea: otsu, label, regionprops: the slices form one volume; --planes"), [200, 800])
    same(sizes("gaussian | " + STEPS, name, note="fovea: otsu, label"), sizes("volume=objects | gaussian | " + STEPS, name))
    same(len(sizes("--planes", STEPS, name)), 13)
    same(len(sizes("volume=no | " + STEPS, name)), 13)
    same(sizes("-q", STEPS, name), [200, 800])
    fovea("run", "-q", STEPS, name, "--report", "r.json")
    with open("r.json") as file:
        same([row["step"] for row in json.load(file)["steps"]][:2], ["otsu volume=yes", "label volume=yes"])


def test_pile_of_unknown_distance_is_planes():
    name = make("a.tif")
    same(len(sizes(STEPS, name, note="--volume processes them as one volume")), 13)
    same(sizes("--volume", STEPS, name), [200, 800])
    same(sizes("volume=yes | " + STEPS, name), [200, 800])


def test_neighbors_agree():
    name = make("a.tif")
    fails(fovea("run", "-q", "otsu volume=yes | label | regionprops volume=yes", name), "label volume=yes")
    fails(fovea("run", "-q", "label volume=yes | regionprops volume=no", name), "volume=yes here")
    fails(fovea("run", "--volume", "otsu | label | regionprops properties=orientation,eccentricity", name), "eccentricity, orientation", "area", "volume=no")


def test_area_of_a_volume():
    """Its column is one of volumes, which filter_objects knows by the name of before, too."""
    name = make("a.tif", spacing=2, unit="mm")
    steps = "otsu | label | regionprops properties=label,area | filter_objects min=200 | regionprops properties=label,area"
    same(fovea("run", "-q", "--volume", steps, name, "-t", "t.csv").returncode, 0)
    with open("t.csv", encoding="utf-8") as file:
        same(file.read().splitlines(), ["label,volume (mm³)", "2,400"])


def test_properties_of_volumes():
    """Surface and sphericity of a box, by hand but for the cut edges and corners; where all is asked for, what is defined."""
    name = make("a.tif", spacing=2, unit="mm")
    steps = "otsu | label | regionprops properties=label,%s"
    same(fovea("run", "-q", "--volume", steps % "surface_area,sphericity", name, "-t", "t.csv").returncode, 0)
    with open("t.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    # voxels of 2 x 0.5 x 0.5: faces of n - 1 voxels a side, strips along edges, and eight corners, all half a voxel from the centers
    strip, sides = {0: np.hypot(.25, .25), 1: np.hypot(1, .25), 2: np.hypot(1, .25)}, np.array([2, .5, .5])
    corner = .5 * np.sqrt((1 * .25) ** 2 + (1 * .25) ** 2 + (.25 * .25) ** 2)
    for row, shape in zip(rows, ((5, 10, 4), (8, 10, 10))):
        inner = (np.array(shape) - 1) * sides
        area = 2 * (inner[0] * inner[1] + inner[1] * inner[2] + inner[0] * inner[2]) + 4 * sum(inner[a] * strip[a] for a in range(3)) + 8 * corner
        np.testing.assert_allclose(float(row["surface_area (mm²)"]), area, rtol=1e-12)
        np.testing.assert_allclose(float(row["sphericity"]), np.pi ** (1 / 3) * (6 * np.prod(shape) / 2) ** (2 / 3) / area, rtol=1e-12)
    for asked, columns, note in (("circularity,solidity", ["label", "solidity", "sphericity"], "undefined in 3-D: circularity; measured instead: sphericity."),
                                 ("perimeter,orientation", ["label", "surface_area (mm²)"], "undefined in 3-D: orientation, perimeter; measured instead: surface_area."),
                                 ("orientation", ["label"], "omitted because undefined in 3-D: orientation."), ("sphericity", ["label", "sphericity"], "")):
        done = fovea("run", "--volume", steps % asked, name, "-t", "-")
        same((done.returncode, done.stdout.decode().splitlines()[0], done.stdout.count(b"\r\n")), (0, ",".join(columns), 3), asked)
        same(done.stderr.decode(), note and f"fovea: Step 3, regionprops: {note}\n", asked)
    same(fovea("batch", "--volume", steps % "circularity", name, "--out", "out", "-t", "t.csv").returncode, 0)
    with open("out/manifest.jsonl", encoding="utf-8") as file:
        assert "measured instead: sphericity" in file.read()
    fails(fovea("run", "--planes", steps % "surface_area", name), "surface_area", "volume=yes", "perimeter")
    for option, has, lacks in ("--volume", "sphericity", "circularity"), ("--planes", "circularity", "sphericity"):
        same(fovea("run", "-q", option, steps % "all intensity=source", name, "-t", "t.csv").returncode, 0)
        with open("t.csv", encoding="utf-8", newline="") as file:
            columns = next(csv.reader(file))
        same((has in columns, lacks in columns), (True, False), option)


def test_spacing_is_of_all_axes():
    done = fovea("run", "zoom by=spacing spacing=0.5", make("a.tif", spacing=2, unit="mm"), "-o", "b.tif")
    same(done.returncode, 0, done.stderr)
    assert b"0.5 \xc3\x97 0.5 \xc3\x97 0.5 mm" in fovea("info", "b.tif").stdout
    same(tifffile.imread("b.tif").shape, (80, 40, 40))


def test_batch():
    make("a.tif")
    for options, rows in (((), 13), (("--volume",), 2), (("--planes",), 13)):
        folder = "out" + "".join(options)
        same(fovea("batch", "-q", STEPS, "a.tif", "--out", folder, "-t", "t.csv", *options).returncode, 0)
        with open(folder + "/t.csv", newline="") as file:
            same(len(list(csv.DictReader(file))), rows, options)


def test_batch_of_volumes():
    """Each image as fovea run reads it; the note is printed once for all such images."""
    for name, metadata in ("in/a.tif", {"spacing": 2, "unit": "mm"}), ("in/b.tif", {}), ("in/c.tif", {"spacing": 2, "unit": "mm"}), ("in/d.tif", {}):
        os.makedirs("in", exist_ok=True)
        make(name, **metadata)
    for options, rows, said in (((), [2, 13, 2, 13], {"one volume; volume=no |": 1, "each slice separately, since": 1}), (("--volume",), [2] * 4, {}),
                                (("--planes",), [13] * 4, {}), (("-q",), [2, 13, 2, 13], {})):
        folder = "out" + "".join(options)
        done = fovea("batch", STEPS, "in", "--out", folder, "-t", "t.csv", *options, "-j", "1")
        same(done.returncode, 0, done.stderr)
        with open(folder + "/t.csv", newline="") as file:
            files = [row["file"] for row in csv.DictReader(file)]
        same([files.count(name) for name in ("a.tif", "b.tif", "c.tif", "d.tif")], rows, options)
        text = done.stderr.decode()
        same(({words: text.count(words) for words in said}, text.count("fovea: ")), (said, len(said)), text)


def test_macro_of_volumes():
    """The first step that finds objects, as in the window; steps that are given in full are as they are."""
    make("a.tif", spacing=2, unit="mm")
    for text, rows, said in (('run("otsu"); run("label"); run("regionprops", "properties=label,num_pixels")', 2, 1), (f'run("Set Steps...", "steps=[{STEPS}]")', 13, 0),
                             ('run("otsu", "volume=no"); run("label", "volume=no"); run("regionprops", "volume=no")', 13, 0),
                             ('run("Set Steps...", "steps=[volume=yes | gaussian]"); run("otsu"); run("label"); run("regionprops")', 2, 0)):
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(f'open("a.tif"); {text}; saveAs("Results", "t.csv")')
        done = fovea("macro", "m.lua", "--overwrite")
        same(done.returncode, 0, done.stderr)
        with open("t.csv", newline="") as file:
            same(len(list(csv.DictReader(file))), rows, text)
        same((done.stderr.decode().count("the slices form one volume; volume=no processes each slice separately."), bool(done.stderr)), (said, bool(said)), text)
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write(f'r = recipe("{STEPS}"); for n = 1, 2 do print(#r:run(Image.open("a.tif")):table()) end')
    done = fovea("macro", "m.lua")
    same((done.stdout, done.stderr.decode()), (b"2\n2\n", "fovea: otsu, label, regionprops: the slices form one volume; volume=no processes each slice separately.\n"))


def test_colors_are_no_columns():
    """How tifffile reads (rows, columns, 3) without metadata about colors."""
    array = np.zeros((30, 40, 3), np.float32)
    tifffile.imwrite("a.tif", array, photometric="minisblack")
    fails(fovea("info", "a.tif"), "3 pixels wide", "photometric='rgb'")
    tifffile.imwrite("b.tif", array, photometric="minisblack", metadata={"axes": "ZYX"})
    assert "30 slices" in fovea("info", "b.tif").stdout.decode()
    tifffile.imwrite("c.tif", array, photometric="rgb")
    assert "3 channels" in fovea("info", "c.tif").stdout.decode()
    tifffile.imwrite("d.tif", np.zeros((2, 40, 3), np.float32), photometric="minisblack")
    assert "2 slices" in fovea("info", "d.tif").stdout.decode()


def test_wrong_use():
    for command in (("run",), ("batch", "--out", "x"), ("compare",)):
        fails(fovea(*command, "--volume", "--planes", STEPS, make("a.tif")), "not both", status=2)


main([test_calibrated_stack_is_a_volume, test_pile_of_unknown_distance_is_planes, test_neighbors_agree, test_area_of_a_volume, test_properties_of_volumes, test_spacing_is_of_all_axes, test_batch,
      test_batch_of_volumes, test_macro_of_volumes,
      test_colors_are_no_columns, test_wrong_use])
