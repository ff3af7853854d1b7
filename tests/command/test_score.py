# SPDX-License-Identifier: MIT
"""fovea score: counts that can be made by hand, printed and saved, for planes and volumes, as the step gives them."""
import csv
import io
import json

import numpy
import tifffile
from command import fails, fovea, main, same

# True objects 1 to 4 of 10 pixels. Found: 1 whole, 2 with 6 of 10, half of 3, 4 lost, and one that is not there.
TRUE = numpy.zeros((5, 60), numpy.uint16)
FOUND = TRUE.copy()
for label in range(1, 5):
    TRUE[1, 12 * label:12 * label + 10] = label
FOUND[1, 12:22] = 40
FOUND[1, 24:30] = 30
FOUND[1, 36:41] = 20
FOUND[3, 50:55] = 10
MATCHED = {0.5: 3, 0.55: 2, 0.6: 2, 0.65: 1, 0.95: 1}


def write():
    tifffile.imwrite("true.tif", TRUE)
    tifffile.imwrite("found.tif", FOUND)
    tifffile.imwrite("true_stack.tif", numpy.stack([TRUE, TRUE]))
    tifffile.imwrite("found_stack.tif", numpy.stack([FOUND, TRUE]))


def printed(*arguments):
    done = fovea("score", *arguments)
    assert done.returncode == 0, done.stderr.decode()
    same(done.stderr, b"", "what is said")
    return done.stdout.decode()


def rows(text):
    return [{key: float(value or "nan") for key, value in row.items()} for row in csv.DictReader(io.StringIO(text))]


def test_thresholds():
    write()
    found = rows(printed("found.tif", "true.tif"))
    same([row["iou"] for row in found], [k / 20 for k in range(10, 20)], "thresholds")
    for row in found:
        if row["iou"] in MATCHED:
            matched = MATCHED[row["iou"]]
            same((row["matched"], row["missed"], row["extra"]), (matched, 4 - matched, 4 - matched), f"counts at {row['iou']}")
            same((row["precision"], row["recall"], row["f1"]), (matched / 4,) * 3, f"shares at {row['iou']}")
            same(row["ap"], matched / (8 - matched), f"precision at {row['iou']}")
    same(round(found[0]["mean_iou"], 12), round((1 + 0.6 + 0.5) / 3, 12), "mean IoU")
    same((found[0]["merged"], found[0]["split"]), (0, 0), "joins")


def test_summary():
    write()
    text = printed("found.tif", "true.tif", "--summary", "--format", "jsonl")
    found = json.loads(text)
    same((found["true"], found["found"], found["ap50"], found["ap75"]), (4, 4, 3 / 5, 1 / 7), "summary")
    done = fovea("score", "found.tif", "true.tif", "--summary", "-t", "score.csv")
    same((done.returncode, done.stdout), (0, b""), "a saved table")
    with open("score.csv", encoding="utf-8") as file:
        same(rows(file.read())[0]["ap50"], 3 / 5, "saved")


def test_joins():
    write()
    joined, cut = numpy.where(TRUE > 2, 7, TRUE), TRUE.copy()
    cut[1, 48:53] = 9
    cut[1, 53:58] = 8
    tifffile.imwrite("joined.tif", joined)
    tifffile.imwrite("cut.tif", cut)
    same(rows(printed("joined.tif", "true.tif"))[0]["merged"], 1, "merged")
    same(rows(printed("cut.tif", "true.tif"))[0]["split"], 1, "split")


def test_stack():
    write()
    planes = rows(printed("found_stack.tif", "true_stack.tif", "--summary"))
    same([(row["z"], row["matched"], row["found"]) for row in planes], [(1, 3, 4), (2, 4, 4)], "planes")
    volume = rows(printed("found_stack.tif", "true_stack.tif", "--summary", "--volume"))
    same([(row["matched"], row["true"], row["found"]) for row in volume], [(4, 4, 8)], "volume, of which halves match")


def test_step():
    write()
    done = fovea("run", "-q", "score truth=file:true.tif rows=summary", "found.tif", "-t", "-")
    same(rows(done.stdout.decode()), rows(printed("found.tif", "true.tif", "--summary")), "the step")


def test_the_same():
    """An image that is its own truth."""
    write()
    assert {row["f1"] for row in rows(printed("found.tif", "found.tif", "--summary"))} == {1.0}


def test_faults():
    write()
    tifffile.imwrite("small.tif", TRUE[:, :30])
    fails(fovea("score", "found.tif", "small.tif"), "truth: It is 30 x 5 x 1 x 1, the labels 60 x 5 x 1 x 1", status=1)
    for image in ("found.tif", "true.tif"):
        fails(fovea("score", "found.tif", "true.tif", "-t", image), "also the input", status=2)
    fails(fovea("score", "found.tif", "true.tif", "-t", "score.png"), "score.png", status=2)
    fails(fovea("score", "found.tif", "true.tif", "-d", "gpu"), "device 'gpu' does not exist", status=2)


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
