# SPDX-License-Identifier: MIT
"""stars: stardist2d of StarDist's package keeps the polygons; they become pixels by the rule of even and odd, with Python's integers."""
import importlib.machinery
import importlib.metadata
import importlib.util

import numpy as np
from make import Case

RAYS = 32
UNIT = 64  # of coordinates in a pixel
SINE = np.round(np.sin(2 * np.pi * np.arange(RAYS) / RAYS) * 32768).astype(np.int64)


def stardist2d():
    """The compiled module alone: the package around it needs much more."""
    file = next(f for f in importlib.metadata.files("stardist") if f.name.startswith("stardist2d") and f.suffix == ".so")
    loader = importlib.machinery.ExtensionFileLoader("stardist2d", str(file.locate()))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("stardist2d", loader))
    loader.exec_module(module)
    return module


def network_output(rows, columns, objects, grid, seed, shift=0.4):
    """What a network might give for ellipses: probabilities that fall from their centers, and distances to their outlines with some noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:rows, :columns] * float(grid)
    probability = np.full((rows, columns), 0.01)
    distances = np.zeros((RAYS, rows, columns))
    angles = 2 * np.pi * np.arange(RAYS) / RAYS
    for _ in range(objects):
        cy, cx = rng.uniform(0, rows * grid), rng.uniform(0, columns * grid)
        a, b, turn = rng.uniform(5, 11), rng.uniform(4, 8), rng.uniform(0, np.pi)
        u = ((x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)) / a
        v = ((y - cy) * np.cos(turn) - (x - cx) * np.sin(turn)) / b
        here = 0.98 * (1 - np.sqrt(u * u + v * v) * 0.8)
        mine = (u * u + v * v < 1) & (here > probability)
        probability[mine] = here[mine]
        for k, angle in enumerate(angles):
            du = np.cos(angle - turn) / a
            dv = np.sin(angle - turn) / b
            p, q, r = du * du + dv * dv, u * du + v * dv, u * u + v * v - 1
            reach = (-q + np.sqrt(np.maximum(q * q - p * r, 0))) / p
            distances[k][mine] = (reach * rng.uniform(1 - shift / 2, 1 + shift / 2))[mine]
    probability += rng.uniform(0, 1e-3, probability.shape)
    return np.concatenate([probability[None], distances]).astype(np.float32)


def candidates(probability, least, every):
    """Cells above the least probability, perhaps only the first of the greatest among 5 x 5."""
    found = []
    for y, x in zip(*np.nonzero(probability > np.float32(least))):
        near = [
            (i, j)
            for i in range(max(y - 2, 0), min(y + 3, probability.shape[0]))
            for j in range(max(x - 2, 0), min(x + 3, probability.shape[1]))
        ]
        if every or (y, x) == max(near, key=lambda p: (probability[p], -p[0], -p[1])):
            found.append((y, x))
    return sorted(found, key=lambda p: (-probability[p], p))


def pixels(center, reach, part):
    """Of a polygon, whose vertices are whole parts of pixels."""
    factor = [int(r) * part / UNIT for r in reach]
    ys = [round((center[0] + f * int(s) / 32768) * UNIT) for f, s in zip(factor, SINE)]
    xs = [round((center[1] + f * int(s) / 32768) * UNIT) for f, s in zip(factor, np.roll(SINE, -8))]
    inside = set()
    for y in range(min(ys) // UNIT, max(ys) // UNIT + 1):
        crossings = []
        for (ya, xa), (yb, xb) in zip(zip(ys, xs), zip(ys[1:] + ys[:1], xs[1:] + xs[:1])):
            if ya > yb:
                ya, xa, yb, xb = yb, xb, ya, xa
            if ya <= y * UNIT < yb:
                crossings.append((xa * (yb - ya) + (y * UNIT - ya) * (xb - xa), UNIT * (yb - ya)))
        columns = sorted(-(-n // d) for n, d in crossings)
        for first, end in zip(columns[::2], columns[1::2]):
            inside |= {(y, x) for x in range(first, end)}
    return inside


def kept(output, least, overlap, grid, every):
    """By StarDist. That pixels give the same is a condition on the case."""
    found = candidates(output[0], least, every)
    if not found:
        return []
    points = np.array(found, np.float32) * grid
    distances = np.array([output[1:, y, x] for y, x in found], np.float32)
    reach = np.rint(distances * UNIT).astype(np.int64)
    stays = stardist2d().c_non_max_suppression_inds(distances, points, 0, 1, 0, np.float32(overlap)).astype(bool)
    areas = [pixels((y * grid, x * grid), r, 1) for (y, x), r in zip(found, reach)]
    chosen = []
    for i, area in enumerate(areas):
        shared = [len(area & areas[j]) / max(1, min(len(area), len(areas[j]))) for j in chosen]
        if area and all(s <= overlap for s in shared):
            chosen.append(i)
    assert chosen == [i for i in np.nonzero(stays)[0] if areas[i]], "an overlap is too near the limit: another seed"
    return [((found[i][0] * grid, found[i][1] * grid), reach[i]) for i in chosen]


def labels_of(output, least=0.5, overlap=0.3, grid=1, every=False, part=1):
    rows, columns = output.shape[1] * grid, output.shape[2] * grid
    stars = kept(output, least, overlap, grid, every)
    numbers = {center: i + 1 for i, center in enumerate(sorted(center for center, _ in stars))}
    labels = np.zeros((rows, columns), np.int32)
    for center, reach in reversed(stars):
        for y, x in pixels(center, reach, part) | {center}:
            if 0 <= y < rows and 0 <= x < columns:
                labels[y, x] = numbers[center]
    return np.unique(labels, return_inverse=True)[1].reshape(labels.shape).astype(np.int32) if (labels == 0).any() else labels


def case(name, outputs, words="", **settings):
    labels = [labels_of(output, **settings) for output in outputs]
    image = np.stack(outputs, 1) if len(outputs) > 1 else outputs[0][:, None]
    return Case(
        name,
        f"stars {words}".strip(),
        {"image": image},
        {"labels": np.stack(labels) if len(labels) > 1 else labels[0]},
        scalars={"objects": sum(label.max() for label in labels)},
    )


def cases():
    single = network_output(48, 56, 9, 1, 1)
    yield case("peaks", [single])
    yield case("all", [single], "candidates=all", every=True)
    yield case("probable", [single], "probability=0.9", least=0.9)
    yield case("seeds", [single], "part=0.5", part=0.5)
    yield case("larger", [single], "part=1.5 overlap=0", part=1.5, overlap=0)
    crowded = network_output(40, 45, 30, 1, 2)
    yield case("crowded", [crowded], "overlap=0.5", overlap=0.5)
    yield case("crowded-all", [network_output(30, 36, 14, 1, 20)], "candidates=all overlap=0.4", overlap=0.4, every=True)
    yield case("overlapping", [crowded], "overlap=1 probability=0.3", overlap=1, least=0.3)
    coarse = network_output(31, 27, 12, 2, 3)
    yield case("grid-2", [coarse], "grid=2", grid=2)
    yield case("grid-4", [network_output(15, 17, 9, 4, 4)], "grid=4 candidates=all", grid=4, every=True)
    yield case("slices", [network_output(20, 24, 4, 1, 5), network_output(20, 24, 6, 1, 6), network_output(20, 24, 0, 1, 7)])
    yield case("one-cell", [np.array([0.7] + [2.3] * RAYS, np.float32).reshape(RAYS + 1, 1, 1)], "grid=7", grid=7)
    jagged = network_output(40, 40, 8, 1, 8, shift=1.6)
    yield case("jagged", [jagged])
