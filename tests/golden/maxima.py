# SPDX-License-Identifier: MIT
"""maxima: ImageJ's MaximumFinder by imagej/maxima.py, and skimage.feature.peak_local_max."""
import pathlib

import numpy as np
from make import Case
from scipy import ndimage
from skimage.feature import peak_local_max
from skimage.measure import label

STORED = pathlib.Path(__file__).parent / "imagej" / "maxima.npz"
SHAPE = (37, 46)


def hills(dtype, sigma, levels, seed=3, shape=SHAPE):
    """Smooth noise of so many levels."""
    image = ndimage.gaussian_filter(np.random.default_rng(seed).random(shape), sigma, mode="wrap")
    image = (image - image.min()) / np.ptp(image)
    return (np.floor(image * levels) * (250 // levels or 1) if levels <= 250 else image * levels).astype(dtype)


def saturated(dtype):
    """Discs about points between pixels, with flat tops, some of them at the edge, and rings."""
    y, x = np.mgrid[:SHAPE[0], :SHAPE[1]]
    image = np.zeros(SHAPE)
    for i, (cy, cx, r) in enumerate([(5.5, 6.5, 4), (6.5, 20, 5), (20, 7.5, 4.2), (18.5, 21.5, 6), (0, 33.5, 4), (30.5, 44, 5), (30, 30, 3.5)]):
        image = np.maximum(image, np.minimum(100 + 10 * i, (r - np.hypot(y - cy, x - cx)) * 40 + 60))
    return (image - np.where(np.hypot(y - 18.5, x - 21.5) < 3, 30, 0)).clip(0).astype(dtype)


def imagej_cases():
    """name -> image, prominence, strict, edges, light, threshold."""
    images = {"smooth-u8": hills(np.uint8, 2, 250), "steps-u8": hills(np.uint8, 2.5, 9), "noise-u16": hills(np.uint16, 0.4, 4000),
              "smooth-f32": hills(np.float32, 1.5, 251), "flat-u8": saturated(np.uint8), "flat-f32": saturated(np.float32)}
    found = {}
    for name, image in images.items():
        for prominence in (0, 7.5, 30, 120):
            found[f"{name}-{prominence:g}"] = (image, prominence, False, False, False, "none")
    found["strict-u8"] = (images["smooth-u8"], 30, True, False, False, "none")
    found["strict-none"] = (images["smooth-u8"], 250, True, False, False, "none")
    found["most"] = (images["smooth-u8"], 250, False, False, False, "none")
    for name in ("smooth-u8", "steps-u8", "flat-u8", "smooth-f32"):
        found[f"edges-{name}"] = (images[name], 15, False, True, False, "none")
        found[f"edges-strict-{name}"] = (images[name], 15, True, True, False, "none")
    for name in ("smooth-u8", "flat-u8", "noise-u16"):
        found[f"light-{name}"] = (images[name], 10, False, False, True, "none")
    found["threshold"] = (images["smooth-u8"], 5, False, False, False, 150.5)
    found["same"] = (np.full(SHAPE, 7, np.uint8), 0, False, False, False, "none")
    return found


def table_of(points, labels, image):
    """Rows in the order of the labels."""
    y, x = np.nonzero(points)
    numbers = labels[y, x]
    order = np.argsort(numbers)
    y, x = y[order], x[order]
    return {"label": np.sort(numbers), "x": x, "y": y, "value": image[y, x].astype(float)}


def by_prominence():
    with np.load(STORED) as stored:
        for name, (image, prominence, strict, edges, light, threshold) in imagej_cases().items():
            points, areas = (np.unpackbits(stored[f"{name}-{end}"], count=image.size).reshape(image.shape) for end in ("points", "areas"))
            labels = label(areas * points.any(), connectivity=2).astype(np.int32)
            step = f"maxima prominence={prominence}" + " strict=yes" * strict + " exclude_edges=yes" * edges + " light=yes" * light
            step += "" if threshold == "none" else f" threshold={threshold}"
            table = table_of(points, labels, image)
            yield Case(f"imagej-{name}", step, {"image": image}, {"labels": labels * points}, table=table,
                       scalars={"maxima": points.sum()})
            if strict or edges or light or prominence == 30:
                yield Case(f"imagej-{name}-areas", f"{step} output=areas", {"image": image}, {"labels": labels}, table=table)


def peaks(image, distance, edges, light, threshold):
    found = peak_local_max(-image.astype(float) if light else image, min_distance=distance, exclude_border=edges,
                           threshold_abs=threshold if threshold is None or not light else -threshold)
    labels = np.zeros(image.shape, np.int32)
    labels[tuple(found.T)] = 1
    labels[labels > 0] = np.arange(1, len(found) + 1)
    return labels


def peak_case(name, image, distance, edges=False, light=False, threshold=None, volume=False):
    step = f"maxima method=peaks distance={distance}" + " exclude_edges=yes" * edges + " light=yes" * light + " volume=yes" * volume
    step += "" if threshold is None else f" threshold={threshold}"
    planes = [image] if volume or image.ndim == 2 else image
    labels = np.stack([peaks(plane, distance, edges, light, threshold) for plane in planes]).reshape(image.shape)
    indices = np.nonzero(labels)
    table = {"label": labels[indices], "x": indices[-1], "y": indices[-2], "value": image[indices].astype(float)}
    table |= {"z": indices[0] + 1} if image.ndim == 3 else {}
    return Case(name, step, {"image": image}, {"labels": labels}, table=table, scalars={"maxima": (labels > 0).sum()})


def cases():
    yield from by_prominence()
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = hills(dtype, 1, 300 if np.dtype(dtype).kind == "f" else 40)
        for distance in (1, 2, 5):
            yield peak_case(f"peaks-{np.dtype(dtype).name}-{distance}", image, distance)
    steps = hills(np.uint8, 3, 4)
    for distance in (1, 2, 3, 7):
        yield peak_case(f"peaks-steps-{distance}", steps, distance)
        yield peak_case(f"peaks-flat-{distance}", saturated(np.uint8), distance)
    yield peak_case("peaks-edges", steps, 4, edges=True)
    yield peak_case("peaks-light", steps, 3, light=True)
    yield peak_case("peaks-threshold", hills(np.float32, 1, 300), 2, threshold=170.5)
    yield peak_case("peaks-dark-threshold", hills(np.float32, 1, 300), 2, light=True, threshold=120.5)
    yield peak_case("peaks-same", np.full((5, 8), 7, np.uint8), 2)
    deep = hills(np.uint8, 1.2, 30, shape=(9, 14, 17))
    for distance in (1, 3):
        yield peak_case(f"peaks-planes-{distance}", deep, distance)
        yield peak_case(f"peaks-volume-{distance}", deep // 25 * 25, distance, volume=True)
    yield peak_case("peaks-volume-edges", deep, 2, edges=True, volume=True)
