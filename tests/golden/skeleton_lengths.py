# SPDX-License-Identifier: MIT
"""skeleton_lengths: graphs of pixels by scipy.spatial and scipy.sparse, of skeletons by scikit-image."""
import numpy as np
from make import Case
from scipy.ndimage import gaussian_filter
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.spatial import cKDTree
from skimage.measure import label
from skimage.morphology import skeletonize

COLUMNS = ("label", "branches", "junctions", "ends", "length", "longest_branch", "longest_path")


def parts(edges, weights, chosen):
    """Components of the chosen pixels, and the component of each pixel."""
    keep = chosen[edges].all(1)
    graph = coo_matrix((weights[keep], edges[keep].T), (len(chosen),) * 2)
    _, part = connected_components(graph, False)
    return np.unique(part[chosen]), part


def measure(pixels, spacing):
    edges = cKDTree(pixels).query_pairs(1, p=np.inf, output_type="ndarray").reshape(-1, 2)
    weights = np.linalg.norm((pixels[edges[:, 0]] - pixels[edges[:, 1]]) * spacing, axis=1)
    degree = np.bincount(edges.ravel(), minlength=len(pixels))
    junction = degree > 2
    junctions, _ = parts(edges, weights, junction)
    branches, part = parts(edges, weights, ~junction)
    length = np.zeros(len(pixels))
    for (a, b), w in zip(edges, weights):
        if not (junction[a] and junction[b]):
            length[part[a if not junction[a] else b]] += w
    ends = np.flatnonzero(degree < 2)
    graph = coo_matrix((weights, edges.T), (len(pixels),) * 2).tocsr()
    far = dijkstra(graph, False, ends if len(ends) else [0])
    return (len(branches) - (degree == 0).sum(), len(junctions), len(ends), length.sum(), length.max(),
            far[np.isfinite(far)].max())


def case(name, labels, volume=False, spacing=(1, 1, 1), unit=""):
    """labels: (z, y, x)."""
    together = volume or len(labels) == 1
    rows = []
    for z, stack in enumerate([labels] if together else labels[:, None]):
        for value in np.unique(stack[stack > 0]):
            rows.append(([] if together else [z + 1]) + [value, *measure(np.argwhere(stack == value), spacing)])
    keys = COLUMNS if together else ("z",) + COLUMNS
    return Case(name, "skeleton_lengths" + (" volume=yes" if volume else ""), {"image": labels},
                table=dict(zip(keys, np.transpose(rows))), table_tolerance=1e-9, spacing=spacing, unit=unit,
                roles={"image": "labels"})


def network(shape, seed, sigma):
    noise = gaussian_filter(np.random.default_rng(seed).normal(size=shape), sigma)
    return skeletonize(noise > 0.2 * noise.std())


def drawn(*rows):
    return np.array([[int(c) if c != "." else 0 for c in row] for row in rows], np.int32)[None]


def fishbone(ribs, width):
    """A column with ribs: many ends, and from each of them many pixels."""
    labels = np.zeros((1, 2 * ribs, width), np.uint8)
    labels[0, :, width // 2] = labels[0, ::2] = 1
    return labels


def cases():
    rng = np.random.default_rng(51)
    yield case("shapes", drawn("11111....2...3", "......222.2.3.", ".444....2..3..", ".4.4..5..2.3.3", ".444......2...", "66......7.....", "66...77777....", "........7..8.9"))
    yield case("network", label(network((71, 93), 1, 2.2)).astype(np.int32)[None], spacing=(2, 0.5, 0.3), unit="µm")
    yield case("planes", np.stack([label(network((31, 37), z, 1.7)) for z in range(3)]).astype(np.int32))
    yield case("volume", label(network((11, 23, 27), 5, 1.6)).astype(np.int32), True, (2, 0.5, 0.3), "µm")
    yield case("scattered", rng.integers(0, 4, (1, 23, 29)).astype(np.uint8))
    yield case("not-thin", np.kron(rng.integers(0, 6, (1, 4, 5)), np.ones((1, 5, 5), int)).astype(np.uint16))
    yield case("many-ends", fishbone(128, 65))
    yield case("large", np.ones((1, 140, 141), np.uint8), spacing=(1, 1, 1.5))
