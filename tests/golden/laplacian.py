# SPDX-License-Identifier: MIT
"""laplacian: scipy.ndimage.laplace on float64."""
import numpy as np
from scipy.ndimage import laplace
from sobel import BORDERS, TYPES, case, inputs


def cases():
    for dtype in TYPES:
        name, (image, stack) = np.dtype(dtype).name, inputs(dtype)
        yield case(name, "laplacian border=reflect", image, laplace(image.astype(np.float64)))
        yield case(f"{name}-volume", "laplacian border=reflect volume=yes", stack, laplace(stack.astype(np.float64)))
    image, stack = inputs(np.float32)
    for border in BORDERS:
        options, constant = f"border={border} value=100.5", dict(mode=border, cval=100.5)
        yield case(border, f"laplacian {options}", image, laplace(image.astype(np.float64), **constant))
        yield case(f"{border}-volume", f"laplacian {options} volume=yes", stack, laplace(stack.astype(np.float64), **constant))
    yield case("planes", "laplacian", stack, np.stack([laplace(plane.astype(np.float64), mode="nearest") for plane in stack]))
