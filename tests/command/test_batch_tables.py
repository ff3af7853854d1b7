# SPDX-License-Identifier: MIT
"""fovea run and batch: what tables are written as, by the ending of their file, and the table about the images of a batch."""
import csv
import io
import json
import os

import numpy as np
import tifffile
from scipy import ndimage

from batches import STEPS, batch, cells, expected, good, manifest, table, write
from command import fails, fovea, main, same

INVISIBLE = np.zeros((48, 48), np.uint8)


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def objects(seed):
    return [{"label": int(label), "area": int(area)} for label, area in expected(cells(seed))]


def test_endings():
    """The same rows in each format, with numbers that are numbers."""
    write("a.tif", 1)
    for name in "t.csv", "t.TSV", "t.jsonl":
        good(fovea("run", "-q", STEPS, "a.tif", "-t", name))
    rows = [["label", "area"]] + [list(row) for row in expected(cells(1))]
    same(table("t.csv"), rows, "CSV")
    same(table("t.TSV", "\t"), rows, "TSV")
    same(lines("t.jsonl"), objects(1), "JSON lines")
    good(fovea("run", "-q", STEPS + " as=t", "a.tif", "-o", "t=named.jsonl"))
    same(lines("named.jsonl"), objects(1), "a named table")
    write('in/b "\\\n.tif', 2)
    write("in/c.tif", 3)
    for name in "t.csv", "t.tsv", "t.jsonl":
        good(batch(STEPS + " as=t", "in", "-t", name, "-o", "t={name}.jsonl", out="out-" + name))
    same(lines("out-t.jsonl/t.jsonl"), [{"file": file, **row} for seed, file in ((2, 'b "\\\n.tif'), (3, "c.tif")) for row in objects(seed)], "JSON lines")
    same(lines("out-t.csv/c.jsonl"), objects(3), "a named table")
    same(table("out-t.tsv/t.tsv", "\t"), table("out-t.csv/t.csv"), "TSV")


def test_standard_output():
    """Nothing else is there, so that another program can read it."""
    write("a.tif", 1)
    done = fovea("run", STEPS, "a.tif", "-t", "-")
    same((done.returncode, list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))),
         (0, [["label", "area"]] + [list(row) for row in expected(cells(1))]), "table")
    assert not os.path.exists("-")
    fails(batch(STEPS, "a.tif", "-t", "-"), "is written when all images are done", status=2)


def test_refused():
    """Before anything is done."""
    write("a.tif", 1)
    for name in "t.xlsx", "t", "t.csv.gz", "t.json", "t.tif":
        fails(fovea("run", STEPS, "a.tif", "-o", "o.tif", "-t", name), name, ".csv, .tsv, .jsonl, .fits", status=2)
        fails(batch(STEPS, "a.tif", "-t", name), name, ".csv, .tsv, .jsonl, .fits", status=2)
        fails(batch(STEPS, "a.tif", "--images", name), name, ".csv, .tsv, .jsonl, .fits", status=2)
    fails(fovea("run", STEPS, "a.tif", "-t", "t.tsv", "--semicolon"), "semicolons", status=2)
    fails(batch(STEPS, "a.tif", "-t", "t.csv", "--images", "t.csv"), "the same file", status=2)
    same(os.listdir("."), ["a.tif"], "files")


def test_images():
    """An image without objects and one that fails have their rows, and the table of objects no column of theirs alone."""
    write("in/a.tif", 1)
    write("in/d.tif", 4)
    tifffile.imwrite("in/b.tif", INVISIBLE, resolution=(2, 2), metadata={"unit": "um"}, imagej=True)
    with open("in/c.tif", "w", encoding="utf-8") as file:
        file.write("no image")
    arguments = (STEPS, "in", "-t", "t.csv", "--images", "images.csv")
    same(batch(*arguments).returncode, 1, "status")
    same(table("out/t.csv")[0], ["file", "label", "area"], "columns")
    with open("out/images.csv", encoding="utf-8", newline="") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    same(list(rows), ["a.tif", "b.tif", "c.tif", "d.tif"], "images")
    for name, seed in ("a.tif", 1), ("d.tif", 4):
        areas = [int(area) for _, area in expected(cells(seed))]
        same((rows[name]["rows"], rows[name]["objects"], rows[name]["threshold"]), (str(len(areas)), str(len(areas)), "100"), name)
        same((int(rows[name]["sum of area"]), float(rows[name]["mean of area"])), (sum(areas), float(np.mean(areas))), name)
        assert float(rows[name]["seconds"]) > 0 and rows[name]["device"] == "cpu" and not rows[name]["error"], rows[name]
    same((rows["b.tif"]["rows"], rows["b.tif"]["objects"], rows["b.tif"]["sum of area (µm²)"], rows["b.tif"]["error"]), ("0", "0", "0", ""), "without objects")
    same((rows["c.tif"]["rows"], "is not an image" in rows["c.tif"]["error"]), ("", True), "that failed")
    # In parts, and when nothing is left to do.
    for shard in "1/2", "2/2":
        batch(STEPS, "in", "--shard", shard, out="parts")
    fovea("batch", "--merge", "parts", "--images", "images.jsonl")
    same([(line["file"], line["rows"], line["sum of area"]) for line in lines("parts/images.jsonl")],
         [(name, int(row["rows"]) if row["rows"] else None, int(row["sum of area"]) if row["sum of area"] else None) for name, row in rows.items()], "merged")
    os.remove("in/c.tif")
    before = len(manifest())
    good(batch(*arguments, "--resume"))
    same((len(table("out/images.csv")), len(manifest())), (4, before + 1), "lines when it resumes")


def test_no_objects_at_all():
    os.makedirs("in")
    tifffile.imwrite("in/a.tif", INVISIBLE)
    good(batch(STEPS, "in", "-t", "t.csv", "--images", "images.csv"))
    same(table("out/t.csv"), [["file", "label", "area"]], "table")
    same([row[:2] for row in table("out/images.csv")], [["file", "rows"], ["a.tif", "0"]], "images")


def test_names():
    """Parts of names are the first columns of both tables, in shards, too, and a name that is not so is an error before anything is done."""
    for well in "A01", "B10":
        for field in "1", "2":
            write(f"in/day 1/p7_{well}_s{field}_c1.tif", int(field))
    for pattern, names, values in (
        ("{plate}_{well}_s{field}_c{channel}.tif", ["plate", "well", "field", "channel"], ["p7", "A01", "1", "1"]),
        ("{day}/p7_{well}_s{rest}.tif", ["day", "well", "rest"], ["day 1", "A01", "1_c1"]),
        (r"_(?P<row>[A-H])(?P<column>\d\d)_", ["row", "column"], ["A", "01"]),
    ):
        good(batch(STEPS, "in", "--name-pattern", pattern, "-t", "t.csv", "--images", "i.jsonl", out="out" + names[0]))
        rows = table(f"out{names[0]}/t.csv")
        same((rows[0], rows[1][:len(names) + 1]), ([*names, "file", "label", "area"], [*values, "p7_A01_s1_c1.tif"]), pattern)
        same([lines(f"out{names[0]}/i.jsonl")[0][name] for name in names], values, pattern)
        for shard in "1/2", "2/2":
            good(batch(STEPS, "in", "--name-pattern", pattern, "--shard", shard, out="parts" + names[0]))
        good(fovea("batch", "--merge", "parts" + names[0], "-t", "t.csv"))
        same(table(f"parts{names[0]}/t.csv"), rows, "merged")
    write("in/day 1/other.tif", 1)
    for pattern, words in {"{plate}_{well}.tif": ("other.tif", "{plate}_{well}.tif"), "p7.tif": ("no named parts",), "{a b}.tif": ("braces",),
                           "(?P<a>": ("missing",), "{file}.tif": ("column 'file'",)}.items():
        fails(batch(STEPS, "in", "--name-pattern", pattern, "-t", "t.csv", out="no"), *words, status=2)
        assert not os.path.exists("no")


def test_groups():
    """Sums add up, means are of all objects of a group, and images without objects and those that failed are counted."""
    for well, seeds in {"A1": (1, 2), "B2": (3, 4)}.items():
        for field, seed in enumerate(seeds):
            write(f"in/p_{well}_{field}.tif", seed)
    tifffile.imwrite("in/p_A1_2.tif", INVISIBLE)
    with open("in/p_B2_2.tif", "w", encoding="utf-8") as file:
        file.write("no image")
    options = ("--name-pattern", "{plate}_{well}_{field}.tif")
    same(batch(STEPS, "in", *options, "--images", "groups.jsonl", "--group", "plate,well").returncode, 1, "status")
    groups = lines("out/groups.jsonl")
    for group, well, seeds, failed in zip(groups, ("A1", "B2"), ((1, 2), (3, 4)), (0, 1)):
        areas = [int(area) for seed in seeds for _, area in expected(cells(seed))]
        same([group[key] for key in ("plate", "well", "images", "failed", "rows", "sum of area", "threshold")],
             ["p", well, 3, failed, len(areas), sum(areas), 100], well)
        np.testing.assert_allclose(group["mean of area"], np.mean(areas), rtol=1e-12)
    fovea("batch", "--merge", "out", "--images", "again.jsonl", "--group", "plate,well")
    same(lines("out/again.jsonl"), groups, "merged")
    fails(batch(STEPS, "in", *options, "--images", "i.csv", "--group", "day", out="no"), "'day'", status=2)
    fails(batch(STEPS, "in", *options, "--group", "well", out="no"), "--images", status=2)


def test_intensity():
    """An intensity image without properties is measured; what is asked for is measured alone, and so it is in records."""
    write("a.tif", 1)
    for steps, has in ("intensity=source", True), ("intensity=source properties=label,area", False), ("", False):
        good(fovea("run", "-q", f"threshold method=manual lower=100 | label | regionprops {steps}", "a.tif", "-t", "t.csv"))
        rows = table("t.csv")
        same("intensity_mean" in rows[0], has, steps)
        if has:
            labels = ndimage.label(cells(1) >= 100, np.ones((3, 3)))[0]
            means = ndimage.mean(cells(1).astype(float), labels, range(1, labels.max() + 1))
            np.testing.assert_allclose([float(row[rows[0].index("intensity_mean")]) for row in rows[1:]], means, rtol=1e-6)


def test_order():
    """Columns come in the order in which they were asked for, in every table of the steps, and the steps say so; the slice stays in front."""
    write("a.tif", 1)
    tifffile.imwrite("stack.tif", np.stack([cells(1), cells(2)]), imagej=True, metadata={"axes": "ZYX", "spacing": 2, "unit": "um"}, resolution=(1, 1))
    centroid = ["centroid-0", "centroid-1"]
    for properties, columns in (("area,label", ["area", "label"]), ("label,area", ["label", "area"]),
                                ("solidity,centroid,area,label", ["solidity", *centroid, "area", "label"]),
                                ("label,intensity_max,area,intensity_min", ["label", "intensity_max", "area", "intensity_min"]),
                                ("num_pixels,label,num_pixels", ["num_pixels", "label"])):
        steps = f"threshold method=manual lower=100 | label | regionprops properties={properties} intensity=source"
        good(fovea("run", "-q", steps, "a.tif", "-t", "t.csv", "--report", "r.json"))
        same(table("t.csv")[0], columns, properties)
        with open("r.json", encoding="utf-8") as file:
            same(f"properties={','.join(dict.fromkeys(properties.split(',')))}" in json.load(file)["steps"][2]["step"], True, "steps")
        good(fovea("run", "-q", steps, "a.tif", "-t", "t.jsonl"))
        same(list(lines("t.jsonl")[0]), columns, "keys")
    good(fovea("run", "-q", "--planes", "otsu | label | regionprops properties=area,label", "stack.tif", "-t", "t.csv"))
    same(table("t.csv")[0], ["z", "area (µm²)", "label"], "slices")
    good(fovea("run", "-q", "--volume", "otsu | label | regionprops properties=bbox,area,label", "stack.tif", "-t", "t.csv"))
    same(table("t.csv")[0], [*(f"bbox-{n} (px)" for n in range(6)), "volume (µm³)", "label"], "volume")
    good(fovea("run", "-q", "otsu | label | regionprops properties=solidity,all intensity=source", "a.tif", "-t", "t.csv"))
    same(table("t.csv")[0][:3], ["solidity", "label", "area"], "all")


def test_integers():
    """Counts are integers, also in the table of a batch; everything else is a float."""
    write("in/a.tif", 1)
    steps = "threshold method=manual lower=100 | label | regionprops properties=label,num_pixels,bbox,euler_number,centroid"
    good(batch(steps, "in", "-t", "t.jsonl"))
    good(fovea("run", "-q", steps, "in/a.tif", "-t", "t.jsonl"))
    for row in lines("t.jsonl") + lines("out/t.jsonl"):
        same({key: type(value) for key, value in row.items() if key not in ("file", "centroid-0", "centroid-1")},
             dict.fromkeys(["label", "num_pixels", "bbox-0", "bbox-1", "bbox-2", "bbox-3", "euler_number"], int), "types")


def test_one_object():
    """A mask that is measured as it is is one object, which standard error and the manifest say."""
    write("a.tif", 1)
    for steps, words in ("otsu | regionprops", b"the whole mask counts as one object"), ("otsu | label | regionprops", b""):
        done = fovea("run", steps, "a.tif", "-t", "-")
        same((done.returncode, words in done.stderr, bool(done.stderr)), (0, True, bool(words)), steps)
        same(fovea("run", "-q", steps, "a.tif").stderr, b"", "quiet")
    good(batch("otsu | regionprops", "a.tif", "-t", "t.csv"))
    assert "one object" in manifest()[0]["warning"], manifest()


main([test_endings, test_standard_output, test_refused, test_images, test_no_objects_at_all, test_names, test_groups, test_intensity, test_order, test_integers, test_one_object])
