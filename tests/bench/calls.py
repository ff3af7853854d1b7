#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What one call from Python takes, on small and on large arrays, beside SciPy and scikit-image; results have to agree.

    PYTHONPATH=build/python tests/bench/calls.py [REPEAT]     such as 200

Each is called in turn, so that other work on the machine meets all alike; the median is printed.
"""
import sys
import time

import numpy as np
import scipy.ndimage

import fovea

try:
    from skimage import filters
except ImportError:
    filters = None
SIGMA = 2


def peers(array):
    """Name -> a call, all with SciPy's border and reach."""
    calls = {"fovea": lambda: fovea.gaussian(array, sigma=SIGMA, device="cpu").numpy(),
             "SciPy": lambda: scipy.ndimage.gaussian_filter(array, SIGMA, mode="nearest")}
    if filters:
        calls["scikit-image"] = lambda: filters.gaussian(array, SIGMA, mode="nearest", preserve_range=True)
    return calls


def medians(calls, repeat):
    """Milliseconds of each."""
    times = {name: [] for name in calls}
    for n in range(repeat + 3):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: 1e3 * float(np.median(taken[3:])) for name, taken in times.items()}


def main():
    repeat = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for size in (64, 256, 2048):
        array = np.random.default_rng(1).random((size, size), np.float32)
        calls = peers(array)
        expected = calls["SciPy"]()
        for name, call in calls.items():
            assert np.allclose(call(), expected, atol=1e-5), f"{name} differs from SciPy at {size}"
        print(f"gaussian sigma={SIGMA} f32 {size}: " + ", ".join(
            f"{name} {taken:.3f} ms" for name, taken in medians(calls, repeat if size < 2048 else max(repeat // 10, 5)).items()))


if __name__ == "__main__":
    main()
