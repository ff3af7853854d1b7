# SPDX-License-Identifier: MIT
"""Files of nothing but pixels, as --raw says: what NumPy writes is what is read, by the command, batches and the package for Python."""
import json
import os
import subprocess
import sys

import numpy as np
import tifffile

from command import FOVEA, fails, fovea, main, same

WORDS = "width=7 height=5 slices=3 channels=2 frames=2"
SHAPE = (2, 2, 3, 5, 7)  # frames, channels, slices, rows, columns


def made(*arguments):
    done = fovea(*arguments)
    same(done.returncode, 0, f"status of {arguments}: {done.stderr.decode()}")
    return done.stdout.decode()


def values(dtype, shape=SHAPE):
    rng = np.random.default_rng(5)
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(max(limits.min, -(1 << 40)), min(limits.max, 1 << 40), shape, dtype=dtype, endpoint=True)


def read(raw):
    made("convert", "--raw", raw, "a.raw", "out.tif")
    return tifffile.imread("out.tif")


def all_types():
    for name in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"):
        word = {"u": "u", "i": "i", "f": "f"}[name[0]] + str(8 * int(name[1]))
        image = values(name, (5, 7))
        for order, endian in (("<", "little"), (">", "big")):
            image.astype(order + name).tofile("a.raw")
            np.testing.assert_array_equal(read(f"width=7 height=5 type={word} endian={endian}"), image, f"{word} {endian}")


def all_orders():
    """TIFF has frames, slices, channels."""
    image = values("u2")
    stored = {"xyzct": image, "xyczt": image.transpose(0, 2, 1, 3, 4), "cxyzt": image.transpose(0, 2, 3, 4, 1)}
    for order, array in stored.items():
        array.astype("<u2").tofile("a.raw")
        np.testing.assert_array_equal(read(f"{WORDS} type=u16 order={order}"), image.transpose(0, 2, 1, 3, 4), order)


def headers_and_gaps():
    image = values("u2", (3, 5, 7))
    for order in ("xyzct", "xyczt"):
        with open("a.raw", "wb") as file:
            file.write(b"h" * 123 + b"gap".join(plane.tobytes() for plane in image) + b"rest")
        np.testing.assert_array_equal(read(f"width=7 height=5 slices=3 type=u16 offset=123 gap=3 order={order}"), image)
    assert "left out: 4 bytes after the pixels" in made("info", "--raw", "width=7 height=5 slices=3 type=u16 offset=123 gap=3", "a.raw")
    rgb = values("u1", (5, 7, 3))
    rgb.tofile("a.raw")
    np.testing.assert_array_equal(read("width=7 height=5 channels=3 order=cxyzt"), rgb)
    same(json.loads(made("info", "--json", "--raw", "width=7 height=5 channels=3 order=cxyzt", "a.raw"))[0]["role"], "rgb")


def what_is_wrong():
    values("u2", (5, 7)).tofile("a.raw")
    fails(fovea("info", "a.raw"), "'a.raw' has no header that says what its pixels are. Say it with --raw 'width=512", "Import Raw", status=1)
    fails(fovea("info", "--raw", "width=7 height=5 type=u32", "a.raw"), "pixels would end at byte 140, and the file ends at 70", status=1)
    for raw, words in (("width=7", "--raw: width and height are needed"), ("width=7 height=5 tipe=u16", "--raw: unknown parameter 'tipe'. Did you mean 'type'?"),
                       ("width=7 height=5 type=u15", "u15")):
        for command in (("info",), ("convert", "b.tif"), ("run", "otsu"), ("figure", "b.png")):
            arguments = (*command[:1], "--raw", raw, *(("otsu", "a.raw") if command[0] == "run" else ("a.raw", *command[1:])))
            fails(fovea(*arguments), words, status=2)
        fails(fovea("batch", "otsu", "a.raw", "--out", "out", "--raw", raw), words, status=2)
    assert not os.path.exists("out")


def run_and_pipe():
    """A file is read so even if it begins as another format; other files of the steps are not."""
    image = values("u1", (8, 8))
    image.tofile("a.raw")
    with open("a.raw", "r+b") as file:
        file.write(b"P5 8 8 2")
    image = np.fromfile("a.raw", "u1").reshape(8, 8)
    tifffile.imwrite("b.tif", np.full((8, 8), 3, "u1"))
    made("run", "-q", "--raw", "width=8 height=8", "calculate b=file:b.tif function=maximum output=same", "a.raw", "-o", "out.tif")
    np.testing.assert_array_equal(tifffile.imread("out.tif"), np.maximum(image, 3))
    done = subprocess.run([FOVEA, "run", "-q", "--raw", "width=8 height=8", "arithmetic function=maximum value=3 output=same", "-", "-o", "out.tif"], input=image.tobytes(), capture_output=True,
                          check=False)
    same(done.returncode, 0, done.stderr)
    np.testing.assert_array_equal(tifffile.imread("out.tif"), np.maximum(image, 3))


def batches():
    """All inputs are read so. Other words are other work, which is done again."""
    images = [values("u2", (5, 7)) + n for n in range(3)]
    for n, image in enumerate(images):
        image.tofile(f"{n}.raw")
    arguments = ("batch", "-q", "arithmetic function=maximum value=9 output=same", "*.raw", "--out", "out", "-o", "{name}.tif", "--resume")
    made(*arguments, "--raw", "width=7 height=5 type=u16")
    for n, image in enumerate(images):
        np.testing.assert_array_equal(tifffile.imread(f"out/{n}.tif"), np.maximum(image, 9))
    made(*arguments, "--raw", "width=5 height=7 type=u16")
    np.testing.assert_array_equal(tifffile.imread("out/0.tif"), np.maximum(images[0].reshape(7, 5), 9))


def macros():
    """As the app records it."""
    image = values("u2", (5, 7))
    image.tofile("a.raw")
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('open("a.raw", "width=7 height=5 type=u16"); print(getPixel(3, 2));')
    same(made("macro", "m.lua"), f"{image[2, 3]}\n")
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('open("a.raw", "width=7 heigth=5");')
    fails(fovea("macro", "m.lua"), "Did you mean 'height'?", status=1)


def python():
    package = os.path.join(os.environ["FOVEA_BUILD"], "python")
    if not os.path.exists(os.path.join(package, "fovea", "__init__.py")):
        return "the package for Python was not built"
    image = values("u2", (3, 5, 7))
    image.astype(">u2").tofile("a.raw")
    code = ("import fovea, numpy as np, pickle; raw = 'width=7 height=5 slices=3 type=u16 endian=big'; a = fovea.open('a.raw', raw=raw); np.save('a.npy', np.asarray(a)); "
            "b = pickle.loads(pickle.dumps(fovea.File('a.raw', raw)))[0]; assert np.array_equal(a, b); "
            "fovea.batch('arithmetic function=maximum value=9 output=same', 'a.raw', 'out', outputs={'': '{name}.tif'}, raw=raw)")
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": package}, capture_output=True, text=True, check=False)
    same(done.returncode, 0, done.stderr)
    np.testing.assert_array_equal(np.load("a.npy"), image)
    np.testing.assert_array_equal(tifffile.imread("out/a.tif"), np.maximum(image, 9))
    return None


main([all_types, all_orders, headers_and_gaps, what_is_wrong, run_and_pipe, batches, macros, python])
