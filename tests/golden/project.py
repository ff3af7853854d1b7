# SPDX-License-Identifier: MIT
"""project: NumPy, sums in double; the median of NumPy."""
import numpy as np
from make import Case

METHODS = {"max": np.max, "min": np.min, "mean": np.mean, "sum": np.sum, "sd": np.std, "median": np.median}
AXES = {"t": 0, "c": 1, "z": 2}


def expected(image, method, axis, **more):
    """What the step makes: extremes in the type of the image, the others in the float that goes with it."""
    if method in ("max", "min"):
        return METHODS[method](image, axis=axis, keepdims=True)
    wide = image.dtype in (np.int32, np.float64)
    return METHODS[method](image.astype(np.float64), axis=axis, keepdims=True, **more).astype(np.float64 if wide else np.float32)


def cases():
    rng = np.random.default_rng(12)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        name = np.dtype(dtype).name
        stack = (rng.random((2, 3, 6, 7, 11)) * 250 - (100 if np.dtype(dtype).kind in "if" else 0)).astype(dtype)
        for method in METHODS:
            for axis, index in AXES.items():
                result = expected(stack, method, index)
                yield Case(f"{name}-{method}-{axis}", f"project method={method} axis={axis}", {"image": stack},
                           {"image": result}, tolerance=0 if method in ("max", "min", "median") else 1e-6, frames=2)
        part = expected(stack[:, :, 1:4], "median", 2)
        yield Case(f"{name}-part", "project method=median first=1 count=3", {"image": stack}, {"image": part}, frames=2)
        mean = np.mean(stack.astype(np.float64), axis=2, keepdims=True)
        whole = np.dtype(dtype).kind != "f"
        yield Case(f"{name}-same", "project method=mean output=same", {"image": stack},
                   {"image": (np.rint(mean) if whole else mean).astype(dtype)}, tolerance=0 if whole else 1e-6, frames=2)
    image = rng.normal(size=(5, 9, 1030)).astype(np.float32)
    image[2, 3, 4] = np.nan
    image[1, 5, 6:9] = np.inf, -np.inf, -0.0
    for method in METHODS:
        with np.errstate(invalid="ignore"):
            yield Case(f"odd-{method}", f"project method={method}", {"image": image}, {"image": expected(image, method, 0)},
                       tolerance=0 if method in ("max", "min", "median") else 1e-6)
    yield Case("sample-sd", "project method=sd ddof=1", {"image": image[:2]}, {"image": expected(image[:2], "sd", 0, ddof=1)},
               tolerance=1e-6)
    many = rng.integers(0, 65536, (301, 3, 70)).astype(np.uint16)
    yield Case("many-median", "project method=median", {"image": many}, {"image": expected(many, "median", 0)})
