# SPDX-License-Identifier: MIT
"""What tests of batches share: small images of which the objects are known, and the files that a batch leaves."""
import csv
import json
import os

import numpy as np
import tifffile
from scipy import ndimage

from command import fovea, same

STEPS = "threshold method=manual lower=100 as=mask | label as=cells | regionprops properties=label,area"


def cells(seed, size=48):
    """Dark noise with bright rectangles."""
    random = np.random.default_rng(seed)
    pixels = random.integers(0, 100, (size, size), dtype=np.uint8)
    for _ in range(int(random.integers(1, 9))):
        y, x, height, width = random.integers(0, size - 8, 2).tolist() + random.integers(2, 8, 2).tolist()
        pixels[y:y + height, x:x + width] = random.integers(110, 255, (height, width))
    return pixels


def write(path, seed):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    tifffile.imwrite(path, cells(seed))


def expected(pixels):
    """(label, area) of each object, by SciPy."""
    labels, n = ndimage.label(pixels >= 100, np.ones((3, 3)))
    return [(str(i), str(int((labels == i).sum()))) for i in range(1, n + 1)]


def batch(*arguments, out="out", **options):
    return fovea("batch", *arguments, "--out", out, **options)


def good(done):
    same((done.returncode, done.stderr), (0, b""), "status and errors")


def table(path="out/all.csv", separator=","):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, delimiter=separator))


def manifest(path="out/manifest.jsonl"):
    """Lines about images, in the order in which workers finished them."""
    with open(path, encoding="utf-8") as file:
        return [line for line in map(json.loads, file) if "file" in line]


def contents(folder):
    """Name -> bytes of all that users see, but for the manifests."""
    found = {}
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("manifest"):
                with open(os.path.join(at, name), "rb") as file:
                    found[os.path.relpath(os.path.join(at, name), folder)] = file.read()
    return found


def harmless(text):
    """What a text cell of a table becomes, so that a spreadsheet does not run it and a terminal does not obey it."""
    try:
        float(text)
        before = ""
    except ValueError:
        before = "'" if text[:1] in tuple("=+-@'") else ""
    return before + "".join(chr(0x2400 + ord(c)) if c < " " else "\u2421" if c == "\x7f" else c for c in text)
