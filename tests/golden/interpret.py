# SPDX-License-Identifier: MIT
"""interpret: NumPy, as kernels/image/interpret.h says it."""
import numpy as np
from make import Case

ODD = (0, 1, 255, 254.5, -1, -0.0, 2**31 - 1, 2**31, 1e300, np.nan, np.inf, -np.inf, 0.1, 16777216)


def odd(dtype):
    """Values of a type, with those on both sides of what is a label."""
    rng = np.random.default_rng(7)
    image = rng.integers(0, 200, (2, 9, 37)).astype(dtype)
    with np.errstate(all="ignore"):
        if np.dtype(dtype).kind == "f":
            image.ravel()[11:11 + len(ODD)] = np.array(ODD).astype(dtype)
        else:
            image.ravel()[11:15] = np.iinfo(dtype).max, np.iinfo(dtype).min, 0, 1
    return image


def are_labels(image):
    with np.errstate(all="ignore"):
        return (image >= 0) & (image <= 2**31 - 1) & (np.floor(image) == image)


def cases():
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image, name = odd(dtype), np.dtype(dtype).name
        fits = are_labels(image.astype(np.float64))
        labels = np.where(fits, np.where(fits, image, 0).astype(np.int32), np.int32(0))
        yield Case(f"{name}-labels", "interpret", {"image": image}, {"image": labels})
        mask = np.where((image != 0) & ~np.isnan(image), np.uint8(255), np.uint8(0))
        yield Case(f"{name}-mask", "interpret role=mask", {"image": image}, {"image": mask})
    mask = (odd(np.uint8) > 90) * np.uint8(255)
    yield Case("mask-labels", "interpret", {"image": mask}, {"image": (mask > 0).astype(np.int32)}, roles={"image": "mask"})
