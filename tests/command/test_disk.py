# SPDX-License-Identifier: MIT
"""Images that do not fit into memory: the same files as with memory enough, a report that says so, and nothing that stays on the disk."""
import json
import os
import resource
import signal
import subprocess
import time

import numpy
import tifffile
from scipy import ndimage

from command import FOVEA, NUCLEI, fails, fovea, main, same

WORKFLOW = ("channel index=1 as=green | gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=cells | "
            "regionprops intensity=green properties=label,intensity_mean,area,solidity | label2rgb from=cells")
LITTLE = {"FOVEA_HOST_MEMORY": "200"}


def make_large():
    os.mkdir("scratch")
    same(fovea("run", "-q", "zoom factor=8", NUCLEI, "-o", "large.tif", "--compression=deflate", "--tile=512").returncode, 0, "status")


def scratch(**more):
    return {**os.environ, "FOVEA_SCRATCH": os.path.abspath("scratch"), **more}


def run(name, **options):
    return fovea("run", WORKFLOW, "large.tif", "-d", "cpu", "-o", name + ".tif", "-o", f"cells={name}-cells.tif", "-t", name + ".csv",
                 "--report", name + ".json", **options)


def on_disk(name):
    with open(name + ".json", encoding="utf-8") as file:
        return [step["operation"] for step in json.load(file)["steps"] if step["bytes_on_disk"] > 0]


def test_same_files():
    make_large()
    enough, little = run("enough", env=scratch()), run("little", env=scratch(**LITTLE))
    same((enough.returncode, little.returncode), (0, 0), "status")
    same(on_disk("enough"), [], "on disk")
    assert "label" in on_disk("little"), on_disk("little")
    assert b"on disk" not in enough.stdout
    assert f", {len(on_disk('little'))} results on disk\n".encode() in little.stdout, little.stdout
    for kind in (".tif", "-cells.tif", ".csv"):
        with open("enough" + kind, "rb") as one, open("little" + kind, "rb") as other:
            assert one.read() == other.read(), kind
    same(os.listdir("scratch"), [], "files")


def test_too_little_of_both():
    make_large()
    fails(run("x", env=scratch(**LITTLE, FOVEA_SCRATCH_LIMIT="10")), "Not enough memory", "of FOVEA_HOST_MEMORY, and 10.0\u00a0MiB on the disk of",
          os.path.abspath("scratch"), "FOVEA_SCRATCH selects another folder", status=1)
    fails(run("x", env=scratch(**{**LITTLE, "FOVEA_SCRATCH": "nowhere"})), "and 0 bytes on the disk of nowhere", status=1)
    # What the disk refuses when it is asked, as one that has become full.
    fails(run("x", env=scratch(**LITTLE), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))),
          "Not enough memory", os.path.abspath("scratch"), "File too large", status=1)
    same(sorted(os.listdir(".")), ["large.tif", "scratch"], "files")
    same(os.listdir("scratch"), [], "files")


def mapped(process):
    """Whether something of the process lies on the disk."""
    with open(f"/proc/{process.pid}/maps", encoding="utf-8") as maps:
        return any("rw-s" in line and "(deleted)" in line for line in maps)


def test_nothing_stays():
    make_large()
    for number in (signal.SIGINT, signal.SIGKILL):
        with subprocess.Popen([FOVEA, "run", WORKFLOW, "large.tif", "-d", "cpu", "-o", "x.tif"], env=scratch(**LITTLE),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            end = time.monotonic() + 60
            while not mapped(process) and time.monotonic() < end:
                time.sleep(0.002)
            assert mapped(process)
            same(os.listdir("scratch"), [], "files")
            process.send_signal(number)
            assert process.wait(timeout=60) != 0
        same(os.listdir("scratch"), [], "files")
        assert not os.path.exists("x.tif")


def write_slide(name, tile):
    """A pyramid in colors, whose green channel is returned: discs across the seams of tiles, and a ring that is larger than any tile, with an object in it."""
    y, x = numpy.mgrid[:1400, :1700]
    green = numpy.full(y.shape, 20, "u1")
    for i, (cy, cx) in enumerate((cy, cx) for cy in range(40, 1400, 128) for cx in range(30, 1700, 128)):
        green[(y - cy) ** 2 + (x - cx) ** 2 <= (8 + i % 30) ** 2] = 200
    green[(abs((y - 700) ** 2 + (x - 800) ** 2 - 500 ** 2) <= 9000) | ((y - 700) ** 2 + (x - 810) ** 2 <= 400)] = 190
    slide = numpy.stack([green // 2, green, 255 - green], -1)
    with tifffile.TiffWriter(name) as file:
        file.write(slide, photometric="rgb", tile=(tile, tile), compression="zlib", subifds=2)
        for step in (2, 4):
            file.write(slide[::step, ::step], photometric="rgb", tile=(tile, tile), compression="zlib", subfiletype=1)
    return green


def test_slide():
    """A recipe on a whole slide makes one table and one GeoJSON, the same with any memory and any tiles, and of the objects that SciPy finds."""
    os.mkdir("scratch")
    steps = ("channel index=1 as=green | gaussian sigma=1.5 | threshold method=manual lower=97.3 | fill_holes | label as=cells | "
             "regionprops intensity=green properties=label,area,centroid,perimeter,solidity,intensity_mean")
    for tile in (64, 256):
        green = write_slide(f"{tile}.tif", tile)
        for memory in ("", "4", "20"):
            done = fovea("run", steps, f"{tile}.tif", "-d", "cpu", "-t", f"{tile}-{memory}.csv", "-o", f"cells={tile}-{memory}.geojson",
                         env=scratch(**{"FOVEA_HOST_MEMORY": memory} if memory else {}))
            same((done.returncode, b"on disk" in done.stdout), (0, bool(memory)), done.stderr.decode())
            for ending in (".csv", ".geojson"):
                with open(f"{tile}-{memory}{ending}", "rb") as one, open(f"64-{ending}", "rb") as other:
                    assert one.read() == other.read(), (tile, memory, ending)
    mask = ndimage.binary_fill_holes(ndimage.gaussian_filter(green.astype("f8"), 1.5, mode="nearest") > 97.3)
    labels, n = ndimage.label(mask, numpy.ones((3, 3)))
    rows = numpy.genfromtxt("64-.csv", delimiter=",", names=True)
    same(rows["area"].astype(int).tolist(), ndimage.sum_labels(mask, labels, range(1, n + 1)).astype(int).tolist(), "areas")
    numpy.testing.assert_allclose(rows["intensity_mean"], ndimage.mean(green, labels, range(1, n + 1)), rtol=1e-6)
    with open("64-.geojson", encoding="utf-8") as file:
        found = json.load(file)
    same(len(found["features"] if isinstance(found, dict) else found), n, "objects")
    same(os.listdir("scratch"), [], "files")


main([test_same_files, test_too_little_of_both, test_nothing_stays, test_slide])
