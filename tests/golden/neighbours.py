# SPDX-License-Identifier: MIT
"""neighbours: distances between all pixels of two objects by SciPy, centroids by scikit-image, and who touches by dilation."""
import numpy as np
from make import Case
from scipy.ndimage import binary_dilation
from scipy.spatial.distance import cdist
from skimage.measure import regionprops
from texture import cells

COLUMNS = ("label", "touching", "near", "nearest", "distance", "nearest_centroid", "centroid_distance")


def relate(labels, distance, spacing):
    """A row for each object."""
    found = {int(o.label): (o.coords * spacing, np.array(o.centroid) * spacing) for o in regionprops(labels)}
    near_by = np.ones((3,) * labels.ndim, bool)
    rows = []
    for label, (pixels, centroid) in found.items():
        edges = sorted((cdist(pixels, other).min(), key) for key, (other, _) in found.items() if key != label)
        centroids = sorted((np.linalg.norm(centroid - c), key) for key, (_, c) in found.items() if key != label)
        touching = set(np.unique(labels[binary_dilation(labels == label, near_by)])) - {0, label}
        near = touching | {key for d, key in edges if distance and d <= distance}
        nearest = (edges[0][1], edges[0][0], centroids[0][1], centroids[0][0]) if edges else (np.nan,) * 4
        rows.append((label, len(touching), len(near), *nearest))
    return rows


def case(name, labels, distance=0, volume=False, spacing=(1, 1, 1), unit="", units="physical"):
    """labels: (z, y, x) or (y, x)."""
    stack = labels if labels.ndim == 3 else labels[None]
    steps = spacing if units == "physical" else (1, 1, 1)
    if volume or len(stack) == 1:
        rows = relate(stack, distance, steps)
    else:
        rows = [(z + 1, *row) for z, plane in enumerate(stack) for row in relate(plane[None], distance, steps)]
    keys = COLUMNS if volume or len(stack) == 1 else ("z",) + COLUMNS
    step = "neighbours" + (f" distance={distance}" if distance else "") + (" volume=yes" if volume else "")
    return Case(name, step + (" units=pixel" if units == "pixel" else ""), {"image": labels},
                table=dict(zip(keys, np.transpose(rows))), table_tolerance=1e-9, spacing=spacing, unit=unit,
                roles={"image": "labels"})


def cases():
    rng = np.random.default_rng(31)
    labels = cells((41, 67), 3)
    for distance in (0, 1, 5.5, 30, 200):
        yield case(f"cells-{distance}", labels, distance)
    seeds = np.where(rng.random((37, 53)) < 0.03, rng.integers(1, 40, (37, 53)), 0).astype(np.int32)
    yield case("scattered", seeds, 3)
    grid = np.zeros((29, 29), np.int32)  # ties everywhere
    grid[::4, ::4] = rng.permutation(64).reshape(8, 8) + 1
    yield case("grid", grid, 4)
    yield case("touching", np.kron(rng.permutation(30).reshape(5, 6) + 1, np.ones((4, 5), int)).astype(np.int32))
    yield case("two-far", np.pad(np.ones((1, 1), np.int32), ((0, 60), (0, 90))) + np.pad([[7]], ((60, 0), (90, 0))).astype(np.int32))
    yield case("one", np.ones((4, 5), np.int32), 9)
    flat = (4, 0.5, 0.2)
    for units in ("physical", "pixel"):
        yield case(f"spacing-{units}", labels, 2.5, spacing=flat, unit="µm", units=units)
        volume = np.where(rng.random((7, 19, 23)) < 0.01, rng.integers(1, 25, (7, 19, 23)), 0).astype(np.int32)
        yield case(f"volume-{units}", volume, 4, True, spacing=flat, unit="µm", units=units)
    yield case("slices", np.stack([cells((19, 23), z) for z in range(3)]), 4)
    yield case("u8", np.minimum(labels, 255).astype(np.uint8), 4)
    many = np.zeros((60, 45), np.int32)
    many[::3, ::3] = rng.permutation(300).reshape(20, 15) + 1
    yield case("many-near", many, 50)
