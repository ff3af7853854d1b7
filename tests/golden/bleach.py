# SPDX-License-Identifier: MIT
"""bleach: means of NumPy, scipy.optimize.curve_fit, skimage.exposure.match_histograms."""
import numpy as np
from make import Case
from scipy.optimize import curve_fit
from skimage.exposure import match_histograms

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)


def stored(values, dtype):
    if np.dtype(dtype).kind == "f":
        return values.astype(dtype)
    limits = np.iinfo(dtype)
    return np.clip(np.rint(values), limits.min, limits.max).astype(dtype)


def decay(t, a, b, c):
    return a * np.exp(-b * t) + c


def matched(frames):
    """Less what rounding leaves of halves."""
    return np.round(np.stack([match_histograms(frame, frames[0]) for frame in frames]), 9)


def corrected(image, method="ratio", background=0):
    """image: t, c, z, y, x."""
    made = np.empty(image.shape, image.dtype)
    for c in range(image.shape[1]):
        one = image[:, c].astype(np.float64) - background
        t, means = np.arange(len(one)), one.mean((1, 2, 3))
        if method == "histogram":
            made[:, c] = stored(matched(image[:, c]), image.dtype)
            continue
        if method == "exponential":
            found, _ = curve_fit(decay, t, means, p0=(means[0] - means[-1], 0.3, means[-1]), xtol=1e-14, ftol=1e-14, maxfev=100000)
            means = decay(t, *found)
        made[:, c] = stored(one * (means[0] / means)[:, None, None, None], image.dtype)
    return made


def cases():
    rng = np.random.default_rng(4)
    for dtype in TYPES:
        name, whole = np.dtype(dtype).name, np.dtype(dtype).kind != "f"
        fading = decay(np.arange(5), 0.7, 0.4, 0.3)[:, None, None, None, None]
        image = (fading * (30 + rng.random((5, 2, 2, 4, 5)) * 200) + 10).astype(dtype)
        for method in ("ratio", "exponential") + ("histogram",) * (dtype in (np.uint8, np.uint16)):
            yield Case(f"{name}-{method}", f"bleach method={method}", {"image": image}, {"image": corrected(image, method)},
                       tolerance=0 if whole else 1e-6, frames=5)
        yield Case(f"{name}-background", "bleach background=10", {"image": image},
                   {"image": corrected(image, background=10)}, tolerance=0 if whole else 1e-6, frames=5)
        slices = image[:, :1, :1].swapaxes(0, 2)
        yield Case(f"{name}-slices", "bleach axis=z", {"image": slices[0, 0]},
                   {"image": corrected(image[:, :1, :1])[:, 0, 0]}, tolerance=0 if whole else 1e-6)
    rising = (decay(np.arange(9), -100, 0.3, 180) + rng.normal(size=9))[:, None, None] * rng.random((9, 3, 5))
    yield Case("rising", "bleach method=exponential axis=z", {"image": rising},
               {"image": corrected(rising[:, None, None], "exponential")[:, 0, 0]}, tolerance=1e-6)
    dark = np.array([[[0, 0]], [[4, 8]], [[0, 0]], [[2, 1]]], np.uint16)
    yield Case("dark", "bleach axis=z", {"image": dark}, {"image": np.array([[[0, 0]], [[4, 8]], [[0, 0]], [[8, 4]]], np.uint16)})
    gaps = np.array([[[1, np.nan, 3]], [[1, 1, np.inf]]], np.float32)
    yield Case("gaps", "bleach axis=z", {"image": gaps}, {"image": np.array([[[1, np.nan, 3]], [[2, 2, np.inf]]], np.float32)})
    levels = (rng.integers(0, 90, (3, 17, 13)) ** 2 * np.array([1, 2, 7])[:, None, None]).astype(np.uint16)
    yield Case("levels", "bleach method=histogram axis=z", {"image": levels},
               {"image": corrected(levels[:, None, None], "histogram")[:, 0, 0]})
