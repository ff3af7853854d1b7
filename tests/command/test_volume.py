# SPDX-License-Identifier: MIT
"""Whether slices are one volume is said once, or taken from the image and said by the command: two cubes, of 200 and 800 voxels."""
import csv
import json

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
    same(sizes(STEPS, name, note="fovea: otsu, label, regionprops: the slices are one volume; --planes"), [200, 800])
    same(sizes("gaussian | " + STEPS, name, note="fovea: otsu, label"), sizes("volume=objects | gaussian | " + STEPS, name))
    same(len(sizes("--planes", STEPS, name)), 13)
    same(len(sizes("volume=no | " + STEPS, name)), 13)
    same(sizes("-q", STEPS, name), [200, 800])
    fovea("run", "-q", STEPS, name, "--report", "r.json")
    with open("r.json") as file:
        same([row["step"] for row in json.load(file)["steps"]][:2], ["otsu volume=yes", "label volume=yes"])


def test_pile_of_unknown_distance_is_planes():
    name = make("a.tif")
    same(len(sizes(STEPS, name, note="--volume takes them as one volume")), 13)
    same(sizes("--volume", STEPS, name), [200, 800])
    same(sizes("volume=yes | " + STEPS, name), [200, 800])


def test_neighbors_agree():
    name = make("a.tif")
    fails(fovea("run", "-q", "otsu volume=yes | label | regionprops volume=yes", name), "label volume=yes")
    fails(fovea("run", "-q", "label volume=yes | regionprops volume=no", name), "volume=yes here")
    fails(fovea("run", "--volume", "otsu | label | regionprops properties=area,circularity", name), "circularity", "area", "volume=no")


def test_area_of_a_volume():
    """Its column is one of volumes, which filter_objects knows by the name of before, too."""
    name = make("a.tif", spacing=2, unit="mm")
    steps = "otsu | label | regionprops properties=label,area | filter_objects min=200 | regionprops properties=label,area"
    same(fovea("run", "-q", "--volume", steps, name, "-t", "t.csv").returncode, 0)
    with open("t.csv", encoding="utf-8") as file:
        same(file.read().splitlines(), ["label,volume (mm³)", "2,400"])


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


def test_colors_are_no_columns():
    """What tifffile makes of (rows, columns, 3) when nobody says that these are colors."""
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


main([test_calibrated_stack_is_a_volume, test_pile_of_unknown_distance_is_planes, test_neighbors_agree, test_area_of_a_volume, test_spacing_is_of_all_axes, test_batch,
      test_colors_are_no_columns, test_wrong_use])
