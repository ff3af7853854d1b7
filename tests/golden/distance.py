# SPDX-License-Identifier: MIT
"""distance: scipy.ndimage.distance_transform_edt and distance_transform_cdt."""
import numpy as np
from make import Case
from scipy import ndimage

SPACING = (2.5, 0.5, 0.3)


def one(mask, metric, sampling):
    if metric == "euclidean":
        return ndimage.distance_transform_edt(mask, sampling[-mask.ndim:])
    return ndimage.distance_transform_cdt(mask, {"city": "taxicab", "chessboard": "chessboard"}[metric])


def case(name, image, metric="euclidean", physical=False, volume=False):
    mask = (image < 0) | (image > 0)
    sampling = SPACING if physical else (1, 1, 1)
    planes = [mask] if volume or mask.ndim == 2 else list(mask)
    found = [one(plane, metric, sampling) for plane in planes]
    step = "distance" + (f" metric={metric}" if metric != "euclidean" else "")
    step += " units=physical" if physical else ""
    step += " volume=yes" if volume else ""
    return Case(name, step, {"image": image},
                {"image": (found[0] if len(found) == 1 else np.stack(found)).astype(np.float32)}, absolute=1e-5,
                spacing=SPACING, unit="µm")


def cases():
    rng = np.random.default_rng(5)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((3, 23, 37)) < 0.9).astype(dtype) * 7
        if dtype in (np.float32, np.float64):
            image = np.where(rng.random(image.shape) < 0.1, rng.choice([np.nan, -0.0, np.inf, -1], image.shape),
                             image).astype(dtype)
        for metric in ("euclidean", "city", "chessboard"):
            yield case(f"{np.dtype(dtype).name}-{metric}", image, metric)
            yield case(f"{np.dtype(dtype).name}-{metric}-volume", image, metric, volume=True)
        yield case(f"{np.dtype(dtype).name}-physical", image, physical=True)
        yield case(f"{np.dtype(dtype).name}-physical-volume", image, physical=True, volume=True)

    # Few background pixels: columns and rows without any, sites far away, rows of more than one band and block.
    few = np.ones((150, 301), np.uint8)
    for y, x in ((149, 300), (3, 12), (64, 150), (127, 151), (128, 20)):
        few[y, x] = 0
    deep = np.ones((11, 70, 19), np.uint8)
    deep[9, 69, 2] = deep[2, 5, 18] = deep[2, 6, 0] = 0
    y, x = np.indices((130, 140))
    discs = ((y % 65 - 30) ** 2 + (x % 47 - 20) ** 2 < 480).astype(np.uint8) * 255
    for metric in ("euclidean", "city", "chessboard"):
        yield case(f"few-{metric}", few, metric)
        yield case(f"deep-{metric}", deep, metric, volume=True)
        yield case(f"discs-{metric}", discs, metric)
    # Objects across rows 64 and 128, most of them on either side; then some in which background is just near enough, and one in which it is not.
    y, x = np.indices((200, 330))
    groups = {"across": ((60, 20, 8), (68, 52, 15), (54, 110, 23), (77, 178, 23), (123, 20, 12), (140, 70, 23), (118, 130, 20)),
              "near": ((50, 262, 32.9), (112, 180, 29)), "far": ((150, 250, 40),)}
    across = np.zeros(x.shape, np.uint8)
    for name, group in groups.items():
        for row, column, radius in group:
            across[(y - row) ** 2 + (x - column) ** 2 < radius ** 2] = 1
        for metric in ("euclidean", "city", "chessboard"):
            yield case(f"{name}-{metric}", across.copy(), metric)
    yield case("few-physical", few, physical=True)
    yield case("deep-physical", deep, physical=True, volume=True)
    for shape in ((1, 2), (2, 1), (1, 65), (129, 1)):
        image = np.ones(shape, np.uint8)
        image[-1, -1] = 0
        yield case(f"{shape[0]}x{shape[1]}", image)
    yield case("zero", np.zeros((5, 6), np.uint8))
