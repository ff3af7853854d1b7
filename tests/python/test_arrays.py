#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Images, tables and functions where users of NumPy, scikit-image, xarray and dask expect them to be like what they know."""
import copy
import inspect
import io
import pathlib
import pickle
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import tap
from tap import module, raises

import numpy as np
from scipy import ndimage

import fovea

NOISE = np.random.default_rng(1).random((61, 83)).astype(np.float32)
CROSS = [[0, 1, 0], [1, 1, 1], [0, 1, 0]]


def test_operators():
    """Operators, functions and methods of NumPy do with an image what they do with its pixels."""
    image, pixels = fovea.Image(NOISE, spacing=0.5, unit="µm"), NOISE
    whole, integers = fovea.Image(np.arange(1, 13, dtype=np.uint8).reshape(3, 4)), np.arange(1, 13, dtype=np.uint8).reshape(3, 4)
    for name, (make, expected) in {
            "times": (image * 2, pixels * 2), "reflected": (1 - image, 1 - pixels), "array first": (pixels * image, pixels * pixels),
            "both": (image / image, pixels / pixels), "power": (image ** 2, pixels ** 2), "negative": (-image, -pixels), "above": (image > 0.5, pixels > 0.5),
            "equal": (image == image, pixels == pixels), "and": (whole & 3, integers & 3), "shift": (whole << 1, integers << 1),
            "overflow": (whole + np.uint8(250), integers + np.uint8(250)), "mod": (whole % 5, integers % 5), "matrix": (whole @ integers.T, integers @ integers.T),
            "ufunc": (np.sqrt(image), np.sqrt(pixels)), "reduce": (np.add.reduce(image), np.add.reduce(pixels)), "function": (np.percentile(image, 10), np.percentile(pixels, 10)),
            "concatenate": (np.concatenate([image, pixels]), np.concatenate([pixels, pixels])), "max": (image.max(), pixels.max()), "mean": (image.mean(axis=0), pixels.mean(axis=0)),
            "T": (image.T, pixels.T), "astype": (image.astype(int), pixels.astype(int)), "row": (image[0], pixels[0]), "part": (image[2:5, ::-2], pixels[2:5, ::-2]),
            "points": (image[[1, 2], [3, 4]], pixels[[1, 2], [3, 4]]), "last": (image[..., -1], pixels[..., -1])}.items():
        assert isinstance(make, (np.ndarray, np.generic)) and np.asarray(make).dtype == np.asarray(expected).dtype, (name, make)
        assert np.array_equal(make, expected), name
    assert len(image) == 61 and [row.max() for row in image] == [row.max() for row in pixels] and pixels[3, 4] in image and 2 not in image
    assert float(fovea.Image([[2.5]])) == 2.5 and int(fovea.Image([[7]])) == 7 and bool(fovea.Image([[0]])) is False
    raises(ValueError, "ambiguous", lambda: bool(image))
    raises(TypeError, "unhashable", lambda: hash(image))
    raises(AttributeError, "'wobble'", lambda: image.wobble)
    assert {"max", "spacing", "T"} <= set(dir(image))
    raises(ValueError, "read-only", lambda: image[0].sort())


def test_never_changes():
    """Operators such as += make new arrays, and nothing writes an image."""
    image = before = fovea.Image(NOISE)
    image += 1
    assert isinstance(image, np.ndarray) and np.array_equal(image, NOISE + 1) and np.array_equal(before, NOISE)
    raises(TypeError, "never changes", lambda: np.add(before, 1, out=before))
    added = np.empty_like(NOISE)
    np.add(before, 1, out=added)
    assert np.array_equal(added, NOISE + 1)
    assert before.copy().flags.writeable


def test_masks():
    """Masks are bool in NumPy: they count, select and invert."""
    mask = fovea.otsu(fovea.gaussian(NOISE, 2))
    truth = np.from_dlpack(mask) == 255
    assert set(np.unique(np.from_dlpack(mask))) == {0, 255} and mask.role == "mask"
    assert mask.dtype == np.asarray(mask).dtype == mask.numpy().dtype == bool
    assert mask.sum() == np.count_nonzero(truth) == len(NOISE[mask]) and np.array_equal(NOISE[mask], NOISE[truth])
    assert np.array_equal(~mask, ~truth) and np.array_equal(mask & (NOISE > 0.5), truth & (NOISE > 0.5)) and mask.mean() == truth.mean()
    assert not mask.numpy().flags.writeable and mask.numpy() is mask.numpy()
    assert np.array_equal(fovea.Image(mask.numpy()), mask) and fovea.Image(mask).role == "mask"
    labels, n = ndimage.label(truth, np.ones((3, 3)))
    assert np.array_equal(fovea.label(mask), labels) and fovea.label(mask).max() == n


def test_copies():
    """pickle, copy and deepcopy give the same image, table, file or function again."""
    stack = np.random.default_rng(2).integers(0, 60000, (2, 1, 4, 5, 6), np.uint16)
    image = fovea.Image(stack, spacing=(2, 0.5, 0.25), unit="µm", name="cells", interval=1.5, interval_unit="s", channel_names=["DAPI"])
    labels = fovea.label(fovea.Image(NOISE > 0.7, spacing=0.5, unit="mm"))
    for kept in image, labels, fovea.Image(NOISE > 0.5), fovea.Image(np.zeros((4, 5, 3), np.uint8)):
        for again in pickle.loads(pickle.dumps(kept)), pickle.loads(pickle.dumps(kept, protocol=5)), copy.deepcopy(kept), fovea.Image(kept):
            assert np.array_equal(again, kept)
            for member in "axes", "shape", "dtype", "role", "spacing", "unit", "name", "interval", "channel_names":
                assert getattr(again, member) == getattr(kept, member), member
    assert image.interval == (1.5, "s") and image.channel_names == ["DAPI"]
    assert copy.copy(image) is image and not np.shares_memory(copy.deepcopy(image).numpy(), stack)
    table = fovea.regionprops(labels)
    for again in pickle.loads(pickle.dumps(table)), copy.copy(table), copy.deepcopy(table):
        assert list(again) == list(table) and again.units == table.units and again.help == table.help and again.rows == table.rows
        assert all(np.array_equal(again[name], table[name]) and again[name].dtype == table[name].dtype for name in table)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "a.tif")
        image.save(path)
        again = pickle.loads(pickle.dumps(fovea.File(path)))
        assert len(again) == 1 and [np.array_equal(one, stack[:, 0]) for one in again] == [True]
        table.save(path.with_suffix(".csv"))
        pickle.loads(pickle.dumps(table)).save(path.with_suffix(".again.csv"))
        assert path.with_suffix(".csv").read_bytes() == path.with_suffix(".again.csv").read_bytes()
    assert pickle.loads(pickle.dumps(fovea.gaussian)) is fovea.gaussian and pickle.loads(pickle.dumps(fovea.threshold_li)) is fovea.threshold_li
    try:
        fovea.gaussian(NOISE, sigma=-1)
    except fovea.ArgumentError as error:
        again = pickle.loads(pickle.dumps(error))
    assert type(again) is fovea.ArgumentError and again.field == "sigma" and "-1" in str(again)
    raises(TypeError, "pickle its images", lambda: pickle.dumps(fovea.run("gaussian", NOISE)))
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert np.array_equal(pool.submit(fovea.erosion, labels > 0).result(), fovea.erosion(labels > 0))


def test_joblib():
    """joblib and dask.delayed call functions on images in other processes and threads."""
    joblib = module("joblib")
    expected = [fovea.gaussian(NOISE, sigma) for sigma in (1, 2, 3)]
    for made in (joblib.Parallel(2)(joblib.delayed(fovea.gaussian)(fovea.Image(NOISE), sigma) for sigma in (1, 2, 3)),
                 module("dask").compute(*[module("dask").delayed(fovea.gaussian)(NOISE, sigma) for sigma in (1, 2, 3)])):
        assert all(np.array_equal(a, b) and a.role == "image" for a, b in zip(made, expected))


def test_tables():
    """Tables are made of columns, and are saved as those of operations are."""
    table = fovea.Table({"name": ["a", None, "ß"], "n": [1, 2, 3], "size": [0.5, np.nan, 2]}, units={"size": "µm"}, help={"n": "A number."})
    assert table.rows == len(table) == 3 and list(table) == ["name", "n", "size"] and list(table["name"]) == ["a", None, "ß"] and table["n"].dtype == np.int64 and np.array_equal(table["size"], [0.5, np.nan, 2], equal_nan=True)
    assert table.units == {"name": "", "n": "", "size": "µm"} and table.help["n"] == "A number."
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "t.csv")
        table.save(path)
        assert path.read_text(encoding="utf-8-sig").split() == ["name,n,size", "(µm)", "a,1,0.5", ",2,", "ß,3,2"]
    assert table and len(copy.copy(table)) == len(pickle.loads(pickle.dumps(table))) == 3 and {**table}.keys() == dict(table).keys() == {"name", "n", "size"}
    assert not fovea.Table({}) and not fovea.Table({"a": []}) and list(fovea.Table({"a": []})) == ["a"] and len(fovea.Table({"a": [], "b": []})) == 0
    raises(ValueError, "'b' has 2 values, and the first one 1", lambda: fovea.Table({"a": [1], "b": [1, 2]}))
    raises(fovea.ArgumentError, "2 dimensions", lambda: fovea.Table({"a": [[1]]}), "columns")
    raises(fovea.ArgumentError, "UTF-8", lambda: fovea._fovea.table_new([(b"\xff", b"", b"", False, b"")]), "columns")


def test_pictures():
    """A notebook shows an image as PNG, with its middle slice and its values between dark and bright, and tables as HTML."""
    open_png = module("PIL.Image").open
    stack = np.zeros((5, 40, 30), np.uint16)
    stack[2] = np.arange(1200).reshape(40, 30) + 5000
    shown = np.asarray(open_png(io.BytesIO(fovea.Image(stack)._repr_png_())))
    assert shown.shape == (320, 240, 3), shown.shape  # eight times as large
    expected = np.clip((stack[2] - np.percentile(stack[2], 0.1)) / np.subtract(*np.percentile(stack[2], (99.9, 0.1))), 0, 1) * 255
    assert np.abs(shown[4::8, 4::8, 0] - expected).max() <= 1 and np.array_equal(shown[..., 0], shown[..., 2])
    mask = NOISE > 0.5
    assert np.array_equal(np.asarray(open_png(io.BytesIO(fovea.Image(mask)._repr_png_())))[3::6, 3::6, 1] > 0, mask)
    color = np.random.default_rng(3).integers(0, 256, (600, 600, 3), np.uint8)
    assert np.asarray(open_png(io.BytesIO(fovea.Image(color)._repr_png_()))).shape == (512, 512, 3)
    holes = np.full((20, 20), np.nan)
    labels = np.asarray(open_png(io.BytesIO(fovea.label(mask)._repr_png_())))
    assert len(np.unique(labels.reshape(-1, 3), axis=0)) > 5
    for odd in holes, np.ones((3, 4)), np.array([[np.inf, 1.0]]), np.zeros((2, 2, 2, 9, 9)):
        assert fovea.Image(odd)._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    html = fovea.Image(NOISE)._repr_html_()
    assert html.startswith("<figure") and "data:image/png;base64," in html and "83×61" in html
    table = fovea.Table({"a<b": np.arange(30), "text": [None] + ["x&y"] * 29}, units={"a<b": "µm"})._repr_html_()
    assert "a&lt;b (µm)" in table and "x&amp;y" in table and "30 rows, of which 10 are shown" in table and table.count("<tr>") == 11
    both = fovea.run("otsu | label | regionprops", NOISE)._repr_html_()
    assert "<figure" in both and "<table>" in both


def test_positional():
    """Parameters follow the images in the order of the help, as in SciPy."""
    assert np.allclose(fovea.gaussian(NOISE, 3), ndimage.gaussian_filter(NOISE, 3, mode="nearest"), atol=1e-6)
    assert np.allclose(fovea.gaussian(NOISE, (1, 3), "pixel", 4, "wrap"), ndimage.gaussian_filter(NOISE, (1, 3), mode="wrap"), atol=1e-6)
    labels = fovea.label(NOISE > 0.9)
    table = fovea.regionprops(labels, NOISE, ["label", "intensity_mean"])
    assert np.allclose(table["intensity_mean"], ndimage.mean(NOISE.astype(float), labels, table["label"]), rtol=1e-6)
    assert np.array_equal(fovea.calculate(NOISE, NOISE, "subtract"), NOISE * 0)
    for key in fovea.operations():
        kinds = [p.kind for p in inspect.signature(getattr(fovea, key)).parameters.values()]
        assert kinds == sorted(kinds) and kinds.count(inspect.Parameter.KEYWORD_ONLY) == 3, key
    raises(TypeError, "too many positional", lambda: fovea.otsu(NOISE, 256, False, "u8"))


def test_footprints():
    """Arrays are footprints, as in SciPy and scikit-image."""
    mask, rng = NOISE > 0.6, np.random.default_rng(4)
    for footprint in np.ones((3, 3)), np.ones((3, 3), bool), np.array(CROSS, np.uint8), CROSS, rng.random((5, 7)) > 0.5:
        assert np.array_equal(fovea.median(NOISE, footprint), ndimage.median_filter(NOISE, footprint=np.asarray(footprint) > 0, mode="nearest"))
        assert np.array_equal(fovea.maximum(NOISE, footprint=footprint), ndimage.maximum_filter(NOISE, footprint=np.asarray(footprint) > 0, mode="nearest"))
    assert np.array_equal(fovea.erosion(mask, CROSS), ndimage.binary_erosion(mask, CROSS, border_value=1))
    ball = ndimage.generate_binary_structure(3, 1)
    volume = rng.random((7, 20, 20)) > 0.5
    assert np.array_equal(fovea.dilation(volume, ball, volume=True), ndimage.binary_dilation(volume, ball))
    kernel = rng.random((3, 5))
    assert np.allclose(fovea.convolve(NOISE, shape=kernel), ndimage.convolve(NOISE.astype(float), kernel, mode="nearest"), rtol=1e-5)
    raises(ValueError, "4 dimensions", lambda: fovea.median(NOISE, np.ones((1, 1, 3, 3))))
    raises(fovea.ArgumentError, "circle", lambda: fovea.median(NOISE, "circle"), "footprint")


def between_classes(counts, centers):
    """Otsu's threshold of a histogram: where the variance between the classes is largest."""
    counts = counts.astype(float)
    below, above = np.cumsum(counts), np.cumsum(counts[::-1])[::-1]
    with np.errstate(all="ignore"):
        low, high = np.cumsum(counts * centers) / below, (np.cumsum((counts * centers)[::-1]) / above[::-1])[::-1]
    return centers[np.nanargmax(below[:-1] * above[1:] * (low[:-1] - high[1:]) ** 2)]


def test_thresholds():
    """threshold_METHOD() returns the number: that of the definition, of scikit-image, and the one that the mask is made with."""
    counts = np.bincount((NOISE * 99).astype(np.uint8).ravel(), minlength=100)
    assert fovea.threshold_otsu((NOISE * 99).astype(np.uint8)) == between_classes(counts, np.arange(100))
    spotted = np.concatenate([np.random.default_rng(5).normal(100, 10, 5000), np.random.default_rng(6).normal(180, 15, 2000)]).reshape(70, 100).clip(0, 255)
    for method in "otsu", "li", "yen", "triangle", "isodata", "mean", "minimum":
        for pixels in spotted.astype(np.uint8), spotted.astype(np.float32):
            found = getattr(fovea, f"threshold_{method}")(pixels)
            assert isinstance(found, float)
            assert np.array_equal(fovea.threshold(pixels, method), pixels > found), method
    slices = np.stack([spotted, spotted / 2]).astype(np.float32)
    each = fovea.threshold_otsu(slices, volume=False)
    assert each.shape == (2,) and np.allclose(each, [fovea.threshold_otsu(one) for one in slices])
    assert fovea.threshold_otsu(slices, volume=True) == fovea.run("otsu", slices, volume=True).numbers(0)["threshold"][0]
    assert fovea.threshold_otsu(spotted, 1000) != fovea.threshold_otsu(spotted, bins=20)
    assert {"threshold_otsu", "threshold_imagej_li"} <= set(dir(fovea)) and "threshold_manual" not in dir(fovea) and "above it" in fovea.threshold_li.__doc__
    raises(AttributeError, "threshold_otzu", lambda: fovea.threshold_otzu)
    filters = module("skimage.filters")
    for method in "otsu", "yen", "triangle", "isodata", "mean", "minimum":
        for pixels in spotted.astype(np.uint8), spotted.astype(np.float64):
            theirs, mine = getattr(filters, f"threshold_{method}")(pixels), getattr(fovea, f"threshold_{method}")(pixels)
            assert np.isclose(mine, theirs, rtol=1e-6), (method, pixels.dtype, mine, theirs)


def test_suggestions():
    """A wrong name is an error that suggests the right one."""
    raises(TypeError, "Did you mean 'sigma'?", lambda: fovea.gaussian(NOISE, sgima=2))
    raises(TypeError, "Did you mean 'device'?", lambda: fovea.gaussian(NOISE, devise="cpu"))
    raises(TypeError, "Parameters: image, sigma", lambda: fovea.gaussian(NOISE, xyzzy=2))
    raises(AttributeError, "Did you mean 'gaussian'?", lambda: fovea.gausian)
    raises(AttributeError, "'gaussian', 'convolve'", lambda: fovea.blur)
    raises(AttributeError, "fovea.operations()", lambda: fovea.xyzzy)
    raises(fovea.ArgumentError, "Did you mean 'gaussian'? See fovea.operations().", lambda: fovea.run("gausian", NOISE))
    assert not hasattr(fovea, "__wrapped__") and not hasattr(fovea, "_nothing")


def test_declarations():
    """An operation is described with its parameters, their types, limits and choices."""
    about = fovea.describe("gaussian")
    sigma, border = about["parameters"][0], next(p for p in about["parameters"] if p["key"] == "border")
    assert about["menu"].startswith("Process") and about["inputs"][0]["key"] == "image" and sigma["key"] == "sigma" and sigma["unit"] == "px"
    assert sigma["limits"][:2] == (0, 1000) and 0 <= sigma["limits"][2] < sigma["limits"][3] <= 1000 and float(sigma["initial"]) == 2
    assert [key for key, _ in border["choices"]] == ["nearest", "reflect", "mirror", "wrap", "constant"] and border["enabled"] == "method=sampled"
    raises(fovea.ArgumentError, "Did you mean 'gaussian'?", lambda: fovea.describe("gausian"), "operation")


def test_slices():
    """Functions take slices as fovea.run() does, and a warning says what is done with them."""
    point = np.zeros((9, 9, 9), np.float32)
    point[4, 4, 4] = 1
    known = fovea.Image(point > 0, spacing=(2, 1, 1), unit="µm")
    expected = {"gaussian: each slice separately; volume=True processes them as one volume.": lambda: fovea.gaussian(point, 1),
                "label: each slice separately, since the slice spacing is unknown; volume=True processes them as one volume.": lambda: fovea.label(point > 0),
                "label: the slices form one volume; volume=False processes each slice separately.": lambda: fovea.label(known),
                "threshold: the slices form one volume; volume=False processes each slice separately.": lambda: fovea.threshold_mean(known),
                "otsu: each slice separately, since the slice spacing is unknown; volume=True processes them as one volume.": lambda: fovea.run("otsu", point)}
    for says, call in expected.items():
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            call()
        assert [str(warning.message) for warning in said] == [says], (says, said)
        assert said[0].filename == __file__, said[0].filename
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone, together = fovea.gaussian(point, 1, volume=False), fovea.gaussian(point, 1, volume=True)
        fovea.gaussian(point[0], 1), fovea.gaussian(point[:1], 1), fovea.arithmetic(point), fovea.run("gaussian", point)
    assert np.allclose(together, ndimage.gaussian_filter(point, 1, mode="nearest"), atol=1e-6)
    assert np.allclose(alone, ndimage.gaussian_filter(point, (0, 1, 1), mode="nearest"), atol=1e-6)


def test_masked():
    """Masked pixels of NumPy become NaN, and are an error where there is none."""
    masked = np.ma.masked_greater(NOISE, 0.9)
    image = fovea.Image(masked)
    assert np.array_equal(np.isnan(image), masked.mask) and np.array_equal(image[~masked.mask], NOISE[~masked.mask])
    assert np.isnan(fovea.minimum(masked, "square", 1)).sum() > masked.mask.sum()
    assert np.array_equal(fovea.Image(np.ma.array(NOISE)), NOISE) and np.shares_memory(fovea.Image(np.ma.array(NOISE)).numpy(), NOISE)
    raises(fovea.ArgumentError, "filled()", lambda: fovea.gaussian(np.ma.masked_equal(np.arange(12).reshape(3, 4), 5)), "image")


def test_xarray():
    """Axes, spacing, unit and name come from xarray, and go back."""
    xarray = module("xarray")
    values = np.random.default_rng(7).random((6, 2, 5, 4))
    array = xarray.DataArray(values, dims=("x", "channel", "Y", "z"), name="cells",
                             coords={"x": np.arange(6) * 0.25 + 3, "Y": ("Y", np.arange(5) * -0.5, {"units": "µm"}), "z": [0, 2, 4, 6], "channel": ["a", "b"]})
    image = fovea.Image(array)
    assert (image.axes, image.shape, image.name) == ("CZYX", (2, 4, 5, 6), "cells")
    assert image.spacing == (2, 0.5, 0.25) and image.unit == ("", "µm", "")
    assert np.array_equal(image, values.transpose(1, 3, 2, 0))
    assert fovea.Image(array, spacing=7).spacing == (7, 7, 7) and fovea.Image(array, axes="XTYZ").axes == "TZYX"
    smooth = fovea.gaussian(array, 1, volume=False)
    assert np.allclose(smooth, ndimage.gaussian_filter(values.transpose(1, 3, 2, 0), (0, 0, 1, 1), mode="nearest"))
    back = smooth.to_xarray()
    assert back.dims == ("c", "z", "y", "x") and np.array_equal(back.values, smooth) and np.shares_memory(back.values, smooth.numpy())
    assert np.allclose(back.x, np.arange(6) * 0.25) and np.allclose(back.y, np.arange(5) * 0.5) and back.y.attrs == {"units": "µm"}
    again = fovea.Image(back)
    assert (again.axes, again.spacing, again.unit) == (smooth.axes, smooth.spacing, smooth.unit)
    assert fovea.Image(xarray.DataArray(NOISE, dims=("y", "x"))).spacing == (1, 1, 1)
    raises(fovea.ArgumentError, "'dim_0'", lambda: fovea.Image(xarray.DataArray(NOISE)), "axes")
    raises(fovea.ArgumentError, "not evenly", lambda: fovea.Image(xarray.DataArray(NOISE[:3, :3], dims=("y", "x"), coords={"y": [0, 1, 5]})), "spacing")


#: Parameters that make a local operation reach further than its defaults, or that it needs.
LOCAL = ["gaussian sigma=1.5", "median radius=3", "erosion iterations=2", "sobel", "hessian sigma=1", "unsharp sigma=1", "variance", "bilateral sigma=1", "nlmeans patch_distance=2",
         "anisotropic iterations=4", "laplacian", "convolve", "outline", "tophat radius=2", "expand distance=3", "expression expression='abs(a - 0.5)'", "arithmetic", "convert",
         "local_threshold radius=3", "gaussian sigma=1 as=low | median from=source | calculate b=low function=subtract"]


def test_halo():
    """A block with its halo has the pixels of the whole: every operation that works on blocks, on each block of a division."""
    stack = np.random.default_rng(8).random((6, 40, 50)).astype(np.float32)
    for steps in LOCAL:
        array = (stack > 0.8).astype(np.int32) if steps.startswith("expand") else stack > 0.5 if steps.startswith("outline") else stack
        for volume in False, True:
            try:
                around = fovea.halo(steps, array, volume=volume)
            except fovea.UnsupportedError:
                continue
            whole = fovea.run(steps, array, volume=volume).image.numpy()
            for lo, hi in (0, 20), (20, 40), (33, 34):
                first, last = max(0, lo - around["Y"]), min(40, hi + around["Y"])
                part = fovea.run(steps, array[:, first:last], volume=volume).image.numpy()[:, lo - first:hi - first]
                assert np.array_equal(part, whole[:, lo:hi]), (steps, volume, around)
            if around["Z"]:
                part = fovea.run(steps, array[2 - min(2, around["Z"]):], volume=volume).image.numpy()[min(2, around["Z"]):]
                assert np.array_equal(part, whole[2:]), (steps, volume, around)
    assert fovea.halo("gaussian sigma=2 | median radius=3", stack) == {"Z": 0, "Y": 11, "X": 11}
    assert fovea.halo("gaussian sigma=9 border=wrap", stack) == {"Z": 0, "Y": 40, "X": 50}
    assert fovea.halo("gaussian sigma=1", stack, volume=True) == {"Z": 4, "Y": 4, "X": 4}
    assert fovea.halo("gaussian sigma=2 units=physical", stack, spacing=(1, 0.5, 1), unit="µm") == {"Z": 0, "Y": 16, "X": 8}
    assert fovea.halo("arithmetic", np.broadcast_to(np.uint8(0), (10**6, 10**6))) == {"Z": 0, "Y": 0, "X": 0}  # nothing is read
    for steps, says in {"gaussian | otsu": "otsu cannot", "label": "whole image", "bin": "bin cannot", "keep inside='oval(1,1,3,3)'": "selection", "noise": "noise",
                        "expression expression='x'": "coordinates", "crop width=5": "crop", "regionprops": "table"}.items():
        raises(fovea.UnsupportedError, says, lambda: fovea.halo(steps, stack))


def test_dask():
    """map_blocks() gives on blocks what run() gives on the whole, and computes nothing before it has to."""
    array = module("dask.array")
    stack = np.random.default_rng(9).random((6, 70, 90)).astype(np.float32)
    for steps, chunks in ("gaussian sigma=2 | median radius=1", (2, 30, 40)), ("sobel border=wrap | median radius=1", (6, 7, 90)), ("arithmetic function=multiply value=3", (1, 70, 9)):
        for volume in False, True:
            blocks = fovea.map_blocks(steps, array.from_array(stack, chunks), volume=volume)
            whole = fovea.run(steps, stack, volume=volume).image
            assert blocks.shape == stack.shape and blocks.dtype == whole.dtype and np.array_equal(blocks.compute(), whole), (steps, volume)
    colors = np.random.default_rng(10).random((2, 3, 40, 50))
    made = fovea.map_blocks("gaussian sigma=1", array.from_array(colors, (1, 1, 20, 20)), axes="TCYX")
    assert np.array_equal(made.compute(), fovea.run("gaussian sigma=1", colors, axes="TCYX").image)
    assert np.array_equal(fovea.map_blocks("erosion", array.from_array(stack > 0.4, (3, 30, 30))).compute(), fovea.run("erosion", stack > 0.4, volume=False).image)
    named = module("xarray").DataArray(array.from_array(stack, (3, 30, 30)), dims=("time", "y", "x"), coords={"x": np.arange(90) * 0.5})
    assert np.array_equal(fovea.map_blocks("gaussian sigma=1 units=physical", named).compute(), fovea.run("gaussian sigma=1,2", stack, axes="TYX").image)
    raises(fovea.UnsupportedError, "otsu", lambda: fovea.map_blocks("otsu", array.from_array(stack, (2, 30, 40))))
    raises(fovea.ArgumentError, "arrays of dask", lambda: fovea.map_blocks("gaussian", stack), "array")


if __name__ == "__main__":
    tap.run(globals())
