#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package for Python on the CPU, against NumPy, SciPy and arithmetic."""
import inspect
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
import weakref
import zipfile

import tap
from tap import Skip, module, raises

import numpy as np
from scipy import ndimage

import fovea

NOISE = np.random.default_rng(1).random((61, 83)).astype(np.float32)
STEPS = "gaussian sigma=3 | otsu as=mask | label as=cells | regionprops intensity=raw properties=label,area,intensity_mean"


def aligned(shape, dtype):
    """An array that begins at a multiple of 64 bytes."""
    n = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(n + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start:start + n].view(dtype).reshape(shape)


def test_run():
    """Steps on an array give what SciPy gives."""
    result = fovea.run(STEPS, NOISE, device="cpu", raw=NOISE)
    smooth = ndimage.gaussian_filter(NOISE.astype(float), 3, mode="nearest")
    threshold = result.numbers(1)["threshold"][0]
    mask = result["mask"].numpy() > 0
    clear = np.abs(smooth - threshold) > 1e-6
    assert np.array_equal(mask[clear], (smooth > threshold)[clear])
    labels, n = ndimage.label(mask, np.ones((3, 3)))
    assert np.array_equal(result["cells"].numpy(), labels)
    table = result.table
    assert list(table) == ["label", "area", "intensity_mean"] and table.rows == n
    assert table["label"].dtype == np.int64 and np.array_equal(table["label"], np.arange(1, n + 1))
    assert np.array_equal(table["area"], np.bincount(labels.ravel())[1:])
    assert np.allclose(table["intensity_mean"], ndimage.mean(NOISE.astype(float), labels, table["label"]), rtol=1e-6)
    assert len(result.steps) == 4 and result.steps[0]["text"] == "gaussian sigma=3" and result.device == "cpu"
    raises(KeyError, "'absent'", lambda: result["absent"])


def test_derived():
    """A value that is computed from what a step finds, in each slice, and a step with a device of its own."""
    stack = (NOISE[None] * np.array([1, 2, 3], np.float32)[:, None, None])
    result = fovea.run("sigma_clip | threshold lower={sigma_clip.mean}*1.5-.1 device=cpu as=mask", stack, volume=False, device="auto")
    means = result.numbers(0)["mean"]
    assert np.allclose(means, stack.reshape(3, -1).mean(1, dtype=float), rtol=1e-6)
    assert np.allclose(result.derived(1)["lower"], means * 1.5 - .1, rtol=1e-12)
    assert result.derived(1).help["lower"] == "{sigma_clip.mean}*1.5-.1" and not list(result.derived(0))
    assert np.array_equal(result["mask"].numpy().squeeze() > 0, stack >= (means * 1.5 - .1)[:, None, None].astype(np.float32))
    assert result.steps[1]["text"].endswith(" device=cpu"), result.steps
    raises(fovea.ArgumentError, "Did you mean 'mean'?", lambda: fovea.run("sigma_clip | threshold lower={sigma_clip.maen}", NOISE))
    raises(fovea.Error, "Device 'cuda:77' does not exist", lambda: fovea.run("gaussian device=cuda:77", NOISE))


def test_calibrated():
    """Measurements are of calibrated values, as ImageJ 1.53t measured this file."""
    golden = pathlib.Path(os.environ["FOVEA_SOURCE"], "tests/golden/imagej/calibrated.zip")
    with zipfile.ZipFile(golden) as archive, tempfile.TemporaryDirectory() as folder:
        lines = [line.split("\t") for line in archive.read("calibrated.txt").decode().splitlines()]
        image = fovea.open(archive.extract("7-16.tif", folder))
        expected = next([float(number) for number in line[2].split()] for line in lines if line[:2] == ["7-16", "all"])
        table = fovea.run("z_profile", image, device="cpu").table
    assert table.units["mean"] == "°C" and table.units["pixels"] == ""
    assert np.allclose([table[name][0] for name in ("mean", "minimum", "maximum")], [expected[i] for i in (0, 3, 4)], rtol=2e-7)


def test_volume():
    """Two cubes: said once for all steps, by a word or before the steps; a step's own word stays, and labels know how they were numbered."""
    stack = np.zeros((9, 20, 20), np.uint8)
    stack[1:4, 2:6, 2:6] = stack[3:8, 10:16, 10:16] = 200
    steps = "otsu | label as=cells | regionprops properties=label,num_pixels"
    for result in (fovea.run(steps, stack, volume=True), fovea.run("volume=yes | " + steps, stack), fovea.run(steps, stack, volume="objects"),
                   fovea.run("volume=no | " + steps, stack, volume=True)):
        assert list(result.table["num_pixels"]) == [48, 180], result.table
    assert fovea.run(steps, stack, volume=False).table.rows == 8
    image = fovea.Image(stack, spacing=(2, 1, 1), unit="µm")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for volume, sizes in (None, [48, 180]), (False, None), ("objects", [48, 180]):
            table = fovea.run(steps, image, volume=volume).table
            assert table.rows == 8 if sizes is None else list(table["num_pixels"]) == sizes, volume
        fovea.run("gaussian", image), fovea.run("volume=no | otsu", image)
        assert fovea.run(steps, stack).table.rows == 8
    assert [str(warning.message) for warning in said] == [
        "otsu, label, regionprops: the slices form one volume; volume=False processes each slice separately.",
        "otsu, label, regionprops: each slice separately, since the slice spacing is unknown; volume=True processes them as one volume."], said
    assert said[0].filename == __file__, said[0].filename
    raises(fovea.Error, "label volume=yes", lambda: fovea.regionprops(fovea.run(steps, stack, volume=False)["cells"], volume=True))
    raises(fovea.Error, "label volume=yes", lambda: fovea.run("volume=yes | otsu | label volume=no | regionprops", stack))
    raises(fovea.ArgumentError, "True, False", lambda: fovea.run(steps, stack, volume="yes"), "volume")


def test_functions():
    """Every operation is a function with its parameters, defaults and help."""
    assert {"gaussian", "otsu", "regionprops"} <= set(fovea.operations()) <= set(dir(fovea))
    for key in fovea.operations():
        function = getattr(fovea, key)
        assert function.__name__ == key and function.__doc__ and inspect.signature(function).parameters["device"].default == "auto"
    sigma = inspect.signature(fovea.gaussian).parameters["sigma"]
    assert sigma.default == 2 and sigma.kind is sigma.POSITIONAL_OR_KEYWORD and "Standard deviation" in fovea.gaussian.__doc__
    smooth = fovea.gaussian(NOISE, sigma=(1, 3))
    assert np.allclose(smooth, ndimage.gaussian_filter(NOISE, (1, 3), mode="nearest"), atol=1e-6)
    square = fovea.dilation(np.eye(9) > 0, footprint="matrix", matrix=np.ones((3, 3), int))
    assert np.array_equal(square.numpy() > 0, ndimage.binary_dilation(np.eye(9), np.ones((3, 3))))
    alone = np.asarray(fovea.smooth_field(width=40, height=30, seed=2))
    assert np.array_equal(alone, fovea.smooth_field(np.zeros((30, 40)), seed=2)) and alone.std() > 0
    assert fovea.run("smooth_field width=40 height=30 | otsu").image.shape == (30, 40)
    raises(fovea.ArgumentError, "No image is given", fovea.smooth_field, "height")
    inside = fovea.keep(NOISE, "rectangle(3,2,5,4)").numpy()
    assert np.array_equal(inside[2:6, 3:8], NOISE[2:6, 3:8]) and inside.sum() == inside[2:6, 3:8].sum()
    labels = np.repeat(np.arange(3, dtype=np.int32), 10)[None]
    made = fovea.regionprops(labels, intensity=labels * 2.5, properties=["label", "intensity_mean"])
    assert np.array_equal(made["intensity_mean"], [2.5, 5.0])


def test_again():
    """A function called many times, with other values and inputs in between, gives what each call asks for."""
    line = np.arange(12, dtype=np.float32).reshape(3, 4)
    for _ in range(2):
        for value in range(150):  # more than are kept
            assert np.array_equal(fovea.arithmetic(line, value=value, device="cpu"), line + value)
            assert np.array_equal(fovea.arithmetic(line, function="subtract", value=value, device="cpu"), line - value)
        for text, x in (("rectangle(1,0,2,2)", 1), ("rectangle(0,0,2,2)", 0)):
            inside = fovea.keep(line, text, device="cpu").numpy()
            assert np.array_equal(inside[:2, x:x + 2], line[:2, x:x + 2]) and inside.sum() == inside[:2, x:x + 2].sum()
        mask = line > 5
        assert np.array_equal(fovea.keep(line, mask, device="cpu"), np.where(mask, line, 0))
        assert np.array_equal(fovea.keep(line, ~mask, device="cpu"), np.where(mask, 0, line))
    raises(TypeError, "image", lambda: fovea.gaussian(sigma=1))
    raises(TypeError, "multiple values", lambda: fovea.gaussian(line, image=line))
    raises(TypeError, "multiple values", lambda: fovea.gaussian(line, 2, sigma=2))


def test_wrong_calls():
    """What is wrong is an exception that names it."""
    raises(fovea.ArgumentError, "-1", lambda: fovea.gaussian(NOISE, sigma=-1), "sigma")
    raises(ValueError, "gaussian", lambda: fovea.run("gausian", NOISE))
    raises(TypeError, "sigmaa", lambda: fovea.gaussian(NOISE, sigmaa=1))
    raises(AttributeError, "gausian", lambda: fovea.gausian)
    raises(fovea.DeviceError, "cuda:99", lambda: fovea.gaussian(NOISE, device="cuda:99"), "device")
    raises(OSError, "nowhere.tif", lambda: fovea.open("nowhere.tif"))
    raises(fovea.ArgumentError, "no name", lambda: fovea.run("otsu", a=NOISE), "image")
    raises(fovea.Error, "", lambda: fovea.run("otsu"))
    raises(ValueError, "nodevice", lambda: fovea.moved("nodevice"), "device")


def test_axes():
    """Which axis is which, without and with a word for it."""
    assert fovea.Image(np.zeros((4, 5))).axes == "YX"
    assert fovea.Image(np.zeros((3, 4, 5))).axes == "ZYX"
    assert fovea.Image(np.zeros((2, 3, 4, 5))).axes == "CZYX"
    assert fovea.Image(np.zeros((7, 2, 3, 4, 5))).axes == "TCZYX"
    color = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    image = fovea.Image(color)
    assert (image.axes, image.role, image.shape) == ("YXC", "rgb", (4, 5, 3)) and np.array_equal(image, color)
    assert np.array_equal(fovea.channel(color, index=2), color[..., 2])
    assert fovea.Image(color, axes="ZYX").role == "image"
    for other in (color.astype(np.uint16), color.astype(np.float32), np.zeros((5, 6, 4), np.uint8)):
        assert fovea.Image(other).axes == "CYX" and np.array_equal(fovea.Image(other), np.moveaxis(other, 2, 0))
    assert fovea.Image(color.astype(np.int32), axes="ZYX").axes == fovea.Image(np.zeros((3, 4, 3))).axes == "ZYX"
    raises(fovea.ArgumentError, "ZYXC", lambda: fovea.Image(np.zeros((7, 5, 6, 3), np.uint8)), "axes")
    assert fovea.Image(np.zeros((7, 5, 6, 3), np.uint8), axes="ZYXC").shape == (7, 5, 6, 3)
    stack = np.random.default_rng(2).random((4, 5, 6))
    turned = fovea.gaussian(np.moveaxis(stack, 0, 2), sigma=1, axes="YXZ", volume=False)
    assert turned.axes == "ZYX" and np.allclose(turned, [ndimage.gaussian_filter(plane, 1, mode="nearest") for plane in stack])
    one = fovea.gaussian(stack[:1])
    assert (one.axes, one.shape) == ("ZYX", (1, 5, 6))
    for axes in ("YY", "AYX", "YX", "ZCY"):
        raises(fovea.ArgumentError, "for each axis", lambda: fovea.Image(stack, axes=axes), "axes")
    raises(fovea.ArgumentError, "2 to 5", lambda: fovea.Image(np.zeros(3)), "image")


def test_types():
    """Types are kept, or converted with the same values, or refused."""
    for kind in ("u1", "u2", "u4", "i1", "i2", "i4", "f2", "f4", "f8", ">u2", ">f8"):
        array = np.array([[1, 2, 3], [4, 5, 120]]).astype(kind)
        image = fovea.Image(array)
        assert image.dtype == np.dtype(kind).newbyteorder("=") and np.array_equal(image, array), kind
    inside = np.array([[True, False], [False, True]])
    image = fovea.Image(inside)
    assert image.role == "mask" and np.array_equal(image, inside)
    labels = fovea.Image(np.array([[0, 70000]]), role="labels")
    assert labels.dtype == np.int32 and labels.role == "labels" and np.array_equal(labels, [[0, 70000]])
    raises(fovea.ArgumentError, "beyond 32 bits", lambda: fovea.Image(np.array([[2**31]])), "image")
    raises(fovea.ArgumentError, "must not be negative", lambda: fovea.Image(np.array([[-1]]), role="labels"), "pixels")
    raises(fovea.UnsupportedError, "complex", lambda: fovea.Image(np.zeros((2, 2), complex)), "image")
    raises(fovea.UnsupportedError, "object", lambda: fovea.Image(np.array([[None]])), "image")
    raises(fovea.ArgumentError, "mask, labels", lambda: fovea.Image(NOISE, role="picture"), "role")


def test_where_they_lie():
    """Arrays that lie as images do are not copied, whether they may be written or not; others are, once."""
    array = aligned((8, 16), np.float32)
    array[:] = np.arange(128).reshape(8, 16)
    array.flags.writeable = False
    image = fovea.Image(array)
    assert np.shares_memory(image.numpy(), array)
    assert np.shares_memory(fovea.Image(image.numpy()).numpy(), array)
    for part in (array[:, ::-2], array[::2], array.T, array[1:, 3:], np.broadcast_to(array[:1], (8, 16))):
        assert np.array_equal(fovea.Image(part), part) and not np.shares_memory(fovea.Image(part).numpy(), array)
    memory = np.arange(256, dtype=np.uint8)
    for start in range(64):  # NumPy's large arrays begin at 16 of 64 bytes
        for kind in ("u1", "u2", "f4", "f8"):
            part = memory[start:start + 128].view(kind).reshape(2, -1)
            assert np.array_equal(fovea.Image(part), part, equal_nan=kind[0] == "f")
            assert np.shares_memory(fovea.Image(part).numpy(), memory) == part.flags.aligned, (start, kind)
    large = np.random.default_rng(5).integers(0, 65536, (3, 1500, 1201), np.uint16)  # copied by several threads
    for part in (large[:, :, :1100], large[:, ::-1], large[::2], large.transpose(2, 0, 1), np.broadcast_to(large[:1], large.shape)):
        assert np.array_equal(fovea.Image(part), part)
    odd = np.zeros(4, np.dtype([("a", "u1"), ("b", "<f4")]))["b"].reshape(2, 2)  # at odd addresses
    assert np.array_equal(fovea.Image(odd), odd)
    assert not image.numpy().flags.writeable
    before = image.numpy()
    del image
    assert before[7, 15] == 127  # it holds what it shows


def test_released():
    """An array that was lent goes with the last that needs it, wherever that ends."""

    def lend():
        array = aligned((32, 32), np.uint8)
        return array, weakref.ref(array.base)

    array, memory = lend()
    result = fovea.run("otsu", fovea.Image(array))
    del array
    assert memory() is not None
    del result
    assert memory() is None
    array, memory = lend()
    raises(fovea.Error, "", lambda: fovea.Image(array, role="labels"))
    del array
    assert memory() is None


def test_dlpack():
    """NumPy takes images by DLPack, and Fovea takes every object with DLPack."""
    smooth = fovea.gaussian(NOISE, sigma=2)
    assert smooth.__dlpack_device__() == (1, 0)
    assert np.array_equal(np.from_dlpack(smooth), smooth.numpy())

    class Foreign:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **words):
            return self.array.__dlpack__(**words)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    array = aligned((5, 16), np.uint16)
    assert np.shares_memory(fovea.Image(Foreign(array)).numpy(), array)
    del smooth
    capsule = fovea.gaussian(NOISE).__dlpack__()
    del capsule  # not consumed
    raises(BufferError, "copy", lambda: fovea.gaussian(NOISE).__dlpack__(copy=True))


def test_calibration():
    """Sizes of pixels go in, through steps and out."""
    image = fovea.Image(NOISE, spacing=(0.5, 0.25), unit="µm", name="noise")
    assert image.spacing == (0.5, 0.5, 0.25) and image.unit == ("µm",) * 3 and image.name == "noise"
    smooth = fovea.gaussian(image, sigma=1, units="physical")
    assert smooth.spacing == image.spacing
    assert np.allclose(smooth, ndimage.gaussian_filter(NOISE, (2, 4), mode="nearest"), atol=1e-6)
    table = fovea.regionprops(fovea.Image(np.ones((4, 4), np.uint8), spacing=0.5, unit="µm"), properties="area")
    assert table["area"][0] == 4 and table.units["area"] == "µm²"


def test_files():
    """Files are opened, with their series, and saved."""
    tifffile = module("tifffile")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.tif"
        fovea.Image(NOISE, spacing=0.5, unit="µm").save(path, compression="deflate", tile=16, pyramid=True)
        assert np.array_equal(tifffile.imread(path), NOISE)
        opened = fovea.open(path)
        assert np.array_equal(opened, NOISE) and opened.spacing[1:] == (0.5, 0.5)
        raises(fovea.ArgumentError, "lzma", lambda: opened.save(path, compression="lzma"), "compression")
        raises(OSError, "a.nothing", lambda: opened.save(pathlib.Path(folder) / "a.nothing"))
        table = fovea.run("otsu | label | regionprops", opened).table
        table.save(path.with_suffix(".csv"), ";")
        lines = path.with_suffix(".csv").read_text(encoding="utf-8-sig").splitlines()
        assert lines[0].split(";")[0].startswith("label") and len(lines) == table.rows + 1
    two = fovea.File(os.path.join(os.environ["FOVEA_SOURCE"], "tests/core/files/data/two_sizes.tif"))
    assert len(two) == 2 and two[0].shape != two[1].shape and two[-1].shape == two[1].shape
    raises(IndexError, "2 images", lambda: two[2])


def test_macro():
    """A macro runs with files, arguments and a limit, and prints here."""
    said = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "noise.tif"
        fovea.Image(NOISE).save(path)
        fovea.macro(text=f'run("gaussian", "sigma=" .. getNumber("Sigma", 5)); saveAs("Tiff", "{folder}/smooth.tif"); print(getTitle())', inputs=path,
                    arguments={"Sigma": 2}, print=said.append)
        again = f'saveAs("Tiff", "{folder}/smooth.tif")'
        raises(fovea.Error, "already exists", lambda: fovea.macro(text=again, inputs=path))
        assert np.allclose(fovea.open(pathlib.Path(folder) / "smooth.tif"), ndimage.gaussian_filter(NOISE, 2, mode="nearest"), atol=1e-6)
        fovea.macro(text=again, inputs=path, overwrite=True)
        assert np.allclose(fovea.open(pathlib.Path(folder) / "smooth.tif"), NOISE)
    assert said == ["noise.tif"], said
    raises(fovea.Error, "macro:1", lambda: fovea.macro(text='run("gausian")'))
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    raises(KeyboardInterrupt, "", lambda: fovea.macro(text="while true do end"))


def test_batch():
    """Steps run on many files, and those that fail are told."""
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        for n in range(1, 4):
            fovea.Image(NOISE[:20 * n]).save(base / f"n{n}.tif")
        (base / "n4.tif").write_bytes(b"II*\0 no image")
        done = fovea.batch("gaussian sigma=2 | otsu as=mask | label | regionprops", base / "n?.tif", base / "out", outputs={"mask": "{name}_mask.tif"},
                           table=base / "all.csv", device="cpu")
        assert (done.images, done.done, done.failed) == (4, 3, 1) and done.failures[0][0].endswith("n4.tif"), done
        assert fovea.open(base / "out/n2_mask.tif").shape == (40, 83)
        alone = fovea.run("gaussian sigma=2 | otsu | label | regionprops", NOISE[:20], device="cpu").table.rows
        lines = (base / "all.csv").read_text(encoding="utf-8").splitlines()
        assert sum("n1" in line for line in lines) == alone
        for group, numbers in (None, ["1", "2", "3", "4"]), ("letter", ["n"]):
            fovea.batch("otsu | label | regionprops", base / "n?.tif", base / f"out-{group}", images=base / "images.jsonl",
                        name_pattern="(?P<letter>n)(?P<number>.)[.]tif", group=group)
            with open(base / "images.jsonl", encoding="utf-8") as file:
                assert [json.loads(line)[group or "number"] for line in file] == numbers
        stack = np.zeros((4, 20, 20), np.uint8)
        stack[:3, 5:9, 5:9] = 200
        for n in 1, 2:
            fovea.Image(stack, spacing=(2, 1, 1), unit="µm").save(base / f"s{n}.tif")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for volume, rows in (None, 1), (False, 3):
                fovea.batch("otsu | label | regionprops", base / "s?.tif", base / f"stacks-{volume}", table=base / "s.csv", volume=volume, jobs=1)
                assert (base / "s.csv").read_text(encoding="utf-8").count("s2.tif") == rows
        assert [str(warning.message) for warning in said] == [
            "s1.tif: otsu, label, regionprops: the slices form one volume; volume=no | before the steps processes each slice separately."], said
        again = fovea.batch("gaussian sigma=2 | otsu as=mask | label | regionprops", base / "n?.tif", base / "out", outputs={"mask": "{name}_mask.tif"},
                            table=base / "all.csv", device="cpu", resume=True)
        assert (again.done, again.before) == (3, 3), again


def test_native():
    """Code of this machine runs when the program has allowed it, and not before."""
    words = {"in_params": "float32 x", "out_params": "float32 y", "operation": "y = x * x + 1;"}
    step = "kernel " + " ".join(f'{key}="{value}"' for key, value in words.items())
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        fovea.Image(NOISE).save(base / "a.tif")
        (base / "own.lua").write_text(f"""run("kernel", '{step[len("kernel "):]}'); saveAs("Tiff", "{base}/b.tif")""")
        for call in (lambda: fovea.run(step, NOISE, device="cpu"), lambda: fovea.kernel(NOISE, **words, device="cpu"),
                     lambda: fovea.batch(step, base / "a.tif", base / "out"), lambda: fovea.macro(base / "own.lua", inputs=base / "a.tif")):
            raises(fovea.Error, "fovea.allow_native()", call)
        raises(fovea.Error, "own.lua:1", lambda: fovea.macro(base / "own.lua", inputs=base / "a.tif"))
    if not any(shutil.which(compiler) for compiler in ("c++", "g++", "clang++")):
        raise Skip("this machine has no compiler")
    fovea.allow_native()
    for made in (fovea.run(step, NOISE, device="cpu").image, fovea.kernel(NOISE, **words, device="cpu")):
        assert np.allclose(made, NOISE * NOISE + 1, rtol=1e-6, atol=0)  # the compiler may round once
    root, bright = fovea.kernel(NOISE, in_params="T x", out_params="float64 root, bool bright", operation="root = sqrt ((double) x); bright = x > 0.5f;", device="cpu")
    assert np.allclose(root, np.sqrt(NOISE.astype(float))) and bright.role == "mask" and np.array_equal(bright, NOISE > 0.5)


def test_native_that_goes_wrong():
    """A kernel that crashes, takes too long or never ends is an exception, and Python keeps running; Ctrl-C ends it."""
    if not any(shutil.which(compiler) for compiler in ("c++", "g++", "clang++")):
        raise Skip("this machine has no compiler")
    fovea.allow_native()

    def kernel(operation, **more):
        return fovea.kernel(np.arange(5000, dtype=np.int32).reshape(50, 100), in_params="int32 x", out_params="int32 y", operation=operation, device="cpu", **more)

    endless = "volatile int q = 1; while (q) q = 1; y = x;"
    raises(fovea.Error, "SIGABRT (abort), at plane 0, row 12, column 34", lambda: kernel("if (x == 1234) abort (); y = x;"))
    raises(fovea.Error, "after 0.3 s, its time limit", lambda: kernel(endless, time_limit=0.3))
    x = np.arange(5000).reshape(50, 100)
    made = np.asarray(kernel("y = 1000 / (x - 7) % (x - 9);"))
    assert (made == [[quotient(quotient(1000, v - 7)[0], v - 9)[1] for v in row] for row in x.tolist()]).all()
    for more in {}, {"progress": lambda *_: None}:
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        start = time.monotonic()
        timer.start()
        step = f"kernel in_params='int32 x' out_params='int32 y' operation='{endless}' time_limit=0"
        raises(KeyboardInterrupt, "", lambda more=more: fovea.run(step, x.astype(np.int32), device="cpu", **more))
        assert time.monotonic() - start < 20


def quotient(a, b):
    """a / b and a % b of C, and 0 where there are none."""
    if b == 0:
        return 0, 0
    q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return q, a - q * b


def test_pandas():
    """A table becomes a DataFrame."""
    module("pandas")
    frame = fovea.regionprops(np.eye(3, dtype=np.uint8), properties="label,area").to_pandas()
    assert list(frame.columns) == ["label", "area"] and frame["area"][0] == 3


def test_progress():
    """Progress is heard of, and what it raises ends the run."""
    heard = []
    fovea.run("gaussian | otsu", NOISE, progress=lambda *now: heard.append(now))
    assert heard[-1][2] == 1 and all(0 <= part <= 1 for _, _, part in heard)

    def refuse(*_):
        raise RuntimeError("enough")

    large = np.zeros((3000, 3000), np.float32)
    raises(RuntimeError, "enough", lambda: fovea.gaussian(large, sigma=40, progress=refuse))


def test_interrupt():
    """Ctrl-C stops a run at once."""
    large = np.zeros((4000, 4000), np.float32)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    timer.start()
    raises(KeyboardInterrupt, "", lambda: fovea.run(" | ".join(["gaussian sigma=100 truncate=20"] * 200), large, device="cpu"))
    assert time.monotonic() - start < 20


def test_signals():
    """Handlers of signals run while steps do, which go on when those raise nothing."""
    heard = []
    before = signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
    ones = np.ones((1000, 1000), np.float32)
    try:
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        while not heard:
            assert np.allclose(fovea.run("gaussian sigma=5 | gaussian sigma=5 | gaussian sigma=5", ones, device="cpu").image, 1)
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert len(heard) == 1


def test_threads():
    """Other threads go on while one works, and may work too."""
    turns, done = [0], threading.Event()
    large = np.random.default_rng(3).random((1500, 1500)).astype(np.float32)

    def count():
        while not done.is_set():
            turns[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    fovea.gaussian(large, sigma=50, device="cpu")
    done.set()
    counter.join()
    assert turns[0] > 5
    expected, made = fovea.gaussian(NOISE, sigma=4).numpy(), []
    workers = [threading.Thread(target=lambda: made.extend(fovea.gaussian(NOISE, sigma=4).numpy() for _ in range(10))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(made) == 40 and all(np.array_equal(one, expected) for one in made)


def test_lesson():
    """The lesson finds the objects that SciPy finds, and saves what it says."""
    tifffile = module("tifffile")
    source, folder = pathlib.Path(os.environ["FOVEA_SOURCE"]), tempfile.mkdtemp()
    lesson = next(path for path in (source / "python/examples/lesson.py", source / "build/python/examples/lesson.py") if path.exists())
    sample = source / "data/samples/nuclei_rgb.tif"
    try:
        said = subprocess.run([sys.executable, "-B", lesson, sample, folder], check=True, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "PYTHONPATH": os.path.join(os.environ["FOVEA_BUILD"], "python")}).stdout
        rows = (pathlib.Path(folder) / "nuclei.csv").read_text(encoding="utf-8").splitlines()[1:]
    finally:
        shutil.rmtree(folder)
    smooth = ndimage.gaussian_filter(tifffile.imread(sample)[..., 1].astype(float), 5, mode="nearest")
    threshold = float(re.search(r"threshold ([0-9.]+)", said)[1])
    disk = np.hypot(*np.mgrid[-2:3, -2:3]) <= 2
    _, n = ndimage.label(ndimage.binary_erosion(smooth > threshold, disk, border_value=1), np.ones((3, 3)))
    assert len(rows) == n and f"{n} objects" in said, (len(rows), n, said)


def test_formats():
    """Formats of image files are listed, with the endings that can be saved."""
    formats = {f["key"]: f for f in fovea.formats()}
    assert formats["tiff"] == {"key": "tiff", "label": "TIFF", "plugin": None, "endings": ["tif", "tiff", "svs"], "n_saved": 2, "mime_types": ["image/tiff", "image/x-aperio-svs"],
                               "in_folders": True}, formats
    assert formats["text"]["endings"] == ["txt", "csv", "tsv"] and not formats["text"]["in_folders"], formats
    assert formats["webp"]["n_saved"] == 0 and "ppm" in formats["pnm"]["endings"], formats


def test_selections():
    """Objects become GeoJSON and labels again; a step takes such a file; what cannot be drawn is a warning."""
    labels = fovea.label(NOISE > 0.6)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "cells.geojson")
        labels.save(path)
        back = fovea.open_selections(path, labels)
        assert back.role == "labels" and np.array_equal(back, ndimage.label(NOISE > 0.6, np.ones((3, 3)))[0])
        assert np.array_equal(fovea.keep(NOISE, f"file:{path}"), np.where(NOISE > 0.6, NOISE, 0))
        data = json.loads(path.read_text(encoding="utf-8"))
        assert len(data["features"]) == fovea.regionprops(labels).rows
        data["features"].append({"type": "Feature", "geometry": {"type": "GeometryCollection", "geometries": []}, "properties": {}})
        path.write_text(json.dumps(data), encoding="utf-8")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            assert np.array_equal(fovea.open_selections(path, NOISE), back)
        assert len(said) == 1 and "is left out" in str(said[0].message), said
        raises(fovea.FileError, "does not exist", lambda: fovea.open_selections(path.with_name("none.zip"), NOISE))


def test_napari():
    """The manifest of the plugin for napari lists the operations of this build."""
    plugin = pathlib.Path(os.environ["FOVEA_SOURCE"], "neighbours/napari")
    made = subprocess.run([sys.executable, "-B", plugin / "manifest.py"], check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": os.path.join(os.environ["FOVEA_BUILD"], "python")}).stdout
    assert made == (plugin / "napari_fovea/napari.yaml").read_text(encoding="utf-8"), "run manifest.py napari_fovea/napari.yaml there"


def test_stubs():
    """What type checkers read is Python and has every function as it is."""
    import ast

    path = pathlib.Path(fovea.__file__).with_name("__init__.pyi")
    declared = {node.name: node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}
    for key in fovea.operations():
        names = [a.arg for a in declared[key].args.args + declared[key].args.kwonlyargs]
        assert names == list(inspect.signature(getattr(fovea, key)).parameters), key
    assert set(fovea.__all__) <= set(dir(fovea))


if __name__ == "__main__":
    tap.run(globals())
