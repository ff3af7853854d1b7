# SPDX-License-Identifier: MIT
"""bilateral, by its definition. The table of weights of skimage.restoration.denoise_bilateral (0.26) is wider than its square by one, so that its
rows slip (12 x 12 for a square of 11 x 11)."""
import numpy as np
from make import Case
from sobel import BORDERS, TYPES, TOPS, case, inputs, like

PADS = {"nearest": "edge", "reflect": "symmetric", "mirror": "reflect", "wrap": "wrap"}


def bilateral(image, sigma, sigma_range, border="nearest", value=0):
    reach = max(2, int(np.ceil(3 * sigma)))
    image = image.astype(np.float64)
    options = dict(mode="constant", constant_values=value) if border == "constant" else dict(mode=PADS[border])
    padded, sums, weights = np.pad(image, reach, **options), 0, 0
    for y in range(2 * reach + 1):
        for x in range(2 * reach + 1):
            other = padded[y:y + image.shape[0], x:x + image.shape[1]]
            weight = np.exp(-((y - reach)**2 + (x - reach)**2) / (2 * sigma**2) - (other - image)**2 / (2 * sigma_range**2))
            sums, weights = sums + weight * other, weights + weight
    return sums / weights


def cases():
    for dtype in TYPES:
        name, image = np.dtype(dtype).name, inputs(dtype)[0]
        spread = TOPS.get(dtype, 1000) / 5
        made = bilateral(image, 1.5, spread)
        yield case(name, f"bilateral sigma=1.5 sigma_range={spread!r}", image, made)
        yield case(f"{name}-narrow", f"bilateral sigma=0.3 sigma_range={spread!r}", image, bilateral(image, 0.3, spread))
        if np.issubdtype(dtype, np.integer):
            yield Case(f"{name}-same", f"bilateral sigma=1.5 sigma_range={spread!r} output=same", {"image": image}, {"image": like(made, image)}, absolute=1)
    image, stack = inputs(np.float32)
    for border in BORDERS:
        yield case(border, f"bilateral sigma=2 sigma_range=300 border={border} value=100.5", image, bilateral(image, 2, 300, border, 100.5))
    yield case("planes", "bilateral sigma=0.5 sigma_range=200", stack, np.stack([bilateral(plane, 0.5, 200) for plane in stack]))
    long = np.random.default_rng(65).random((3, 1100)).astype(np.float32)  # more pixels than a piece of a row
    yield case("long", "bilateral sigma=0.8 sigma_range=0.3", long, bilateral(long, 0.8, 0.3))
