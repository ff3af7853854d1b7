# SPDX-License-Identifier: MIT
"""resize: along axes that get shorter the mean of what a pixel covers, as a matrix; along others scipy.ndimage.zoom with grid_mode."""
import numpy as np
from make import Case
from rotate import to_type
from scipy.ndimage import zoom

SPACING = (1, 0.5, 0.25)


def covered(old, new):
    """The share of each old pixel in each new one."""
    edges = np.arange(new + 1) * old / new
    low, high = edges[:-1, None], edges[1:, None]
    return np.clip(np.minimum(high, np.arange(1, old + 1)) - np.maximum(low, np.arange(old)), 0, None) * new / old


def resized(image, size, order):
    exact = image.astype(np.float64)
    for axis, new in zip((1, 2), size):
        if order and new < exact.shape[axis]:
            exact = np.moveaxis(np.tensordot(covered(exact.shape[axis], new), exact, (1, axis)), 0, axis)
    factors = [1, *(new / old for new, old in zip(size, exact.shape[1:]))]
    return zoom(exact, factors, order=order, mode="nearest", grid_mode=True)


def case(name, step, image, size, order=1, **options):
    found = resized(image, size, order)
    assert found.shape[1:] == tuple(size), name
    if image.dtype.kind == "f":
        options["tolerance"] = 1e-10 if image.dtype == np.float64 else 1e-6
    elif order:
        options["absolute"] = 1  # a half is rounded by the last bit of a sum
    return Case(name, step, {"image": image}, {"image": to_type(found, image.dtype)}, spacing=SPACING, **options)


def cases():
    rng = np.random.default_rng(31)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image, name = (rng.random((2, 19, 26)) * 250 - (100 if np.dtype(dtype).kind in "if" else 0)).astype(dtype), np.dtype(dtype).name
        yield case(f"{name}-smaller", "resize width=11 height=7", image, (7, 11))
        yield case(f"{name}-larger", "resize width=40 height=23", image, (23, 40))
        yield case(f"{name}-cubic", "resize width=40 height=23 order=3", image, (23, 40), 3)
        yield case(f"{name}-both", "resize width=41 height=8 order=3", image, (8, 41), 3)
        yield case(f"{name}-nearest", "resize width=11 height=30 order=0", image, (30, 11), 0)
    image = rng.random((1, 20, 30)).astype(np.float32)
    yield case("in-proportion", "resize width=15", image, (10, 15))
    yield case("by-height", "resize height=40 width=0", image, (40, 60))
    yield case("half", "resize width=15 height=10", image, (10, 15))
    yield case("one", "resize width=1 height=1", image, (1, 1))
    yield case("as-it-is", "resize width=30 height=20 order=3", image, (20, 30), 3)
    yield case("quintic", "resize width=45 height=31 order=5", image, (31, 45), 5)
    wide = rng.random((1, 3, 1100)).astype(np.float32)
    yield case("wide", "resize width=257 height=2", wide, (2, 257))
