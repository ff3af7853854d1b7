# SPDX-License-Identifier: MIT
"""The network that is shipped, on three fields that it was not trained on, against masks drawn by experts. So weights, post-processing and score are
those that the model card speaks of."""
import csv
import hashlib
import io
import json
import os
import shutil

import numpy as np
import tifffile

from command import SOURCE, fovea, main

FIELDS = os.path.join(SOURCE, "tests", "data", "nuclei")
FLOOR = 0.80  # AP at an IoU of 0.5, of all objects


def score(name, step):
    """The row of the step's labels against the truth."""
    image, truth = (os.path.join(FIELDS, name + ending) for ending in (".png", "_truth.png"))
    done = fovea("run", "-q", step, image, "-o", "labels.tif")
    assert done.returncode == 0, done.stderr.decode()
    done = fovea("score", "labels.tif", truth, "--summary")
    assert done.returncode == 0, done.stderr.decode()
    return {key: float(value) for key, value in next(csv.DictReader(io.StringIO(done.stdout.decode()))).items()}


def precision(step):
    """Of all three fields."""
    rows = {name: score(name, step) for name in ("small", "cultured", "tissue")}
    matched, true, found = (sum(row[key] for row in rows.values()) for key in ("matched", "true", "found"))
    said = ", ".join(f"{name} {row['ap50']:.3f}" for name, row in rows.items())
    print(f"# {step}: AP {matched / (true + found - matched):.3f} of {true:.0f} nuclei: {said}")
    return matched / (true + found - matched)


def test_network():
    ap = precision("segment")
    assert ap >= FLOOR, f"AP {ap:.3f} is below {FLOOR}"


def test_fields():
    """Thresholds do not reach the floor, or the fields would be too easy to tell."""
    ap = precision("gaussian sigma=1 | otsu | fill_holes | split | remove_small min_size=30")
    assert ap < FLOOR - 0.1, f"AP {ap:.3f} of thresholds"


def sum_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def done(*arguments):
    """What the command printed."""
    call = fovea(*arguments)
    assert call.returncode == 0, call.stderr.decode()
    return (call.stdout + call.stderr).decode()


def records():
    with open("out/manifest.jsonl", encoding="utf-8") as file:
        return [record for record in map(json.loads, file) if "file" in record]


def test_package():
    """The SHA-256 of a package is in the report and in the manifest of a batch, which does an image again when the package has changed."""
    packages = os.path.join(SOURCE, "tests", "kernels", "network", "data", "packages")
    tifffile.imwrite("image.tif", np.load(os.path.join(packages, "image.npy")))
    shutil.copy(os.path.join(packages, "edges.zip"), "net.zip")
    sentence = f"segment: the SHA-256 of net.zip is {sum_of('net.zip')}."
    assert sentence in done("run", "segment model=net.zip", "image.tif", "-o", "labels.tif")
    for work in ("segment model=net.zip", "record.lua"):
        with open("record.lua", "w", encoding="utf-8") as file:
            file.write('open("any.tif");\nrun("Find Nuclei by a Network...", "model=net.zip");\nsaveAs("Tiff", "b.tif");\n')
        done("batch", work, "image.tif", "--out", "out")
        assert [record.get("sha256") for record in records()] == [sentence], records()
        done("batch", work, "image.tif", "--out", "out", "--resume")
        assert len(records()) == 1, records()
        with open("net.zip", "ab") as file:  # behind its end, which a ZIP archive may have
            file.write(b"\0")
        done("batch", work, "image.tif", "--out", "out", "--resume")
        assert len(records()) == 2 and sum_of("net.zip") in records()[1]["sha256"], records()
        shutil.rmtree("out")
        sentence = f"segment: the SHA-256 of net.zip is {sum_of('net.zip')}."


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
