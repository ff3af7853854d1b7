# SPDX-License-Identifier: MIT
"""nlmeans, by its definition. skimage.restoration.denoise_nl_means (0.26) has Schraudolph's exponential, off by up to some percent, and must agree as
closely as that. Its exact form does not look for patches outside the image and is compared away from the edges."""
import numpy as np
from make import Case
from skimage.restoration import denoise_nl_means
from sobel import TYPES, TOPS, case, inputs, like


def box(image, low, high, weights=None):
    """Sums of image[p + o], low <= o <= high along both axes; image has that much more on each side."""
    far = max(-low, high)
    n, m = (k - 2 * far for k in image.shape)
    return [image[far + y:far + y + n, far + x:far + x + m] for y in range(low, high + 1) for x in range(low, high + 1)]


def nlmeans(image, size, distance, h, sigma=0, exact=False):
    size += 1 - size % 2
    reach, far = size // 2, size // 2 + distance
    v = np.pad(image.astype(np.float64), far, mode="reflect")
    n, m = image.shape
    y, x = np.mgrid[-reach:reach + 1, -reach:reach + 1]
    a = (size - 1) / 4
    gauss = np.exp(-(x * x + y * y) / (2 * a * a))
    gauss /= gauss.sum() * h * h
    sums = weights = 0
    here = v[distance:distance + n + 2 * reach, distance:distance + m + 2 * reach]
    for ty in range(-distance, distance + 1):
        for tx in range(-distance, distance + 1):
            there = v[distance + ty:distance + ty + n + 2 * reach, distance + tx:distance + tx + m + 2 * reach]
            squares = (here - there) ** 2 - 2 * sigma ** 2
            other = there[reach:reach + n, reach:reach + m]
            if exact:
                d, dead = np.zeros((n, m)), np.zeros((n, m), bool)
                for row in range(size):
                    dead |= d > 5
                    for column in range(size):
                        d += gauss[row, column] * squares[row:row + n, column:column + m]
                w = np.where(dead & (d == d), 0, np.exp(-np.maximum(d, 0)))
            else:
                d = np.sum(box(squares, 1 - reach, reach), 0) / (size * size * h * h)
                w = np.where(d > 5, 0, np.exp(-np.maximum(d, 0)))
            sums, weights = sums + w * other, weights + w
    made = sums / weights
    if not np.isfinite(image).all():
        return made
    theirs = denoise_nl_means(image.astype(np.float64), size, distance, h, not exact, sigma, preserve_range=True)
    inner = np.s_[distance:n - distance, distance:m - distance] if exact else np.s_[:]
    if made[inner].size:
        assert np.linalg.norm((made - theirs)[inner]) < 0.03 * np.linalg.norm(image[inner] - image.mean()), "far from scikit-image"
    return made


def cases():
    for dtype in TYPES:
        name, image = np.dtype(dtype).name, inputs(dtype)[0]
        h = TOPS.get(dtype, 1000) / 4
        for method in "fast", "exact":
            made = nlmeans(image, 5, 3, h, exact=method == "exact")
            yield case(f"{name}-{method}", f"nlmeans h={h!r} patch_size=5 patch_distance=3 method={method}", image, made)
        if np.issubdtype(dtype, np.integer):
            yield Case(f"{name}-same", f"nlmeans h={h!r} patch_size=5 patch_distance=3 output=same", {"image": image},
                       {"image": like(nlmeans(image, 5, 3, h), image)}, absolute=1)
    image, stack = inputs(np.float32)
    for method in "fast", "exact":
        exact = method == "exact"
        yield case(f"noise-{method}", f"nlmeans h=200 sigma=100 patch_size=4 patch_distance=2 method={method}", image,
                   nlmeans(image, 4, 2, 200, 100, exact))
        yield case(f"planes-{method}", f"nlmeans h=300 patch_size=3 patch_distance=4 method={method}", stack,
                   np.stack([nlmeans(plane, 3, 4, 300, exact=exact) for plane in stack]))
        long = np.random.default_rng(66).random((3, 1100)).astype(np.float32)  # more pixels than a piece of a row
        yield case(f"long-{method}", f"nlmeans h=0.3 patch_size=3 patch_distance=1 method={method}", long, nlmeans(long, 3, 1, .3, exact=exact))
        for size in 7, 9, 11, 13, 15, 17, 19, 21:  # more rows and columns than a tile; the largest patches reach far, too
            dtype, distance = (np.float64, 20) if size == 21 else (np.float32, 2)
            large = np.random.default_rng(size).random((40, 45)).astype(dtype)
            yield case(f"patch-{size}-{method}", f"nlmeans h=0.25 patch_size={size} patch_distance={distance} method={method}", large,
                       nlmeans(large, size, distance, .25, exact=exact))
        spoilt = np.random.default_rng(67).random((40, 70)).astype(np.float32)
        spoilt[8, 9], spoilt[30, 50] = np.nan, np.inf
        with np.errstate(invalid="ignore"):
            yield case(f"spoilt-{method}", f"nlmeans h=0.1 patch_size=5 patch_distance=3 method={method}", spoilt, nlmeans(spoilt, 5, 3, .1, exact=exact))
