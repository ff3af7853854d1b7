# SPDX-License-Identifier: MIT
"""anisotropic: Perona and Malik's equation (7) of 1990 in NumPy on float64."""
import numpy as np
from make import Case
from sobel import TYPES, TOPS, case, inputs, like


def diffused(image, iterations, contrast, step=0.15, inverse=False):
    u = image.astype(np.float64)
    for _ in range(iterations):
        flow = 0
        for axis in range(u.ndim):
            d = np.diff(u, axis=axis)
            d = d / (1 + (d / contrast)**2) if inverse else d * np.exp(-(d / contrast)**2)
            ends = [(1, 1) if i == axis else (0, 0) for i in range(u.ndim)]
            flow = flow + np.diff(np.pad(d, ends), axis=axis)
        u = u + step * flow
    return u


def cases():
    for dtype in TYPES:
        name, (image, stack) = np.dtype(dtype).name, inputs(dtype)
        contrast = TOPS.get(dtype, 1000) / 4
        made = diffused(image, 10, contrast)
        yield case(name, f"anisotropic contrast={contrast!r}", image, made)
        yield case(f"{name}-volume", f"anisotropic iterations=5 contrast={contrast!r} conductance=inverse volume=yes", stack,
                   diffused(stack, 5, contrast, inverse=True))
        if np.issubdtype(dtype, np.integer):
            yield Case(f"{name}-same", f"anisotropic contrast={contrast!r} output=same", {"image": image}, {"image": like(made, image)}, absolute=1)
    image, stack = inputs(np.float32)
    for n in (1, 2, 3, 100):
        yield case(f"steps-{n}", f"anisotropic iterations={n} contrast=300 step=0.25 conductance=inverse", image, diffused(image, n, 300, 0.25, True))
    small = inputs(np.uint8)[0]
    yield case("many", "anisotropic iterations=800 contrast=60", small, diffused(small, 800, 60))
    yield case("exponential-volume", "anisotropic contrast=300 step=0.16 volume=yes", stack, diffused(stack, 10, 300, 0.16))
    yield case("planes", "anisotropic contrast=300", stack, np.stack([diffused(plane, 10, 300) for plane in stack]))
