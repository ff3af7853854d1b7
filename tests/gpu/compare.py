#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares every operation on a device with SciPy and scikit-image, with CuPy and cuCIM where they are, and with
Fovea's own CPU versions on random arguments. Output is TAP.

    tests/gpu/compare.py [--device cuda:0] [--plugin build/plugin/fovea-kernels.so] [--seconds 100]
"""
import argparse
import os
import sys
import warnings

import numpy as np
import scipy.ndimage as ndi
from fv_device import ROOT, Runner
from scipy import signal
from skimage import color, filters, measure, morphology

import compare_fuzz
import compare_thresholds  # noqa: F401
import tap
from tap import check, close, columns, equal, near, sure

sys.path[1:1] = [os.path.join(ROOT, "tests", "golden"), os.path.join(ROOT, "tests", "bench")]
import check_labels as golden_check_labels  # noqa: E402
import convolve as golden_convolve  # noqa: E402
import display as golden_display  # noqa: E402
import erosion as golden_erosion  # noqa: E402
import interpret as golden_interpret  # noqa: E402
import label as golden_label  # noqa: E402
import label2rgb as golden_label2rgb  # noqa: E402
import mean as golden_mean  # noqa: E402
import median as golden_median  # noqa: E402
import patch_match as golden_patch_match  # noqa: E402
import reconstruct as golden_reconstruct  # noqa: E402
import regionprops as golden_regionprops  # noqa: E402
import threshold as golden_threshold  # noqa: E402
import zoom as golden_zoom  # noqa: E402
from inputs import dots, nuclei  # noqa: E402

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)
MASK, LABELS = 1, 2  # roles
EIGHT = np.ones((3, 3))


class Subject:
    """The device under test, with images in host memory on both sides."""

    def __init__(self, runner):
        self.runner, self.xp = runner, runner.xp
        self.cpu = runner if runner.fv.kind == 0 else Runner(runner.path, "cpu")
        self.images = {}

    def up(self, image):
        return None if image is None else self.xp.asarray(image)

    def down(self, image):
        return image if self.xp is np else image.get()

    def run(self, key, *images, pad=5, **arguments):
        """Results in host memory; the padding of the outputs' rows must stay as it was."""
        result = self.runner.run(key, *[self.up(image) for image in images], pad=pad, **arguments)
        for i, view in enumerate(result.outputs):
            store = self.down(view.base if view.base is not None else view)
            beyond = np.ascontiguousarray(store[:, :, view.shape[2]:]).view(np.uint8)
            assert (beyond == 0xA5).all(), f"{key} wrote beyond the rows of its output"
            result.outputs[i] = store[:, :, :view.shape[2]]
        return result

    def out(self, key, *images, **arguments):
        """The first output, as one plane when it is one."""
        output = self.run(key, *images, **arguments).outputs[0]
        return output[0] if len(output) == 1 else output

    def made(self, name, make):
        """An image that several checks use."""
        if name not in self.images:
            self.images[name] = make()
        return self.images[name]

    def nuclei(self, n):
        return self.made(f"nuclei {n}", lambda: nuclei(n))

    def blurred(self, n):
        return self.made(f"blurred {n}", lambda: ndi.gaussian_filter(self.nuclei(n).astype(np.float32), 5))

    def mask(self, n):
        return self.made(f"mask {n}", lambda: (self.blurred(n) > filters.threshold_otsu(self.blurred(n)))
                         .astype(np.uint8) * 255)

    def labels(self, n):
        return self.made(f"labels {n}", lambda: measure.label(self.mask(n) > 0).astype(np.int32))


def noise(dtype, shape, seed):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return (rng.normal(size=shape) * 1e3).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def float_of(dtype):
    return np.float64 if dtype == np.float64 else np.float32


# ---- Filters ----

@check("gaussian")
def gaussian(s):
    for dtype in TYPES:
        image = noise(dtype, (517, 1031), 1)
        exact = ndi.gaussian_filter(image.astype(np.float64), 5, mode="nearest")
        limit = 1e-12 if dtype == np.float64 else 1e-6
        yield f"{np.dtype(dtype).name} sigma 5", close(s.out("gaussian", image, sigma=5), exact, limit)
        if np.dtype(dtype).kind != "f":
            yield (f"{np.dtype(dtype).name} rounded", near(s.out("gaussian", image, sigma=5, output="same"),
                                                           np.rint(exact), 1, 1e-2 if dtype != np.int32 else 1))
    image, volume = noise(np.float32, (389, 401), 2), noise(np.float32, (45, 83, 97), 3)
    for border in ("nearest", "reflect", "mirror", "wrap", "constant"):
        for sigma in ((0.7, 3), (40, 25)):
            exact = ndi.gaussian_filter(image.astype(np.float64), sigma, mode=border, cval=70)
            found = s.out("gaussian", image, sigma=sigma, border=border, value=70)
            yield f"{border} {sigma}", close(found, exact, 1e-6)
        exact = ndi.gaussian_filter(volume.astype(np.float64), (3, 1, 2), mode=border, cval=70)
        yield f"{border} volume", close(s.out("gaussian", volume, sigma=(3, 1, 2), border=border, value=70,
                                              volume=True), exact, 1e-6)


@check("convolve")
def convolve(s):
    rng = np.random.default_rng(21)
    kernels = {"15x15": rng.normal(size=(15, 15)), "separable": np.outer(rng.normal(size=19), rng.normal(size=33)),
               "35x21": rng.normal(size=(35, 21)), "101x97": rng.normal(size=(101, 97)), "1x40": rng.normal(size=(1, 40)),
               "40x1": rng.normal(size=(40, 1))}
    for dtype in TYPES:
        image, limit = noise(dtype, (517, 1031), 22), 1e-12 if golden_convolve.result_type(dtype) == np.float64 else 1e-5
        for name, kernel in kernels.items():
            exact = signal.fftconvolve(image.astype(np.float64), kernel, "same")
            yield (f"{np.dtype(dtype).name} {name}", close(s.out("convolve", image, kernel, shape="image", boundary="fill"),
                                                           exact, limit))
    image, volume = noise(np.float64, (389, 401), 23), noise(np.float32, (23, 83, 97), 24)
    solids = {"3x4x5": rng.normal(size=(3, 4, 5)), "7x21x23": rng.normal(size=(7, 21, 23)),
              "separable": np.einsum("i,j,k", *[rng.normal(size=9)] * 3)}
    for mode in ("same", "full", "valid"):
        for boundary in golden_convolve.PADS:
            options = {"shape": "image", "mode": mode, "boundary": boundary, "value": 70}
            for name in ("15x15", "separable", "101x97"):
                exact = golden_convolve.convolved(image, kernels[name], mode, boundary, 70, method="fft")
                yield f"{mode} {boundary} {name}", close(s.out("convolve", image, kernels[name], **options), exact, 1e-12)
            for name, kernel in solids.items():
                exact = golden_convolve.convolved(volume, kernel, mode, boundary, 70, method="fft")
                yield f"{mode} {boundary} {name}", close(s.out("convolve", volume, kernel, volume=True, **options), exact, 1e-5)
    for value in (np.nan, np.inf, 1e305):
        holes = image.copy()
        holes[200, 300] = value
        expect = golden_convolve.convolved(image, kernels["101x97"], boundary="fill", method="fft")
        found = s.out("convolve", holes, kernels["101x97"], shape="image", boundary="fill")
        far = np.ones(image.shape, bool)
        far[150:251, 252:349] = False
        yield f"{value} near", sure(not np.isfinite(found[~far]).any() or value == 1e305, "a finite number")
        yield f"{value} far", close(found[far], expect[far], 1e-12)


@check("convolve")
def convolve_and_cupy(s):
    import cupyx.scipy.signal
    image = s.xp.random.RandomState(1).random_sample((4096, 4096), dtype=np.float32)
    kernel = s.xp.random.RandomState(2).random_sample((101, 101), dtype=np.float32)
    exact = cupyx.scipy.signal.fftconvolve(image.astype(np.float64), kernel.astype(np.float64), "same")
    yield "4096 101x101", close(s.out("convolve", image, kernel, shape="image", boundary="fill"), exact.get(), 1e-6)


@check("gaussian")
def gaussian_and_cupy(s):
    import cupyx.scipy.ndimage
    image = s.xp.asarray(s.nuclei(4096))
    exact = cupyx.scipy.ndimage.gaussian_filter(image.astype(np.float64), 5, mode="nearest")
    yield "nuclei 4096 f32", close(s.out("gaussian", image.astype(np.float32), sigma=5), exact.get(), 1e-6)
    yield "nuclei 4096 u16", close(s.out("gaussian", image, sigma=5), exact.get(), 1e-6)


@check("zoom")
def zoom(s):
    image, volume = s.nuclei(640).astype(np.float32), noise(np.float32, (41, 76, 108), 4)
    for order in range(6):
        for factor in (1.7, 0.6):
            size = [round(n * factor) for n in image.shape]
            exact = ndi.zoom(image.astype(np.float64), [n / m for n, m in zip(size, image.shape)], order=order,
                             mode="mirror")
            yield f"order {order} factor {factor}", close(s.out("zoom", image, factor=factor, order=order,
                                                                border="mirror"), exact, 1e-5)
    for border in golden_zoom.BORDERS:
        for grid in (False, True):
            exact = ndi.zoom(image[:300, :400].astype(np.float64), 1.25, mode=border, cval=70, grid_mode=grid)
            yield f"{border} grid {grid}", close(s.out("zoom", image[:300, :400], factor=1.25, border=border, value=70,
                                                       grid_mode="yes" if grid else "no"), exact, 1e-5)
    for order in (0, 1, 3, 5):
        size = [round(n * f) for n, f in zip(volume.shape, (0.8, 1.25, 1.25))]
        exact = ndi.zoom(volume.astype(np.float64), [n / m for n, m in zip(size, volume.shape)], order=order,
                         mode="mirror")
        yield f"volume order {order}", close(s.out("zoom", volume, factor=(0.8, 1.25, 1.25), order=order,
                                                   border="mirror", volume=True), exact, 1e-5)
    for new in (0.31, 0.9):
        size = [round(n * 0.5 / new) for n in image.shape]
        exact = ndi.zoom(image.astype(np.float64), [n / m for n, m in zip(size, image.shape)], mode="nearest", grid_mode=True)
        yield f"spacing {new}", close(s.out("zoom", image, by="spacing", spacing=new, pixel_size=(1, 0.5, 0.5)), exact, 1e-5)
    for dtype in (np.uint8, np.uint16):
        exact = np.clip(np.rint(ndi.zoom(image.astype(dtype).astype(np.float64), 2, mode="mirror")), 0,
                        np.iinfo(dtype).max)
        yield f"{np.dtype(dtype).name} rounded", near(s.out("zoom", image.astype(dtype), factor=2, border="mirror"),
                                                      exact, 1, 1e-3)


@check("zoom")
def zoom_and_cupy(s):
    import cupyx.scipy.ndimage
    volume = s.xp.random.RandomState(1).random_sample((330, 608, 865), dtype=np.float32)
    for order in (1, 3, 5):
        found = s.runner.run("zoom", volume, factor=(0.8, 1.25, 1.25), order=order, border="mirror", volume=True)
        factors = [n / m for n, m in zip(found.outputs[0].shape, volume.shape)]
        exact = cupyx.scipy.ndimage.zoom(volume.astype(np.float64), factors, order=order, mode="mirror")
        exact -= found.outputs[0]
        error = float(s.xp.linalg.norm(exact) / s.xp.linalg.norm(volume) * (volume.size / exact.size) ** 0.5)
        yield f"330 x 608 x 865 order {order}", sure(error < 1e-5, f"relative error {error:.3g}")
        del found, exact


# ---- Morphology ----

def morphology_of(operation):
    def compare(s):
        mask, grey = s.mask(640), s.nuclei(640)
        floats = noise(np.float32, (301, 333), 6)
        flat = golden_erosion.FLAT
        for footprint, radius in (("disk", 2), ("disk", 10), ("square", 7), ("octagon", 5), ("diamond", 4),
                                  ("square", 40)):
            expect = golden_erosion.apply(operation, mask, flat[footprint](radius))
            yield f"mask {footprint} {radius}", equal(s.out(operation, mask, roles=[MASK], footprint=footprint,
                                                            radius=radius), expect)
        for image, footprint, radius in ((grey, "disk", 5), ((grey >> 4).astype(np.uint8), "square", 4),
                                         (floats, "disk", 3), (floats.astype(float), "diamond", 2),
                                         (noise(np.int32, (201, 333), 7), "octagon", 3)):
            expect = golden_erosion.apply(operation, image, flat[footprint](radius))
            found = s.out(operation, image, footprint=footprint, radius=radius)
            yield f"{image.dtype} {footprint} {radius}", equal(found, expect)
        for name, text in golden_erosion.MATRICES.items():
            expect = golden_erosion.apply(operation, mask, golden_erosion.parse(text))
            found = s.out(operation, mask, roles=[MASK], footprint="matrix", matrix=text)
            yield f"matrix {name}", equal(found, expect)
        expect = golden_erosion.apply(operation, mask, flat["disk"](2), 3)
        yield "disk 2 three times", equal(s.out(operation, mask, roles=[MASK], radius=2, iterations=3), expect)
        solid = golden_erosion.blobs(np.random.default_rng(8), (31, 60, 70), 0.7)
        expect = golden_erosion.apply(operation, solid, morphology.ball(3))
        found = s.out(operation, solid, roles=[MASK], footprint="ball", radius=3, volume=True)
        yield "volume ball 3", equal(found, expect)
    compare.__name__ = operation
    return compare


for name in ("erosion", "dilation", "opening", "closing"):
    check(name)(morphology_of(name))


@check("erosion")
def erosion_and_cucim(s):
    from cucim.skimage import morphology as peer
    mask, grey = s.mask(4096), s.nuclei(4096)
    for radius in (2, 10):
        inside = (slice(radius, -radius),) * 2
        expect = peer.erosion(s.up(mask), s.up(morphology.disk(radius))).get()
        found = s.out("erosion", mask, roles=[MASK], radius=radius)
        yield f"nuclei 4096 disk {radius}", equal(found[inside], expect[inside])
    expect = peer.erosion(s.up(grey), s.up(morphology.disk(5))).get()
    yield "nuclei 4096 u16 disk 5", equal(s.out("erosion", grey, radius=5)[5:-5, 5:-5], expect[5:-5, 5:-5])


# ---- Rank filters ----

def rank_of(operation):
    def compare(s):
        for dtype in TYPES:
            image = noise(dtype, (217, 331), 31)
            for radius in (1, 2, 5, 10):
                expect = golden_median.over(operation, image, morphology.disk(radius))
                yield f"{np.dtype(dtype).name} disk {radius}", equal(s.out(operation, image, radius=radius), expect)
            stack = noise(dtype, (7, 45, 53), 32)
            expect = golden_median.over(operation, stack, morphology.ball(2), "wrap")
            found = s.out(operation, stack, footprint="ball", radius=2, volume=True, border="wrap")
            yield f"{np.dtype(dtype).name} ball 2", equal(found, expect)
    compare.__name__ = operation
    return compare


def sums_of(operation):
    def compare(s):
        for dtype in TYPES:
            image = noise(dtype, (117, 231), 33)
            limit = 1e-10 if dtype == np.float64 else 1e-6
            for footprint, radius in (("disk", 3), ("square", 2), ("square", 5)):
                exact = golden_mean.over(operation, image, golden_erosion.FLAT[footprint](radius))
                yield (f"{np.dtype(dtype).name} {footprint} {radius}",
                       close(s.out(operation, image, footprint=footprint, radius=radius), exact, limit))
    compare.__name__ = operation
    return compare


for name in ("median", "minimum", "maximum"):
    check(name)(rank_of(name))
for name in ("mean", "variance"):
    check(name)(sums_of(name))


# ---- Objects ----

# Of what large images have kernels of their own for: OpenCV's extrema take what is outside for nothing, which is the same here.

@check("maximum", "minimum", "tophat", "blackhat", "median")
def large_ranks(s):
    import cv2
    for dtype in (np.uint8, np.uint16, np.float32):
        image, name = noise(dtype, (3001, 4003), 35), np.dtype(dtype).name
        for radius in (3, 5, 15):
            disk = morphology.disk(radius)
            for operation, do in (("maximum", cv2.dilate), ("minimum", cv2.erode)):
                yield f"{name} {operation} disk {radius}", equal(s.out(operation, image, radius=radius), do(image, disk))
            for operation, kind in (("tophat", cv2.MORPH_TOPHAT), ("blackhat", cv2.MORPH_BLACKHAT)):
                yield (f"{name} {operation} disk {radius}",
                       equal(s.out(operation, image, radius=radius), cv2.morphologyEx(image, kind, disk)))
        for side in (3, 5):
            found = s.out("median", image, footprint="square", radius=side // 2)
            yield f"{name} median {side} x {side}", equal(found, cv2.medianBlur(image, side))


@check("mean", "log", "sobel", "rotate")
def large_filters(s):
    image = noise(np.float32, (3001, 4003), 36)
    exact = image.astype(np.float64)
    yield "mean 11 x 11", close(s.out("mean", image, footprint="square", radius=5), ndi.uniform_filter(exact, 11, mode="nearest"), 1e-6)
    yield "log", close(s.out("log", image, sigma=2), ndi.gaussian_laplace(exact, 2, mode="nearest"), 1e-6)
    yield "sobel", close(s.out("sobel", image), filters.sobel(exact, mode="nearest"), 1e-6)
    inside = slice(700, 2300), slice(900, 3100)  # where nothing of the border comes in
    turned = ndi.rotate(exact, -30, reshape=False, order=1)  # SciPy turns the other way
    yield "rotate", close(s.out("rotate", image, angle=30)[inside], turned[inside], 1e-6)


def same_objects(found, expected):
    """Equal but for the numbers."""
    count, other = int(found.max()), int(expected.max())
    if count != other:
        return f"{count} objects instead of {other}"
    number = np.zeros(count + 1, np.int64)
    number[found.ravel()] = expected.ravel()
    return equal(number[found], expected)


def drawings(s):
    rng = np.random.default_rng(9)
    y, x = np.mgrid[:1023, :1025]
    yield "nuclei 2048", s.mask(2048)
    for p in (0.3, 0.41, 0.6, 0.9):
        yield f"noise {p}", (rng.random((1531, 1999)) < p).astype(np.uint8)
    yield "10^6 dots", dots(4096)
    for name, drawing in golden_label.shapes(513).items():
        yield name, drawing.astype(np.uint8) * 7
    yield "serpentine", (((y % 4 == 0) | ((y % 4 == 2) & (x == np.where(y % 8 == 2, 0, 1024)))
                          | ((y % 2 == 1) & (x == np.where(y % 8 < 4, 1024, 0))))).astype(np.uint8)
    yield "full", np.ones((700, 1300), np.uint8)
    yield "empty", np.zeros((700, 1300), np.uint8)


@check("label")
def label(s):
    for name, drawing in drawings(s):
        for connectivity in (1, 2):
            found = s.run("label", drawing, roles=[MASK], connectivity=str(4 * connectivity))
            expect = measure.label(drawing > 0, connectivity=connectivity)
            n = found.scalars["objects"][0]
            yield (f"{name} {4 * connectivity}", sure(n == expect.max(), f"{n} objects instead of {expect.max()}") or
                   equal(found.outputs[0][0], expect.astype(np.int32)))
    rng = np.random.default_rng(10)
    volume = (rng.random((60, 150, 170)) < 0.28).astype(np.uint8)
    for connectivity, axes in (("6", 1), ("18", 2), ("26", 3)):
        yield (f"volume {connectivity}", equal(s.out("label", volume, connectivity=connectivity, volume=True),
                                               measure.label(volume, connectivity=axes).astype(np.int32)))
    levels = rng.integers(0, 3, (611, 707)).astype(np.int32) * 70000
    for values in ("nonzero", "equal"):
        for options in ({}, {"min_size": 3, "max_size": 40}, {"exclude_border": True}):
            expect = golden_label.one(levels, 1, values, options.get("min_size", 0), options.get("max_size", 0),
                                      options.get("exclude_border", False))
            yield (f"{values} {' '.join(options)}", equal(s.out("label", levels, connectivity="4", values=values,
                                                                **options), expect))


@check("label")
def label_and_cucim(s):
    from cucim.skimage.measure import label as peer
    dense = (np.random.default_rng(0).random((4096, 4096)) < .6).astype(np.uint8)
    for name, mask in (("nuclei", s.mask(4096)), ("noise", dense)):
        expect = peer(s.up(mask) > 0, connectivity=2).get()
        yield f"{name} 4096", same_objects(s.out("label", mask, roles=[MASK]), expect)


@check("label2rgb")
def label2rgb(s):
    labels, grey = s.labels(640), s.nuclei(640)
    yield "nuclei 2048", near(s.out("label2rgb", s.labels(2048), roles=[LABELS], mode="plain"), np.moveaxis(
        golden_label2rgb.to_u8(color.label2rgb(s.labels(2048), bg_label=0)), -1, 0), 1)
    for arguments in ({"palette": "classic"}, {"alpha": 0.6}, {"background": "image"}, {"contrast": "range"}):
        expect = golden_label2rgb.label2rgb(labels[None], grey[None, None], **arguments)
        found = s.out("label2rgb", labels, grey, roles=[LABELS], **arguments)
        yield f"overlay {arguments}", near(found, expect[:, 0], 1)
    gaps = labels * np.int32(1001) - np.int32(5000)
    yield "gaps", near(s.out("label2rgb", gaps, roles=[LABELS], mode="plain"),
                       golden_label2rgb.label2rgb(gaps[None], mode="plain")[:, 0], 1)


@check("regionprops")
def regionprops(s):
    labels, image = s.labels(640), s.nuclei(640)
    case = golden_regionprops.case("nuclei", labels, image[None])
    case.table.pop("orientation")
    properties = case.step.split("properties=")[1].split(" ")[0]
    yield "nuclei, all of scikit-image", columns(s.run("regionprops", labels, image, roles=[LABELS],
                                                       properties=properties).table, case.table)
    labels = measure.label(noise(np.float32, (150, 170), 11) > 300, connectivity=1).astype(np.int32) * 3  # with gaps
    case = golden_regionprops.case("gaps", labels, keys=["label", "area", "bbox", "centroid", "perimeter", "solidity",
                                                         "euler_number", "area_filled"])
    found = s.run("regionprops", labels, roles=[LABELS], properties=case.step.split("=")[1])
    yield "small objects with gaps", columns(found.table, case.table)
    volume = measure.label(noise(np.float32, (20, 50, 60), 12) > 1100).astype(np.int32)
    case = golden_regionprops.case("volume", volume, keys=["label", "area", "bbox", "centroid", "solidity", "extent"])
    found = s.run("regionprops", volume, roles=[LABELS], properties=case.step.split("=")[1].split(" ")[0], volume=True)
    yield "volume", columns(found.table, case.table)


@check("regionprops")
def a_million_objects(s):
    image = s.nuclei(4096)
    labels = measure.label(dots(4096) > 0).astype(np.int32)
    n, flat = int(labels.max()), labels.ravel()
    area = np.bincount(flat)[1:]
    y, x = np.divmod(np.arange(flat.size), 4096)
    expect = {"label": np.arange(1, n + 1), "area": area, "solidity": np.ones(n),
              "intensity_mean": np.bincount(flat, image.ravel())[1:] / area,
              "centroid-0": np.bincount(flat, y)[1:] / area, "centroid-1": np.bincount(flat, x)[1:] / area}
    boxes = np.array([[r.start, c.start, r.stop, c.stop] for r, c in ndi.find_objects(labels)])
    expect.update({f"bbox-{i}": boxes[:, i] for i in range(4)})
    found = s.run("regionprops", labels, image, roles=[LABELS], dense=True,
                  properties="label,area,solidity,intensity_mean,centroid,bbox")
    yield f"{n} rectangles", columns(found.table, expect)


@check("regionprops")
def regionprops_and_cucim(s):
    from cucim.skimage.measure import regionprops_table
    labels, image = s.labels(4096), s.nuclei(4096)
    properties = ("label", "area", "bbox", "centroid", "intensity_mean", "intensity_max", "intensity_min")
    expect = regionprops_table(s.up(labels), s.up(image), properties=properties)
    found = s.run("regionprops", labels, image, roles=[LABELS], properties=",".join(properties)).table
    yield "nuclei 4096", columns(found, {key: values.get() for key, values in expect.items()}, 1e-5)


@check("interpret", "check_labels")
def labels_of_any_type(s):
    for case in (*golden_interpret.cases(), *golden_check_labels.cases()):
        key, *words = case.step.split()
        roles = [MASK] if case.roles else []
        found = s.run(key, case.inputs["image"], roles=roles, **dict(word.split("=") for word in words))
        wrong = [equal(found.outputs[0], v.reshape(found.outputs[0].shape)) for v in case.expect.values()]
        wrong += [equal(found.scalars[k], np.atleast_1d(np.array(v, float))) for k, v in case.scalars.items()]
        yield f"{key} {case.name}", "".join(filter(None, wrong))
    for dtype in TYPES:
        image = s.labels(2048).astype(dtype) if dtype != np.uint8 else (s.labels(2048) % 251).astype(dtype)
        labels = s.run("interpret", image).outputs[0][0]
        yield f"{np.dtype(dtype).name} labels 2048", equal(labels, image.astype(np.int32))
        yield (f"{np.dtype(dtype).name} all are labels",
               equal(s.run("check_labels", image).scalars["pixel"], np.array([-1.0])))


# ---- Patches ----

def same(found, case):
    return "".join(filter(None, [equal(a, b) for a, b in zip(found.outputs, case.expect.values())]))


@check("patch_match")
def patch_match(s):
    rng = np.random.default_rng(15)
    for dtype in TYPES:
        for radius, channels in ((1, 3), (2, 1), (3, 4), (7, 2)):
            a, b = (golden_patch_match.noise(rng, dtype, (channels, 1, *shape)) for shape in ((15, 23), (17, 19)))
            case = golden_patch_match.matched("", a, b, radius)
            found = s.run("patch_match", a[:, 0], b[:, 0], channels=channels, radius=radius)
            yield f"{np.dtype(dtype).name} radius {radius} channels {channels}", same(found, case)
    for name, dtype, most in (("bytes", np.uint8, 255), ("ties", np.uint8, 3), ("u16", np.uint16, 65535), ("f32", np.float32, 0)):
        a, b = (golden_patch_match.noise(rng, dtype, (3, *shape), most) for shape in ((211, 157), (97, 313)))
        found, expected = (to.run("patch_match", a, b, channels=3) for to in (s, s.cpu))
        yield f"{name} of many tiles as on the CPU", "".join(filter(None, map(equal, found.outputs, expected.outputs)))


@check("reconstruct")
def reconstruct(s):
    rng = np.random.default_rng(16)
    for dtype in TYPES:
        x, y = (rng.integers(-5, n, (1, 61, 83)).astype(np.int32) for n in (41, 37))
        case = golden_reconstruct.laid("", x, y, rng.integers(0, 255, (3, 1, 37, 41)).astype(dtype), 2)
        found = s.run("reconstruct", x, y, case.inputs["patches"][:, 0], radius=2, channels=(1, 1, 3)).outputs[0]
        yield np.dtype(dtype).name, close(found, case.expect["image"][:, 0], 1e-6)


# ---- Channels, screen ----

@check("channel")
def channel(s):
    for dtype in TYPES:
        image = noise(dtype, (3, 301, 403), 13)
        for i in range(3):
            yield f"{np.dtype(dtype).name} {i}", equal(s.out("channel", image, channels=3, index=i), image[i])


@check("display")
def display(s):
    rng = np.random.default_rng(14)
    grey, rgb = s.nuclei(640), rng.integers(0, 256, (3, 401, 503)).astype(np.uint8)
    contrast = [(200.0, 3500.0)]
    for zoom in (0.23, 0.5, 1, 2.7):
        for name, image, roles, text in (("grey", grey[None], [0], "200 3500"), ("rgb", rgb, [3], None)):
            expect = golden_display.display(image[:, None], "rgb" if roles == [3] else "image", zoom=zoom,
                                            contrast=contrast if text else None)
            given = {"contrast": text} if text else {}
            found = s.out("display", image, roles=roles, channels=len(image), zoom=zoom, **given)
            yield f"{name} zoom {zoom}", near(found, expect, 2)
    ramp = np.arange(256, dtype=np.uint8).reshape(1, 1, 256)
    for lut in ("fire", "viridis", "cividis", "glasbey"):
        colours = s.out("display", ramp, luts=lut).reshape(256, 4)[:, :3]
        yield f"all of {lut}", equal(colours, golden_display.table(lut).astype(np.uint8))
    found = s.out("display", grey, s.labels(640), zoom=2, x=-3, y=7, width=500, height=400, overlay_mode="outline")
    yield "outlines", near(found, golden_display.display(grey[None, None], overlay=s.labels(640)[None], zoom=2, x=-3,
                                                         y=7, width=500, height=400, overlay_mode="outline"), 2)


# ---- Together ----

@check("gaussian", "otsu", "erosion", "label", "regionprops")
def workflow(s):
    def chain(runner, image):
        blurred = runner.run("gaussian", image, sigma=5)
        cut = runner.run("otsu", blurred.outputs[0])
        eroded = runner.run("erosion", cut.outputs[0], roles=[MASK], radius=2)
        labels = runner.run("label", eroded.outputs[0], roles=[MASK])
        table = runner.run("regionprops", labels.outputs[0], image, roles=[LABELS], dense=True,
                           properties="label,area,intensity_mean,solidity").table
        return cut.scalars["threshold"][0], labels.outputs[0], table

    image = s.nuclei(4096)
    value, labels, table = chain(s.runner, s.up(image))
    expect_value, expect, expect_table = chain(s.cpu, image)
    yield "threshold", sure(abs(value - expect_value) <= 1e-6 * expect_value, f"{value!r} instead of {expect_value!r}")
    differ = int(((s.down(labels) > 0) != (expect > 0)).sum())
    yield "mask", sure(differ <= 16, f"{differ} pixels differ")
    if not differ:
        yield "labels", equal(s.down(labels), expect)
        yield "table", columns(table, expect_table)


def start_afresh(subject, state):
    """After a device fault this process cannot use the GPU any more: continues in a new one."""
    try:
        subject.down(subject.up(np.zeros(9)))
    except Exception:
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, *sys.argv, "--state", *map(str, state)])


def main():
    parser = argparse.ArgumentParser(description="Compares the operations on a device with other programs.")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build", "plugin", "fovea-kernels.so"))
    parser.add_argument("--seconds", type=float, default=100, help="after so many no new check is begun, 100")
    parser.add_argument("--state", type=int, nargs=3, default=(0, 0, 0), help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    subject = Subject(Runner(options.plugin, options.device))
    print(f"# {subject.runner.name}", flush=True)
    compare_fuzz.register(subject)
    sys.exit(bool(tap.run(subject.runner.can, options.seconds, subject, state=options.state,
                          broken=lambda state: start_afresh(subject, state))))


if __name__ == "__main__":
    main()
