# SPDX-License-Identifier: MIT
"""noise: the numbers of smooth_field.py, added by NumPy; photons by the chances of scipy.stats.poisson, where few are expected."""
import numpy as np
from make import Case
from scipy.stats import poisson
from smooth_field import node, philox

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)


def numbers(shape, seed, number):
    return np.array([number(i, seed) for i in range(int(np.prod(shape)))]).reshape(shape)


def share(i, seed):
    return (philox([i, 0, 0, 0], [seed, 0])[0] + 0.5) / 2 ** 32


def chance(i, seed):
    high, low = philox([i, 0, 0, 0], [seed, 0])[:2]
    return (high + 0.5) / 2 ** 32 + (low + 0.5) / 2 ** 64


def stored(values, dtype):
    if np.dtype(dtype).kind == "f":
        return values.astype(dtype)
    limits = np.iinfo(dtype)
    return np.clip(np.rint(values), limits.min, limits.max).astype(dtype)


def ends(dtype):
    return (0, 1) if np.dtype(dtype).kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max)


def cases():
    rng = np.random.default_rng(11)
    for dtype in TYPES:
        name = np.dtype(dtype).name
        image = (rng.random((2, 2, 2, 5, 7)) * 200).astype(dtype)  # 2 frames of 2 channels of 2 slices
        normal = numbers(image.shape, 5, lambda i, seed: node(i, seed, "normal"))
        close = 0 if np.dtype(dtype).kind != "f" else 1e-6 if dtype == np.float32 else 1e-12
        yield Case(f"{name}-gaussian", "noise sigma=40 seed=5", {"image": image}, {"image": stored(image + 40 * normal, dtype)},
                   tolerance=close, frames=2)
        shares = numbers(image.shape, 1, share)
        wrong = np.where(shares < 0.15, ends(dtype)[0], np.where(shares < 0.3, ends(dtype)[1], image)).astype(dtype)
        yield Case(f"{name}-salt", "noise method=salt_and_pepper density=30", {"image": image}, {"image": wrong}, frames=2)
        few = (image % 50).astype(dtype)
        counted = poisson.ppf(numbers(few.shape, 3, chance), few * 0.125) / 0.125
        yield Case(f"{name}-photons", "noise method=poisson photons=0.125 seed=3", {"image": few},
                   {"image": stored(np.where(few > 0, counted, 0), dtype)}, tolerance=close, frames=2)
    odd = np.array([[np.nan, np.inf, -np.inf, -3, 0]], np.float32)
    yield Case("odd", "noise method=poisson", {"image": odd}, {"image": np.array([[np.nan, np.inf, -np.inf, 0, 0]], np.float32)})
