# SPDX-License-Identifier: MIT
"""hessian: scipy.ndimage.gaussian_filter with `order` on float64, and skimage.feature.hessian_matrix_eigvals of these."""
from itertools import combinations_with_replacement

import numpy as np
from scipy.ndimage import gaussian_filter
from skimage.feature import hessian_matrix_eigvals
from log import of_constant
from sobel import BORDERS, TYPES, case, inputs


def eigenvalues(image, sigma, mode="nearest", **options):
    """In decreasing order."""
    axes = range(image.ndim)
    return hessian_matrix_eigvals([of_constant(lambda image, **o: gaussian_filter(image, sigma, order, **o), image, mode, **options)
                                   for order in ([(i == a) + (i == b) for i in axes] for a, b in combinations_with_replacement(axes, 2))])


def cases():
    for dtype in TYPES:
        name, (image, stack) = np.dtype(dtype).name, inputs(dtype)
        yield case(name, "hessian sigma=1.5", image, eigenvalues(image, 1.5)[-1])
        yield case(f"{name}-volume", "hessian sigma=1 value_of=middle volume=yes", stack, eigenvalues(stack, 1)[1])
    image, stack = inputs(np.float32)
    for border in BORDERS:
        yield case(border, f"hessian sigma=1.5,1 value_of=largest border={border} value=100.5", image,
                   eigenvalues(image, (1.5, 1), border, cval=100.5)[0])
    for i, value in enumerate(("largest", "middle", "smallest")):
        yield case(f"{value}-volume", f"hessian sigma=0.8,1.5,1 value_of={value} volume=yes border=wrap", stack,
                   eigenvalues(stack, (0.8, 1.5, 1), "wrap")[i])
    yield case("planes", "hessian sigma=1.2", stack, np.stack([eigenvalues(plane, 1.2)[-1] for plane in stack]))
    long = np.random.default_rng(64).random((3, 300)).astype(np.float32)  # more pixels than a piece of a row
    yield case("long", "hessian sigma=1", long, eigenvalues(long, 1)[-1])
