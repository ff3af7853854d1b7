# SPDX-License-Identifier: MIT
"""unsharp: skimage.filters.unsharp_mask on float64, keeping the range."""
import numpy as np
from scipy.ndimage import gaussian_filter
from imagej.lines import golden, words_of
from make import Case
from skimage.filters import unsharp_mask
from sobel import BORDERS, TYPES, case, inputs, like


def imagej_cases():
    for kind, lines, image, made in golden("Unsharp Mask..."):
        words = words_of(lines)
        weight = float(words["mask"])
        yield Case(f"imagej-{kind}-{words['radius']}", f"unsharp method=imagej output=same sigma={words['radius']} amount={round(weight / (1 - weight), 12)!r}",
                   {"image": image}, {"image": made})


def cases():
    yield from imagej_cases()
    def unsharp(image, radius, amount):
        return unsharp_mask(image.astype(np.float64), radius, amount, preserve_range=True)

    for dtype in TYPES:
        name, (image, stack) = np.dtype(dtype).name, inputs(dtype)
        made = unsharp(image, 2, 1.5)
        yield case(name, "unsharp sigma=2 amount=1.5 border=reflect", image, made)
        if np.issubdtype(dtype, np.integer):
            yield Case(f"{name}-same", "unsharp sigma=2 amount=1.5 border=reflect output=same", {"image": image}, {"image": like(made, image)}, absolute=1)
        yield case(f"{name}-volume", "unsharp sigma=1.2 border=reflect volume=yes", stack, unsharp(stack, 1.2, 1))
    image, stack = inputs(np.float32)
    wide = image.astype(np.float64)
    for border in BORDERS:
        yield case(border, f"unsharp sigma=1.5,1 amount=-0.5 border={border} value=100.5", image,
                   wide - 0.5 * (wide - gaussian_filter(wide, (1.5, 1), mode=border, cval=100.5)))
    yield case("planes", "unsharp border=reflect", stack, np.stack([unsharp(plane, 1, 1) for plane in stack]))
    yield case("sigma-0", "unsharp sigma=0", image, wide)
    long = np.random.default_rng(63).random((2, 1100))  # more pixels than a piece of a row
    yield case("long", "unsharp border=reflect", long, unsharp(long, 1, 1))
