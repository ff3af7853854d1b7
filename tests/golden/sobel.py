# SPDX-License-Identifier: MIT
"""sobel: skimage.filters.sobel and scipy.ndimage's sobel and generic_gradient_magnitude on float64; ImageJ's as the latter, rounded down."""
import numpy as np
from make import Case
from scipy import ndimage
from skimage import filters

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)
BORDERS = ("nearest", "reflect", "mirror", "wrap", "constant")
TOPS = {np.uint8: 255, np.uint16: 65535, np.int32: 10**6}


def inputs(dtype, seed=61):
    """A plane and a stack."""
    rng, top = np.random.default_rng(seed), TOPS.get(dtype, 1000)
    return (rng.random((13, 19)) * top).astype(dtype), (rng.random((4, 7, 9)) * top).astype(dtype)


def result_type(image):
    return np.float64 if image.dtype == np.float64 else np.float32


def like(made, image):
    limits = np.iinfo(image.dtype)
    return np.clip(np.rint(made), limits.min, limits.max).astype(image.dtype)


def case(name, step, image, made, tolerance=None, **more):
    made = made.astype(result_type(image))
    tolerance = tolerance or (1e-12 if made.dtype == np.float64 else 1e-6)
    return Case(name, step, {"image": image}, {"image": made}, tolerance=tolerance, **more)


def cases():
    for dtype in TYPES:
        name, (image, stack) = np.dtype(dtype).name, inputs(dtype)
        wide = image.astype(np.float64)
        yield case(name, "sobel border=reflect", image, filters.sobel(wide))
        yield case(f"{name}-volume", "sobel border=reflect volume=yes", stack, filters.sobel(stack.astype(np.float64)))
        yield case(f"{name}-scipy", "sobel method=scipy border=reflect", image, ndimage.generic_gradient_magnitude(wide, ndimage.sobel))
        made = ndimage.generic_gradient_magnitude(wide, ndimage.sobel, mode="nearest")
        if np.issubdtype(dtype, np.integer):
            made = np.minimum(np.floor(made), np.iinfo(dtype).max).astype(dtype)
            yield Case(f"{name}-same", "sobel output=same border=reflect", {"image": image}, {"image": like(filters.sobel(wide), image)}, absolute=1)
            yield Case(f"{name}-imagej", "sobel method=imagej border=constant direction=x", {"image": image}, {"image": made})
        else:
            yield case(f"{name}-imagej", "sobel method=imagej border=constant direction=x", image, made)
    image, stack = inputs(np.float32)
    for axis, direction in enumerate("zyx"):
        if direction != "z":
            yield case(f"{direction}", f"sobel direction={direction} border=reflect", image, filters.sobel(image.astype(np.float64), axis=axis - 1))
        yield case(f"{direction}-volume", f"sobel direction={direction} border=reflect volume=yes", stack,
                   filters.sobel(stack.astype(np.float64), axis=axis))
        yield case(f"{direction}-scipy", f"sobel direction={direction} method=scipy border=mirror volume=yes", stack,
                   ndimage.sobel(stack.astype(np.float64), axis, mode="mirror"))
    for border in BORDERS:
        options, constant = f"border={border} value=100.5", dict(mode=border, cval=100.5)
        yield case(border, f"sobel {options}", image, filters.sobel(image.astype(np.float64), **constant))
        yield case(f"{border}-volume", f"sobel {options} volume=yes", stack, filters.sobel(stack.astype(np.float64), **constant))
    yield case("planes", "sobel border=reflect", stack, np.stack([filters.sobel(plane.astype(np.float64)) for plane in stack]))
    yield case("flat", "sobel border=reflect", image + np.float32(2**20), filters.sobel((image + np.float32(2**20)).astype(np.float64)))
    tall = np.random.default_rng(62).integers(0, 256, (150, 3)).astype(np.uint8)  # more rows than a band
    yield case("tall", "sobel border=wrap", tall, filters.sobel(tall.astype(np.float64), mode="wrap"))
    for shape in ((1, 1), (1, 9), (9, 1)):
        small = image[:shape[0], :shape[1]]
        yield case("size-{}-{}".format(*shape), "sobel border=mirror", small, filters.sobel(small.astype(np.float64), mode="mirror"), absolute=1e-30)
