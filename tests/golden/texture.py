# SPDX-License-Identifier: MIT
"""texture: skimage.feature.graycomatrix and graycoprops, with a level more for what does not count."""
import numpy as np
from make import Case
from skimage.feature import graycomatrix, graycoprops

FEATURES = {"contrast": "contrast", "dissimilarity": "dissimilarity", "homogeneity": "homogeneity", "asm": "ASM",
            "energy": "energy", "correlation": "correlation", "entropy": "entropy", "variance": "variance"}


def quantize(v, n, low, high):
    """The bins of numpy.histogram; n where v is not finite."""
    edges = np.histogram_bin_edges(v[np.isfinite(v)], n, (low, high)) if low < high else np.array([low - .5, high + .5])
    if low == high:
        edges = np.linspace(low - .5, high + .5, n + 1)
    levels = np.digitize(np.clip(np.nan_to_num(v), low, high), edges) - 1
    return np.where(np.isfinite(v), levels.clip(0, n - 1), n)


def features(levels, inside, n, distance, angles):
    levels = np.where(inside, levels, n).astype(np.uint16)
    found = []
    for angle in angles:
        matrix = graycomatrix(levels, [distance], [np.deg2rad(angle)], n + 1, symmetric=True)[:n, :n].astype(np.float64)
        if matrix.sum():
            matrix /= matrix.sum()
            found.append([graycoprops(matrix, name)[0, 0] for name in FEATURES.values()])
    return np.mean(found, 0) if found else np.full(len(FEATURES), np.nan)


def case(name, image, labels=None, n=32, distance=1, angles=(0, 45, 90, 135), limits=None, frames=1):
    """image: (t, c, z, y, x); labels: (t, z, y, x)."""
    shape, rows = image.shape, []
    for t, c in np.ndindex(shape[:2]):
        v = image[t, c].astype(np.float64)
        finite = v[np.isfinite(v)]
        levels = quantize(v, n, *(limits or (finite.min(), finite.max())))
        for z in range(shape[2]):
            for label in [0] if labels is None else np.unique(labels[t, z])[1 if (labels[t, z] == 0).any() else 0:]:
                at = [i + 1 for i, m in zip((t, c, z), shape) if m > 1] + ([label] if labels is not None else [])
                inside = True if labels is None else labels[t, z] == label
                rows.append(at + list(features(levels[z], inside, n, distance, angles)))
    keys = [key for key, m in zip(("frame", "channel", "z"), shape) if m > 1] + (["label"] if labels is not None else [])
    step = "texture" + (f" levels={n}" if n != 32 else "") + (f" distance={distance}" if distance != 1 else "")
    step += f" angle={angles[0]}" if len(angles) == 1 else ""
    step += f" low={limits[0]} high={limits[1]}" if limits else ""
    inputs = {"image": image if frames > 1 else image[0]}
    if labels is not None:
        inputs["labels"] = labels[:, None] if frames > 1 else labels[0]
    return Case(name, step, inputs, table=dict(zip(keys + list(FEATURES), np.transpose(rows))), table_tolerance=1e-9,
                frames=frames, roles={"labels": "labels"} if labels is not None else {})


def cells(shape, seed):
    """Labels of discs and squares with gaps, some of which touch; a line and a single pixel."""
    rng, labels = np.random.default_rng(seed), np.zeros(shape, np.int32)
    y, x = np.mgrid[:shape[0], :shape[1]]
    for label in (3, 8, 9, 1000, 70000):
        cy, cx, r = rng.integers(0, shape[0]), rng.integers(0, shape[1]), rng.integers(3, 8)
        labels[np.hypot(y - cy, x - cx) < r if label % 2 else np.maximum(abs(y - cy), abs(x - cx)) < r] = label
    labels[0, :9], labels[-1, -1] = 2, 5
    return labels


def cases():
    rng = np.random.default_rng(12)
    smooth = 100 + 60 * np.sin(np.add.outer(np.arange(27) / 3, np.arange(41) / 5))
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        image = np.rint(smooth + rng.normal(0, 9, smooth.shape)).astype(dtype)[None, None, None]
        yield case(np.dtype(dtype).name, image)
    labels = cells((27, 41), 1)[None, None]
    yield case("objects", image, labels)
    yield case("distance", image, labels, distance=3, angles=(45,))
    yield case("distance-135", image, labels, distance=2, angles=(135,))
    yield case("right", image, labels, angles=(0,))
    yield case("levels", image, n=128, angles=(90,))
    yield case("two-levels", image, labels, n=2)
    yield case("limits", image, labels, n=8, limits=(90, 140))
    yield case("far", image, distance=100)
    many = rng.integers(0, 4000, (2, 2, 3, 12, 15)).astype(np.uint16)
    yield case("frames", many, n=8, frames=2)
    stacks = np.stack([[cells((12, 15), 10 * t + z) for z in range(3)] for t in range(2)])
    yield case("frames-objects", many, stacks, n=8, frames=2)
    odd = image.astype(np.float32)
    odd[..., ::5, ::4], odd[..., 6, :] = np.nan, np.inf
    yield case("odd", odd, labels, n=16)
    yield case("flat", np.full((1, 1, 1, 5, 6), 7, np.uint8), n=4)
