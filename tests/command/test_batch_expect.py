# SPDX-License-Identifier: MIT
"""What a batch would do, its summary as JSON, and what was done before."""
import json
import os

import numpy as np
import tifffile

from batches import STEPS, batch, cells, contents, expected, good, table, write
from command import fails, fovea, main, same

ARGUMENTS = (STEPS, "in", "-o", "mask={name}_mask.png", "-o", "cells=sub/{name}.tif", "-t", "all.csv")


def inputs():
    for name, seed in (("a", 1), ("b", 2), ("c", 3)):
        write(f"in/{name}.tif", seed)


def plan(*arguments, status=0, **options):
    done = batch(*arguments, "--dry-run", "--json", **options)
    same(done.returncode, status, done.stderr)
    return json.loads(done.stdout)


def states(planned):
    return {image["file"]: image["state"] for image in planned["images"]}


def test_dry_run():
    """It foretells what a run then makes, and makes nothing itself."""
    inputs()
    planned = plan(*ARGUMENTS)
    lines = batch(*ARGUMENTS, "--dry-run").stdout.decode().splitlines()
    same(lines[0], "a.tif: a_mask.png, sub/a.tif", "the first line")
    assert "process 3 images" in lines[-1] and "save 6 files (0 replaced)" in lines[-1], lines[-1]
    same(sorted(os.listdir(".")), ["in"], "folders")
    good(batch("-q", *ARGUMENTS))
    made = {name for image in planned["images"] for name in image["outputs"]} | {os.path.basename(planned["table"])}
    same(set(contents("out")), made, "files")
    same((planned["process"], planned["done"], planned["wrong"]), (3, 0, 0), "counts")


def test_resume():
    inputs()
    good(batch("-q", *ARGUMENTS))
    before = contents("out")
    fails(batch(*ARGUMENTS, "--dry-run"), "already has a batch", "--resume", status=1)
    os.remove("out/sub/a.tif")
    write("in/b.tif", 4)
    write("in/d.tif", 5)
    same(states(plan(*ARGUMENTS, "--resume")), {"a.tif": "process", "b.tif": "process", "c.tif": "done", "d.tif": "process"}, "states")
    same([image["replaces"] for image in plan(*ARGUMENTS, "--resume")["images"] if image["file"] == "b.tif"], [["b_mask.png", "sub/b.tif"]],
         "files that are replaced")
    assert b"c.tif: done before\n" in batch(*ARGUMENTS, "--resume", "--dry-run").stdout
    same(set(before) - set(contents("out")), {"sub/a.tif"}, "files that went")
    done = batch(*ARGUMENTS, "--resume")
    assert done.stdout.startswith(b"4 of 4 images in 0:0") and b" (1 done before): out" in done.stdout, done.stdout
    same(states(plan(*ARGUMENTS, "--resume")), dict.fromkeys(("a.tif", "b.tif", "c.tif", "d.tif"), "done"), "states")
    other = (ARGUMENTS[0].replace("100", "101"), *ARGUMENTS[1:])
    same(set(states(plan(*other, "--resume")).values()), {"process"}, "states with other steps")


def test_wrong():
    """Files that are no images, images that do not fit the steps, and folders that cannot be."""
    inputs()
    with open("in/x.tif", "w", encoding="utf-8") as file:
        file.write("no image")
    tifffile.imwrite("in/y.tif", np.zeros((3, 8, 8), np.uint8), imagej=True, metadata={"axes": "CYX"})
    planned = plan(*ARGUMENTS, status=1)
    same(states(planned), {"a.tif": "process", "b.tif": "process", "c.tif": "process", "x.tif": "wrong", "y.tif": "wrong"}, "states")
    why = {image["file"]: image["why"] for image in planned["images"] if image["state"] == "wrong"}
    done = json.loads(batch(*ARGUMENTS, "--json").stdout)
    same({failure["file"]: failure["why"] for failure in done["failures"]}, why, "reasons")
    same((done["images"], done["done"], done["failed"], done["before"]), (5, 3, 2, 0), "counts")
    fails(batch(*ARGUMENTS, "--dry-run", out="in"), "inputs", status=2)
    with open("file", "w", encoding="utf-8"):
        pass
    fails(batch(*ARGUMENTS, "--dry-run", out="file/out"), "cannot be the output folder", status=1)
    fails(batch(*ARGUMENTS, "--dry-run", "--slurm"), "--slurm", status=2)


def test_json():
    inputs()
    done = batch(*ARGUMENTS, "--json")
    same((done.returncode, done.stderr), (0, b""), "status and errors")
    summary = json.loads(done.stdout)
    assert summary.pop("seconds") >= 0 and summary.pop("program").startswith("fovea ")
    same(summary, {"out": "out", "failures": [], "images": 3, "done": 3, "failed": 0, "before": 0, "parts": 0}, "summary")
    same(json.loads(batch(*ARGUMENTS, "--json", "--resume").stdout)["before"], 3, "images that were done before")
    status = json.loads(fovea("batch", "--status", "out", "--json").stdout)
    same((status["images"], status["done"], status["failures"]), (3, 3, []), "status")
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('open("x.tif"); print("a line")')
    done = batch("m.lua", "in", "--json", out="by_macro")
    same(json.loads(done.stdout)["done"], 3, "images of a macro")
    assert b"a line" in done.stderr
    same([image["outputs"] for image in plan("m.lua", "in", out="other")["images"]], [["a/"], ["b/"], ["c/"]], "folders of a macro")


main([test_dry_run, test_resume, test_wrong, test_json])
