# SPDX-License-Identifier: MIT
"""reconstruct: patches laid one by one, in NumPy."""
import numpy as np
from make import Case

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)


def lay(x, y, b, radius):
    """x, y: (rows, columns); b: (c, rows, columns). Means of the patches that lie over each pixel."""
    rows, columns = x.shape
    sums, counts = np.zeros((len(b), rows, columns)), np.zeros((rows, columns))
    for v, u in np.ndindex(rows, columns):
        if not (0 <= x[v, u] < b.shape[2] and 0 <= y[v, u] < b.shape[1]):
            continue
        for dy in range(max(-radius, -v), min(radius, rows - 1 - v) + 1):
            for dx in range(max(-radius, -u), min(radius, columns - 1 - u) + 1):
                by, bx = np.clip(y[v, u] + dy, 0, b.shape[1] - 1), np.clip(x[v, u] + dx, 0, b.shape[2] - 1)
                sums[:, v + dy, u + dx] += b[:, by, bx]
                counts[v + dy, u + dx] += 1
    return sums / counts


def laid(name, x, y, b, radius=1):
    """x, y: (z, y, x); b: (c, z, y, x); a single plane of b goes with all of the field."""
    with np.errstate(invalid="ignore"):
        out = np.stack([lay(x[z], y[z], b[:, z % b.shape[1]], radius) for z in range(len(x))], 1)
    if b.dtype.kind != "f":
        out = np.rint(np.nan_to_num(out))
    return Case(name, f"reconstruct radius={radius}", {"x": x, "y": y, "patches": b}, {"image": out.astype(b.dtype)},
                tolerance={np.float32: 1e-7, np.float64: 1e-14}.get(b.dtype.type, 0))


def cases():
    rng = np.random.default_rng(22)

    def field(shape, rows, columns, low=0):
        return rng.integers(low, columns, shape).astype(np.int32), rng.integers(low, rows, shape).astype(np.int32)

    for dtype in TYPES:
        kind = np.dtype(dtype).name
        b = rng.integers(0, 255, (3, 1, 9, 11)).astype(dtype)
        yield laid(f"{kind}-colours", *field((1, 13, 17), 9, 11), b)
        yield laid(f"{kind}-stack", *field((2, 6, 7), 8, 5), rng.integers(0, 255, (2, 2, 8, 5)).astype(dtype), 2)
        yield laid(f"{kind}-none", *field((1, 15, 14), 12, 15, -20), b)
    for radius in (0, 3, 7):
        yield laid(f"radius-{radius}", *field((1, 12, 19), 9, 11), rng.integers(0, 255, (1, 1, 9, 11)).astype(np.uint8), radius)
    yield laid("one-for-all", *field((3, 5, 9), 8, 6), rng.normal(size=(1, 1, 8, 6)))
    yield laid("far", *(v * np.int32(1 << 24) for v in field((1, 9, 8), 90, 90, -90)), rng.normal(size=(1, 1, 8, 6)))
