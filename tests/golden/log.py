# SPDX-License-Identifier: MIT
"""log: scipy.ndimage.gaussian_laplace on float64."""
import numpy as np
from scipy.ndimage import gaussian_filter, gaussian_laplace
from sobel import BORDERS, TYPES, case, inputs


def of_constant(filtered, image, mode, cval=0, **options):
    """Derivatives of an image in a constant: for SciPy the constant would be that of what the axis before has made, of which it is none."""
    image, reach = image.astype(np.float64), 8
    if mode != "constant":
        return filtered(image, mode=mode, **options)
    return filtered(np.pad(image, reach, constant_values=cval), mode="nearest", **options)[(slice(reach, -reach),) * image.ndim]


def cases():
    def log(image, sigma, mode="nearest", **options):
        return of_constant(lambda i, **o: gaussian_laplace(i, sigma, **o), image, mode, **options)

    for dtype in TYPES:
        name, (image, stack) = np.dtype(dtype).name, inputs(dtype)
        yield case(name, "log", image, log(image, 2))
        yield case(f"{name}-volume", "log sigma=1.2 volume=yes", stack, log(stack, 1.2))
    image, stack = inputs(np.float32)
    for border in BORDERS:
        yield case(border, f"log sigma=1.5,1 border={border} value=100.5", image, log(image, (1.5, 1), border, cval=100.5))
        yield case(f"{border}-volume", f"log sigma=0.7,1.5,1 border={border} value=100.5 volume=yes", stack,
                   log(stack, (0.7, 1.5, 1), border, cval=100.5))
    yield case("planes", "log sigma=1.2", stack, np.stack([log(plane, 1.2) for plane in stack]))
    yield case("normalize", "log sigma=3,2 normalize=yes", image,
               sum(s * s * gaussian_filter(image.astype(np.float64), (3, 2), order, mode="nearest") for s, order in ((3, (2, 0)), (2, (0, 2)))))
    yield case("truncate", "log truncate=2.5", image, log(image, 2, truncate=2.5))
    yield case("narrow", "log sigma=0.1 volume=yes", stack, log(stack, 0.1))
    yield case("wide", "log sigma=30", image, log(image, 30))
    yield case("physical", "log sigma=1.5 units=physical", image, log(image, (3, 1.5)), spacing=(1, 0.5, 1))
    yield case("flat", "log", image + np.float32(2**17), log(image + np.float32(2**17), 2), 1e-5)
