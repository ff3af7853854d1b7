# SPDX-License-Identifier: MIT
"""dog: skimage.filters.difference_of_gaussians on float64."""
import numpy as np
from skimage.filters import difference_of_gaussians
from sobel import BORDERS, TYPES, case, inputs


def cases():
    def dog(image, low, high=None, **options):
        return difference_of_gaussians(image.astype(np.float64), low, high, **options)

    for dtype in TYPES:
        name, (image, stack) = np.dtype(dtype).name, inputs(dtype)
        yield case(name, "dog sigma=1 high_sigma=5", image, dog(image, 1, 5), 1e-5)
        yield case(f"{name}-volume", "dog sigma=0.8 volume=yes", stack, dog(stack, 0.8), 1e-5)
    image, stack = inputs(np.float32)
    for border in BORDERS:
        yield case(border, f"dog sigma=1.5,1 high_sigma=2,3 border={border} value=100.5", image,
                   dog(image, (1.5, 1), (2, 3), mode=border, cval=100.5), 1e-5)
    yield case("planes", "dog sigma=1.2", stack, np.stack([dog(plane, 1.2) for plane in stack]), 1e-5)
    yield case("truncate", "dog sigma=2 truncate=2", image, dog(image, 2, truncate=2), 1e-5)
    yield case("physical", "dog sigma=1.5 high_sigma=3 units=physical", image, dog(image, (3, 1.5), (6, 3)), 1e-5, spacing=(1, 0.5, 1))
    yield case("sigma-0", "dog sigma=0 high_sigma=1", image, dog(image, 0, 1), 1e-5)
