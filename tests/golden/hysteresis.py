# SPDX-License-Identifier: MIT
"""hysteresis: skimage.filters.apply_hysteresis_threshold; with more neighbors by scipy.ndimage.label as it does."""
import numpy as np
from make import Case
from scipy import ndimage
from skimage.filters import apply_hysteresis_threshold


def expected(image, low, high, connectivity):
    if connectivity == 1:
        return apply_hysteresis_threshold(image, low, high)
    labels, count = ndimage.label(image > low, ndimage.generate_binary_structure(image.ndim, connectivity))
    return (ndimage.maximum(image > high, labels, np.arange(count + 1)) > 0)[labels] & (labels > 0)


def case(name, image, low, high, volume=False, connectivity=None):
    planes = [image] if volume or image.ndim == 2 else list(image)
    axes = {None: 1, "4": 1, "8": 2, "6": 1, "18": 2, "26": 3}[connectivity]
    found = np.stack([expected(plane, low, high, axes) for plane in planes]).reshape(image.shape)
    step = f"hysteresis low={low} high={high}" + (" volume=yes" if volume else "")
    step += f" connectivity={connectivity}" if connectivity else ""
    return Case(name, step, {"image": image}, {"image": found.astype(np.uint8) * 255})


def cases():
    rng = np.random.default_rng(8)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = ndimage.gaussian_filter(rng.random((3, 21, 40)), (0.5, 2, 2))
        image = ((image - image.min()) / (image.max() - image.min()) * 200).astype(dtype)
        name = np.dtype(dtype).name
        yield case(name, image, 100, 130)
        yield case(f"{name}-volume", image, 110.5, 140.5, volume=True)
    yield case("8", image, 105, 150, connectivity="8")
    yield case("18", image, 108, 150, volume=True, connectivity="18")
    yield case("26", image, 108, 150, volume=True, connectivity="26")
    yield case("low-above-high", image, 150, 120)
    yield case("none", image, 300, 400)
    yield case("all", image, -5, -1)
    y, x = np.indices((31, 33))
    yield case("checkerboard", ((x + y) % 2 * 200).astype(np.uint8), 100, 150)
