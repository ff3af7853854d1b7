# SPDX-License-Identifier: MIT
"""A format that a plugin reads, in every command and in Python, as if it were the program's own."""
import json
import os
import subprocess
import sys

import numpy as np
import tifffile

from command import fails, fovea, main, same

PLUGIN = os.path.abspath(sys.argv.pop(1))
OPTIONS = {"env": {**os.environ, "FOVEA_PLUGIN_PATH": os.path.dirname(PLUGIN)}}
PIXELS = np.random.default_rng(3).normal(size=(70, 50, 3)).astype("f2")


def write(path, pixels, order="<"):
    """PHM: the last row comes first."""
    kind, scale = "PH" if pixels.ndim == 3 else "Ph", {"<": -1, ">": 1}[order]
    with open(path, "wb") as file:
        file.write(f"{kind}\n{pixels.shape[1]} {pixels.shape[0]}\n{scale}\n".encode() + pixels[::-1].astype(order + "f2").tobytes())


def run(*arguments):
    done = fovea(*arguments, **OPTIONS)
    same((done.returncode, done.stderr), (0, b""), f"{arguments}")
    return done.stdout.decode()


def test_info():
    write("a.phm", PIXELS)
    assert "50×70 16-bit float, 3 channels" in run("info", "a.phm"), run("info", "a.phm")
    assert ".phm  by portable-half-map" in run("formats")
    listed = [f for f in json.loads(run("formats", "--json")) if f["plugin"] == "portable-half-map"]
    same(listed, [{"key": "phm", "label": "PHM", "plugin": "portable-half-map", "endings": ["phm"], "saved": [], "mime_types": ["image/x-portable-halfmap"],
                   "in_folders": True,
                   "options": []}], "formats")


def test_pixels():
    for order in "<>":
        write("a.phm", PIXELS, order)
        write("b.phm", PIXELS[..., 0], order)
        run("convert", "a.phm", "a.tif")
        np.testing.assert_array_equal(tifffile.imread("a.tif"), np.moveaxis(PIXELS, 2, 0))
        run("run", "-q", "crop x=7 y=5 width=20 height=30", "b.phm", "-o", "b.tif")
        np.testing.assert_array_equal(tifffile.imread("b.tif"), PIXELS[5:35, 7:27, 0])


def test_input_of_a_step():
    write("b.phm", PIXELS[..., 1])
    run("run", "-q", "label | regionprops properties=intensity_mean intensity=file:b.phm", "b.phm", "-t", "a.csv")


def test_batch():
    os.mkdir("in")
    for name in "abc":
        write(f"in/{name}.phm", PIXELS[..., 0])
    run("batch", "--quiet", "gaussian sigma=1", "in", "--out", "out", "-o", "{name}.tif")
    same(sorted(name for name in os.listdir("out") if name.endswith(".tif")), ["a.tif", "b.tif", "c.tif"], "outputs")


def test_macro():
    write("a.phm", PIXELS[..., 2])
    with open("a.lua", "w", encoding="ascii") as file:
        file.write('open("a.phm") saveAs("Tiff", "m.tif")')
    run("macro", "-q", "a.lua")
    np.testing.assert_array_equal(tifffile.imread("m.tif"), PIXELS[..., 2])


def test_python():
    write("a.phm", PIXELS)
    code = ("import fovea, numpy as np; image = fovea.open('a.phm'); "
            "assert [f['plugin'] for f in fovea.formats()][-1] == 'portable-half-map'; np.save('a.npy', image.numpy())")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False,
                          env={**OPTIONS["env"], "PYTHONPATH": os.path.join(os.environ["FOVEA_BUILD"], "python")})
    if b"No module named 'fovea" in done.stderr:
        return "the package is not built"
    same((done.returncode, done.stderr), (0, b""), "Python")
    np.testing.assert_array_equal(np.load("a.npy"), np.moveaxis(PIXELS, 2, 0))


def test_faults():
    write("a.phm", PIXELS)
    fails(fovea("info", "a.phm"), "is not an image that can be opened: TIFF")
    fails(fovea("info", "--no-plugins", "a.phm", **OPTIONS), "is not an image that can be opened: TIFF")
    with open("a.phm", "r+b") as file:
        file.truncate(1000)
    fails(fovea("info", "a.phm", **OPTIONS), "'a.phm' cannot be opened with the plugin portable-half-map: Its header is damaged, or the file is truncated.")
    with open("text", "w", encoding="ascii") as file:
        file.write("nothing")
    fails(fovea("info", "text", **OPTIONS), "and PHM files can")
    fails(fovea("convert", "a.phm", "b.phm", **OPTIONS), "does not end in .tif, .fits, .png, .apng, .jpg, .gif, .avi, .mp4, .zarr or .txt")


if __name__ == "__main__":
    main([test_info, test_pixels, test_input_of_a_step, test_batch, test_macro, test_python, test_faults])
