# SPDX-License-Identifier: MIT
"""bin: scikit-image's block_reduce() of what fills blocks, in double."""
import numpy as np
from make import Case
from skimage.measure import block_reduce

METHODS = {"mean": np.mean, "sum": np.sum, "max": np.max, "min": np.min}


def reduced(image, z, y, x, method):
    whole = image[:image.shape[0] // z * z, :image.shape[1] // y * y, :image.shape[2] // x * x]
    result = block_reduce(whole.astype(np.float64), (z, y, x), METHODS[method])
    if method in ("max", "min"):
        return result.astype(image.dtype)
    return result.astype(np.float64 if image.dtype in (np.int32, np.float64) else np.float32)


def cases():
    rng = np.random.default_rng(22)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((7, 19, 31)) * 250 - (100 if np.dtype(dtype).kind in "if" else 0)).astype(dtype)
        name = np.dtype(dtype).name
        for method in METHODS:
            exact = {} if method in ("max", "min") else {"tolerance": 1e-6}
            yield Case(f"{name}-{method}", f"bin method={method}", {"image": image}, {"image": reduced(image, 1, 2, 2, method)}, **exact)
            yield Case(f"{name}-{method}-3d", f"bin x=5 y=3 z=2 method={method}", {"image": image},
                       {"image": reduced(image, 2, 3, 5, method)}, **exact)
        if np.dtype(dtype).kind != "f":
            mean = np.rint(block_reduce(image[:, :18, :30].astype(np.float64), (1, 3, 3), np.mean))
            yield Case(f"{name}-same", "bin x=3 y=3 output=same", {"image": image}, {"image": mean.astype(dtype)})
    image = rng.normal(size=(3, 9, 2100)).astype(np.float32)
    image[1, 4, 5], image[2, 0, 9:11] = np.nan, np.inf
    for method in METHODS:
        yield Case(f"odd-{method}", f"bin x=1000 y=4 method={method}", {"image": image},
                   {"image": reduced(image, 1, 4, 1000, method)}, tolerance=1e-6)
