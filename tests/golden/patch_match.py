# SPDX-License-Identifier: MIT
"""patch_match: every patch of the one image against every patch of the other, in NumPy."""
import numpy as np
from make import Case

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)


def patches(image, radius):
    """(channels, y, x) -> (y, x, values of a patch), rows before columns before channels, edges going on outside."""
    wide = np.pad(image.astype(np.float64), ((0, 0), (radius, radius), (radius, radius)), mode="edge")
    span = 2 * radius + 1
    return np.lib.stride_tricks.sliding_window_view(wide, (span, span), (1, 2)).transpose(1, 2, 3, 4, 0)


def match(a, b, radius):
    """Columns, rows and distances, row by row of a; the first of equals."""
    of_a, of_b = patches(a, radius), patches(b, radius)
    found = np.empty(of_a.shape[:2], np.int64)
    distance = np.empty(found.shape)
    for at in np.ndindex(found.shape):
        squares = (of_b - of_a[at]) ** 2
        for _ in range(3):  # channels, then columns, then rows, each from the first to the last
            squares = np.add.accumulate(squares, -1)[..., -1]
        squares = np.where(np.isfinite(squares), squares, np.inf).ravel()
        found[at] = np.argmin(squares)
        distance[at] = squares[found[at]]
    there = np.isfinite(distance)
    return (np.where(there, found % b.shape[-1], -1).astype(np.int32), np.where(there, found // b.shape[-1], -1).astype(np.int32),
            np.where(there, distance, np.nan))


def matched(name, a, b, radius=1):
    """a, b: (c, z, y, x); a single plane of b goes with all of a."""
    with np.errstate(invalid="ignore", over="ignore"):
        planes = [match(a[:, z], b[:, z % b.shape[1]], radius) for z in range(a.shape[1])]
    x, y, distance = (np.stack(part) for part in zip(*planes))
    exact = a.dtype == b.dtype == np.uint8
    return Case(name, f"patch_match radius={radius}", {"image": a, "patches": b},
                {"x": x, "y": y, "distance": distance.astype(np.int32 if exact else np.float64)})


def noise(rng, dtype, shape, most=255):
    if np.dtype(dtype).kind == "f":
        return rng.normal(size=shape).astype(dtype)
    return rng.integers(0, most, shape, endpoint=True).astype(dtype)


def cases():
    rng = np.random.default_rng(21)
    for dtype in TYPES:
        kind = np.dtype(dtype).name
        most = {np.uint16: 65535, np.int32: 2 ** 31 - 1}.get(dtype, 255)
        for channels in range(1, 5):
            yield matched(f"{kind}-{channels}", noise(rng, dtype, (channels, 1, 11, 23), most),
                          noise(rng, dtype, (channels, 1, 19, 14), most))
        yield matched(f"{kind}-ties", (noise(rng, np.uint8, (2, 1, 23, 31), 2)).astype(dtype),
                      noise(rng, np.uint8, (2, 1, 21, 37), 2).astype(dtype))
        yield matched(f"{kind}-stack", noise(rng, dtype, (2, 3, 9, 12), most), noise(rng, dtype, (2, 3, 8, 15), most), 2)
        yield matched(f"{kind}-one-for-all", noise(rng, dtype, (1, 2, 9, 12), most), noise(rng, dtype, (1, 1, 8, 15), most))
        yield matched(f"{kind}-dots", noise(rng, dtype, (1, 1, 1, 1), most), noise(rng, dtype, (1, 1, 1, 40), most), 3)
    for radius in range(1, 8):
        for dtype in (np.uint8, np.float32):
            yield matched(f"radius-{radius}-{np.dtype(dtype).name}", noise(rng, dtype, (3, 1, 12, 17)),
                          noise(rng, dtype, (3, 1, 15, 13)), radius)
    yield matched("radius-7-extremes", noise(rng, np.uint8, (4, 1, 9, 10), 1) * np.uint8(255),
                  noise(rng, np.uint8, (4, 1, 8, 12), 1) * np.uint8(255), 7)
    yield matched("tiles", noise(rng, np.uint8, (3, 1, 37, 141)), noise(rng, np.uint8, (3, 1, 41, 43)))
    yield matched("tiles-ties", noise(rng, np.uint8, (1, 1, 41, 131), 1), noise(rng, np.uint8, (1, 1, 33, 57), 1))
    yield matched("mixed", noise(rng, np.uint8, (1, 1, 9, 10)), noise(rng, np.uint16, (1, 1, 8, 12), 300))
    odd = noise(rng, np.float32, (1, 1, 13, 17))
    odd[0, 0, 3, 4], odd[0, 0, 9, 12] = np.nan, np.inf
    yield matched("nan", odd, odd[:, :, ::-1].copy())
    yield matched("all-nan", odd, np.full((1, 1, 5, 5), np.nan, np.float32))
