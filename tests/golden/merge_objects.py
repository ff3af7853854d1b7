# SPDX-License-Identifier: MIT
"""merge_objects: all pairs of neighbors by shifting arrays, and scipy.sparse's connected components."""
import itertools

import numpy as np
from make import Case
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from texture import cells


def shifted(array, step):
    """The pixels that have a neighbor there, and that neighbor."""
    here = tuple(slice(max(0, -d), n - max(0, d)) for d, n in zip(step, array.shape))
    there = tuple(slice(max(0, d), n + min(0, d)) for d, n in zip(step, array.shape))
    return array[here].ravel(), array[there].ravel()


def borders(labels, image):
    pairs = {}
    for step in itertools.product((-1, 0, 1), repeat=3):
        if step <= (0, 0, 0):
            continue
        for a, b, u, v in zip(*shifted(labels, step), *shifted(image.astype(np.float64), step)):
            if a > 0 and b > 0 and a != b:
                pairs.setdefault((min(a, b), max(a, b)), []).append((u, v))
    rows = []
    for (a, b), values in sorted(pairs.items()):
        u, v = np.array([p for p in values if np.isfinite(p).all()]).reshape(-1, 2).T
        rows.append((a, b, len(u), np.mean((u + v) / 2) if len(u) else np.nan, np.mean(abs(u - v)) if len(u) else np.nan))
    return rows


def merge(labels, image, by, limit):
    rows = [(*row, float(row[3 if by == "mean" else 4] < limit)) for row in borders(labels, image)]
    names = np.unique(np.append(labels[labels > 0], 1))
    index = np.searchsorted(names, [[row[0], row[1]] for row in rows if row[5]]).reshape(-1, 2).T
    _, part = connected_components(coo_matrix((np.ones(index.shape[1]), index), (len(names),) * 2), False)
    least = np.array([names[part == k].min() for k in range(part.max() + 1)])
    return rows, np.where(labels > 0, least[part[np.searchsorted(names, np.maximum(labels, names[0]))]], 0).astype(np.int32)


def case(name, labels, image, by, limit, volume=False):
    """Images: (z, y, x)."""
    together = volume or len(labels) == 1
    found = [merge(a, b, by, limit) for a, b in
             ([(labels, image)] if together else zip(labels[:, None], image[:, None]))]
    table = [row if together else (z + 1, *row) for z, f in enumerate(found) for row in f[0]]
    keys = ("label", "other", "pairs", "mean", "contrast", "joined")
    return Case(name, f"merge_objects by={by} limit={limit}" + (" volume=yes" if volume else ""),
                {"image": labels, "intensity": image},
                {"labels": found[0][1] if together else np.concatenate([f[1] for f in found])},
                table=dict(zip(keys if together else ("z",) + keys, np.transpose(table))), table_tolerance=1e-12,
                roles={"image": "labels"})


def cases():
    rng = np.random.default_rng(21)
    parts = np.kron(rng.permutation(24).reshape(1, 4, 6), np.ones((1, 7, 6), int)).astype(np.int32)
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        image = rng.integers(0, 120, parts.shape).astype(dtype)
        for by, limit in ("mean", 58.5), ("contrast", 39.25):
            yield case(f"{np.dtype(dtype).name}-{by}", parts, image, by, limit)
    gaps = np.where(rng.random(parts.shape) < 0.8, parts, 0).astype(np.int32)
    odd = image.copy()
    odd[:, 10:20, ::2], odd[:, ::7] = np.nan, np.inf
    yield case("gaps", gaps, image, "contrast", 40)
    yield case("odd", gaps, odd, "mean", 60)
    stack = np.stack([cells((19, 23), z + 70) for z in range(3)])
    thick = rng.normal(100, 20, stack.shape).astype(np.float32)
    yield case("planes", stack, thick, "mean", 100)
    yield case("volume", stack, thick, "contrast", 22, True)
    yield case("columns", rng.integers(0, 5, (1, 40, 1)).astype(np.int32), rng.random((1, 40, 1)), "mean", 0.5)
