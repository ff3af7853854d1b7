# SPDX-License-Identifier: MIT
"""The network that is shipped, on three fields that it was not trained on, against masks drawn by experts. So weights, post-processing and score are
those that the model card speaks of."""
import csv
import io
import os

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


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
