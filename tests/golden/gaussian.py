# SPDX-License-Identifier: MIT
"""gaussian: scipy.ndimage.gaussian_filter on float64."""
import numpy as np
from imagej.lines import golden, words_of
from make import Case
from scipy.ndimage import gaussian_filter

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)
BORDERS = ("nearest", "reflect", "mirror", "wrap", "constant")


def blurred(name, step, image, sigma, dtype, spacing=(1, 1, 1), **options):
    options.setdefault("mode", "nearest")
    image = image.reshape((-1,) + image.shape[-2:])
    exact = gaussian_filter(image.astype(np.float64), sigma, **options)
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        expect = np.clip(np.rint(exact), limits.min, limits.max).astype(dtype)
        return Case(name, step, {"image": image}, {"image": expect}, absolute=1, spacing=spacing)
    tolerance = 1e-12 if dtype == np.float64 else 1e-6
    return Case(name, step, {"image": image}, {"image": exact.astype(dtype)}, tolerance, spacing=spacing)


def imagej_cases():
    for kind, lines, image, made in golden("Gaussian Blur..."):
        sigma = words_of(lines)["sigma"]
        yield Case(f"imagej-{kind}-{sigma}", f"gaussian method=imagej output=same sigma={sigma}", {"image": image}, {"image": made})


def cases():
    yield from imagej_cases()
    rng = np.random.default_rng(2)
    noise = rng.random((23, 31)) * 240
    stack = rng.random((7, 13, 17)) * 240
    for dtype in TYPES:
        name, result = np.dtype(dtype).name, np.float64 if dtype == np.float64 else np.float32
        scale = 10**6 if dtype == np.int32 else 1
        image, volume = (noise * scale).astype(dtype), (stack * scale).astype(dtype)
        yield blurred(f"{name}-plane", "gaussian sigma=2", image, (0, 2, 2), result)
        yield blurred(f"{name}-same", "gaussian sigma=1.3 output=same", image, (0, 1.3, 1.3), dtype)
        yield blurred(f"{name}-planes", "gaussian sigma=1.5", volume, (0, 1.5, 1.5), result)
        yield blurred(f"{name}-volume", "gaussian sigma=1.5 volume=yes", volume, (1.5, 1.5, 1.5), result)
        yield blurred(f"{name}-volume-same", "gaussian sigma=1,2,0.7 volume=yes output=same", volume, (1, 2, 0.7),
                      dtype)

    image, volume = noise.astype(np.float32), stack.astype(np.float32)
    for border in BORDERS:
        constant = dict(mode=border, cval=100.5)
        yield blurred(f"border-{border}", f"gaussian sigma=3,2 border={border} value=100.5", image, (0, 3, 2),
                      np.float32, **constant)
        yield blurred(f"border-{border}-far", f"gaussian sigma=20 border={border} value=100.5", image, (0, 20, 20),
                      np.float32, **constant)
        yield blurred(f"border-{border}-volume", f"gaussian sigma=4,1,2 border={border} value=100.5 volume=yes", volume,
                      (4, 1, 2), np.float32, **constant)
    yield blurred("sigma-0", "gaussian sigma=0", image, 0, np.float32)
    yield blurred("sigma-small", "gaussian sigma=0.1", image, (0, 0.1, 0.1), np.float32)
    yield blurred("sigma-y", "gaussian sigma=3,0", image, (0, 3, 0), np.float32)
    yield blurred("sigma-x", "gaussian sigma=0,3", image, (0, 0, 3), np.float32)
    yield blurred("sigma-z", "gaussian sigma=2,0,0 volume=yes", volume, (2, 0, 0), np.float32)
    yield blurred("sigma-y-x-of-volume", "gaussian sigma=2,1 volume=yes", volume, (0, 2, 1), np.float32)
    yield blurred("sigma-z-0-of-planes", "gaussian sigma=0,2,1", volume, (0, 2, 1), np.float32)
    yield blurred("sigma-1000", "gaussian sigma=1000", image[:5, :7], (0, 1000, 1000), np.float32)
    yield blurred("truncate-0", "gaussian sigma=2 truncate=0", image, (0, 2, 2), np.float32, truncate=0)
    yield blurred("truncate-2.5", "gaussian sigma=1.9 truncate=2.5", image, (0, 1.9, 1.9), np.float32, truncate=2.5)
    yield blurred("physical", "gaussian sigma=1.5 units=physical volume=yes", volume, (0.75, 3, 1.5), np.float32,
                  spacing=(2, 0.5, 1))
    for rows, columns in ((1, 1), (1, 29), (29, 1), (2, 2)):
        yield blurred(f"size-{rows}-{columns}", "gaussian sigma=2", noise[:29, :29].reshape(-1)[:rows * columns]
                      .reshape(rows, columns), (0, 2, 2), np.float64)
    impulse = np.zeros((21, 21), np.float32)
    impulse[10, 10] = 1
    yield blurred("impulse", "gaussian sigma=2", impulse, (0, 2, 2), np.float32)
    tall = (rng.random((400, 3)) * 250).astype(np.uint8)  # more rows than wait at a time
    for border in BORDERS:
        yield blurred(f"tall-{border}", f"gaussian sigma=2 border={border} output=same", tall, (0, 2, 2), np.uint8,
                      mode=border)
