# SPDX-License-Identifier: MIT
"""Files mean the same, and are written the same, where numbers have a decimal comma: what is known of each sample, the means of its planes, and an
image in each format. Output is TAP. Argument: the command."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import tifffile

FOVEA = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
COMMA = "de_DE.UTF-8"
SAMPLES = ("czi", "data", "dicom", "fits", "leica", "movies", "nikon", "pictures", "volumes")
results = []


def check(name, differ):
    results.append(f"{'not ok' if differ else 'ok'} {len(results) + 1} - {name}" + "".join(f"\n# {line}" for line in differ[:5]))


def in_both(*arguments):
    """What the command prints with a decimal point, and with a comma."""
    return [subprocess.run([FOVEA, *arguments], capture_output=True, env={**os.environ, "LC_ALL": locale}).stdout for locale in ("C.UTF-8", COMMA)]


def different_lines(point, comma):
    pairs = zip(point.splitlines(), comma.splitlines())
    lines = [f"{a!r}, with a comma {b!r}" for a, b in pairs if a != b]
    return lines or ([] if point == comma else ["different numbers of lines"])


def files():
    found = [str(path) for name in SAMPLES for path in sorted((SOURCE / "tests/core/files" / name).rglob("*")) if path.is_file()]
    return found + sorted(map(str, (SOURCE / "tests/core/files/zarr/data").glob("*.zarr")))


def known():
    check("what is known of each sample", different_lines(*in_both("info", "--json", *files())))


def pixels():
    tables = []
    for locale in ("C.UTF-8", COMMA):
        subprocess.run([FOVEA, "batch", "-q", "z_profile", "--files", *files(), "--out", locale, "-t", "all.csv"], capture_output=True,
                       env={**os.environ, "LC_ALL": locale})
        tables.append(pathlib.Path(locale, "all.csv").read_bytes())
    assert tables[0].count(b"\n") > 500, "most samples can be read"
    check("the pixels of each sample", different_lines(*tables))


def written():
    """With values, pixel sizes and times that need a point."""
    tifffile.imwrite("in.tif", np.random.default_rng(1).random((3, 2, 9, 11)).astype("f4") * 1.5, imagej=True, resolution=(3.7, 2.3),
                     metadata={"axes": "TZYX", "spacing": 0.25, "unit": "um", "finterval": 1.75})
    subprocess.run([FOVEA, "run", "-q", "convert type=u8 scale=range | substack slices=1 frames=1", "in.tif", "-o", "bytes.tif"], check=True)
    endings = [ending for one in json.loads(subprocess.run([FOVEA, "formats", "--json"], capture_output=True, check=True).stdout) for ending in one["saved"][:1]]
    differ, made = [], 0
    for ending in endings:
        for image in "in.tif", "bytes.tif":
            pair = [f"{locale}/out.{ending}" for locale in ("C.UTF-8", COMMA)]
            for locale, path in zip(("C.UTF-8", COMMA), pair):
                subprocess.run([FOVEA, "convert", image, path], capture_output=True, env={**os.environ, "LC_ALL": locale})
            there = [contents(path) for path in pair]
            made += bool(there[0])
            differ += [f"{path}: {len(a)} and {len(b)} bytes" for path, a, b in zip(pair[1:], there, there[1:]) if a != b]
    assert made > len(endings) / 2, f"{made} files of {endings}"
    check("an image in each format", differ)


def contents(path):
    """Of a folder those of all its files."""
    path = pathlib.Path(path)
    return path.read_bytes() if path.is_file() else b"".join(p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file())


if COMMA.replace("-", "").lower() not in subprocess.run(["locale", "-a"], capture_output=True, text=True, check=True).stdout.replace("-", "").lower().split():
    print(f"1..0 # SKIP the locale {COMMA} is not installed")
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    known()
    pixels()
    written()
print(f"1..{len(results)}")
print("\n".join(results))
