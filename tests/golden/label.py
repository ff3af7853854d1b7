# SPDX-License-Identifier: MIT
"""label: skimage.measure.label, remove_small_objects, clear_border and relabel_sequential."""
import warnings

import numpy as np
from make import Case
from skimage.measure import label
from skimage.morphology import remove_small_objects
from skimage.segmentation import clear_border, relabel_sequential

AXES = {"4": 1, "8": 2, "6": 1, "18": 2, "26": 3}


def one(image, axes, values, min_size, max_size, exclude_border):
    foreground = (image < 0) | (image > 0)
    ranks = np.unique(np.where(foreground, image, 0), return_inverse=True)[1].reshape(image.shape) + 1
    labels = label(np.where(foreground, ranks if values == "equal" else 1, 0), connectivity=axes)
    if max_size:
        labels[np.bincount(labels.ravel())[labels] > max_size] = 0
    if min_size > 1 and labels.any():
        with warnings.catch_warnings():  # about images of one object
            warnings.simplefilter("ignore")
            labels = remove_small_objects(labels, max_size=min_size - 1)
    if exclude_border:
        labels = clear_border(labels)
    return relabel_sequential(labels)[0].astype(np.int32)


def case(name, image, connectivity="auto", values="nonzero", min_size=0, max_size=0, exclude_border=False,
         volume=False):
    axes = AXES.get(connectivity, 3 if volume else 2)
    given = (axes, values, min_size, max_size, exclude_border)
    planes = [image] if volume or image.ndim == 2 else list(image)
    labels = [one(plane, *given) for plane in planes]
    step = "label"
    for key, value, default in (("connectivity", connectivity, "auto"), ("values", values, "nonzero"),
                                ("min_size", min_size, 0), ("max_size", max_size, 0)):
        step += f" {key}={value}" if value != default else ""
    step += " exclude_border=yes" if exclude_border else ""
    step += " volume=yes" if volume else ""
    return Case(name, step, {"image": image}, {"labels": labels[0] if len(planes) == 1 else np.stack(labels)},
                scalars={"objects": [plane.max() for plane in labels]})


def shapes(n):
    """Drawings of n x n pixels."""
    y, x = np.indices((n, n))
    rings = np.minimum(np.minimum(y, x), np.minimum(n - 1 - y, n - 1 - x)) % 2 == 0
    spiral = np.zeros((n, n), bool)
    y0, x0, step = 0, 0, (0, 1)
    spiral[0, 0] = True
    for length in [n - 1] + [k for k in range(n - 1, 1, -2) for _ in (0, 1)]:
        for _ in range(length):
            y0, x0 = y0 + step[0], x0 + step[1]
            spiral[y0, x0] = True
        step = (step[1], -step[0])
    return {"checkerboard": (y + x) % 2 == 0, "comb-up": (x % 2 == 0) | (y == n - 1),
            "comb-down": (x % 2 == 0) | (y == 0), "comb-left": (y % 2 == 0) | (x == n - 1),
            "diagonals": (x + y) % 3 == 0, "antidiagonals": (x - y) % 3 == 0,
            "rings": rings, "spiral": spiral, "dots": (x % 2 == 0) & (y % 2 == 0)}


def cases():
    rng = np.random.default_rng(3)
    levels = rng.integers(0, 4, (2, 17, 29))  # about a quarter is background
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        name, image = np.dtype(dtype).name, levels.astype(dtype)
        if dtype == np.uint16:
            image[image == 3] = 65280  # its low byte is zero
        if dtype == np.int32:
            image[image == 2] = -2147483648
        if dtype in (np.float32, np.float64):
            odd = [np.nan, -0.0, np.inf, -np.inf, np.finfo(dtype).smallest_subnormal, -1]
            image = np.where(rng.random(image.shape) < 0.3, rng.choice(odd, image.shape), image).astype(dtype)
        for values in ("nonzero", "equal"):
            yield case(f"{name}-{values}", image, values=values)
            yield case(f"{name}-{values}-4", image, "4", values)
            yield case(f"{name}-{values}-volume", image, "auto", values, volume=True)

    sparse = (rng.random((17, 131)) < 0.45).astype(np.uint8) * 255  # rows of more than two words
    for connectivity in ("4", "8"):
        yield case(f"plane-{connectivity}", sparse, connectivity)
        yield case(f"plane-{connectivity}-min", sparse, connectivity, min_size=6)
        yield case(f"plane-{connectivity}-max", sparse, connectivity, max_size=6)
        yield case(f"plane-{connectivity}-both", sparse, connectivity, min_size=2, max_size=9)
        yield case(f"plane-{connectivity}-border", sparse, connectivity, exclude_border=True)
        yield case(f"plane-{connectivity}-all", sparse, connectivity, min_size=3, max_size=40, exclude_border=True)
    yield case("plane-nothing-left", sparse, min_size=2147483647)
    yield case("plane-one-pixel-each", sparse, "4", min_size=1, max_size=1)

    volume = (rng.random((7, 13, 19)) < 0.22).astype(np.uint8)
    for connectivity in ("6", "18", "26"):
        yield case(f"volume-{connectivity}", volume, connectivity, volume=True)
        yield case(f"volume-{connectivity}-equal", levels.astype(np.uint8).reshape(17, 2, 29), connectivity, "equal",
                   volume=True)
        yield case(f"volume-{connectivity}-all", volume, connectivity, min_size=2, max_size=30, exclude_border=True,
                   volume=True)
    yield case("planes-border", volume, exclude_border=True)
    yield case("planes-min", volume, min_size=3)
    yield case("volume-one-slice-border", volume[:1], exclude_border=True, volume=True)

    for name, drawing in shapes(27).items():
        for connectivity in ("4", "8"):
            yield case(f"{name}-{connectivity}", drawing.astype(np.uint8), connectivity)
    blocks = np.kron(rng.integers(0, 9, (6, 5)), np.ones((5, 7))).astype(np.int32) * 3  # labels with gaps
    yield case("blocks-equal", blocks, values="equal")
    yield case("blocks-equal-4-border", blocks, "4", "equal", exclude_border=True)
    yield case("blocks-nonzero", blocks)
    # Diagonal neighbors on both sides of columns 64 and 128, alone in their rows.
    corners = np.zeros((20, 150), np.uint8)
    for row, column, value in ((2, 63, 5), (3, 64, 5), (6, 64, 7), (7, 63, 7), (10, 127, 9), (11, 128, 9), (14, 128, 3), (15, 127, 4), (15, 129, 3)):
        corners[row, column] = value
    for values in ("nonzero", "equal"):
        yield case(f"corners-{values}", corners, values=values)
        yield case(f"corners-{values}-4", corners, "4", values)

    for rows, columns in ((1, 1), (1, 2), (2, 1), (1, 63), (1, 64), (1, 65), (67, 1), (3, 128), (2, 2)):
        noise = (rng.random((rows, columns)) < 0.6).astype(np.uint8)
        for name, image in (("zero", noise * 0), ("full", noise * 0 + 9), ("noise", noise)):
            yield case(f"{rows}x{columns}-{name}", image)
    yield case("1x1-border", np.ones((1, 1), np.uint8), exclude_border=True)
