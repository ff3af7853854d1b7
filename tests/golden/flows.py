# SPDX-License-Identifier: MIT
"""flows: what it is compared with, the method of Cellpose in NumPy and SciPy. cellpose/check_flows.py shows that this makes what Cellpose makes."""
import numpy as np
import scipy.ndimage
from make import Case

AROUND = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def follow(field, cells, steps):
    """The pixel where the path of each pixel of the cells ends, as rows and columns."""
    last = [n - 1 for n in cells.shape]
    y, x = (axis.astype(np.float32) for axis in np.nonzero(cells))
    for _ in range(steps):
        top, left = y.astype(np.int32), x.astype(np.int32)
        below, right = np.minimum(top + 1, last[0]), np.minimum(left + 1, last[1])
        v, u = y - top.astype(np.float32), x - left.astype(np.float32)
        above, before = 1 - v.astype(float), 1 - u.astype(float)
        moves = [(f[top, left] * above * before + f[top, right] * above * u + f[below, left] * v * before
                  + f[below, right] * v * u).astype(np.float32) for f in field]  # of floats and doubles, as Numba takes them
        y = np.clip(y + moves[0], 0, np.float32(last[0]))
        x = np.clip(x + moves[1], 0, np.float32(last[1]))
    return y.astype(int), x.astype(int)


def basins(counts):
    """The seed of each pixel of a basin, 1 and more; 0 elsewhere."""
    seeds = np.argwhere((counts > 10) & (counts == scipy.ndimage.maximum_filter(counts, 5, mode="constant")))
    order = np.argsort([counts[tuple(seed)] for seed in seeds], kind="stable")
    owner = np.zeros(counts.shape, int)
    for number, (y, x) in enumerate(seeds[order], 1):
        box = slice(max(y - 5, 0), y + 6), slice(max(x - 5, 0), x + 6)
        grown = np.zeros(counts[box].shape, bool)
        grown[y - box[0].start, x - box[1].start] = True
        for _ in range(5):
            grown = scipy.ndimage.binary_dilation(grown, np.ones((3, 3))) & (counts[box] > 2)
        owner[box][grown] = number
    return owner


def in_order(labels):
    """Numbered by their first pixels."""
    values, first = np.unique(labels, return_index=True)
    new = np.zeros(labels.max() + 1, np.int32)
    new[[value for _, value in sorted(zip(first, values)) if value]] = np.arange(1, (values > 0).sum() + 1)
    return new[labels]


def diffuse(inside, center, rounds):
    """Heat in an object whose box has a border of one pixel, without its last round's source."""
    heat = np.zeros(inside.shape)
    y, x = np.nonzero(inside)
    for _ in range(rounds):
        heat[center] += 1
        total = 0
        for dy, dx in AROUND:
            total = total + heat[y + dy, x + dx]
        heat[y, x] = 1 / 9 * total
    return heat


def directions(labels):
    """The flows of labels, without gaps in their numbers: unit vectors up the heat of each object."""
    made = np.zeros((2, *labels.shape))
    for label, box in enumerate(scipy.ndimage.find_objects(labels), 1):
        inside = np.pad(labels[box] == label, 1)
        y, x = np.nonzero(inside)
        nearest = np.argmin((x - x.mean()) ** 2 + (y - y.mean()) ** 2)
        heat = diffuse(inside, (y[nearest], x[nearest]), 2 * sum(inside.shape))
        made[:, y + box[0].start - 1, x + box[1].start - 1] = (heat[y + 1, x] - heat[y - 1, x],
                                                               heat[y, x + 1] - heat[y, x - 1])
    return made / (1e-60 + np.sqrt((made ** 2).sum(axis=0)))


def drop(labels, which):
    """Those of which it is true, a value for each object; the rest numbered again."""
    return in_order(np.where(np.concatenate(([False], which))[labels], 0, labels))


def sizes(labels):
    """Pixels of each object."""
    return np.bincount(labels.ravel())[1:]


def fill(labels):
    """Holes, object after object."""
    filled = labels.copy()
    for label in range(1, labels.max() + 1):
        filled[scipy.ndimage.binary_fill_holes(filled == label)] = label
    return in_order(filled)


def flows(image, probability=0, steps=200, flow_error=0.4, min_size=15):
    """Labels of a network's output."""
    cells = image[2] > probability
    field = np.where(cells & np.isfinite(image[:2]), image[:2], 0).astype(np.float32) / np.float32(5)
    ends = follow(field, cells, steps)
    counts = np.zeros(cells.shape, int)
    np.add.at(counts, ends, 1)
    labels = np.zeros(cells.shape, int)
    labels[cells] = basins(counts)[ends]
    labels = in_order(labels)
    labels = drop(labels, sizes(labels) > labels.size * 0.4)
    if flow_error > 0 and labels.max():
        square = ((directions(labels) - field) ** 2).sum(axis=0)
        labels = drop(labels, scipy.ndimage.mean(square, labels, np.arange(1, labels.max() + 1)) > flow_error)
    labels = fill(drop(labels, sizes(labels) < min_size))
    return drop(labels, sizes(labels) < min_size).astype(np.int32)


# ---- Images ----


def ellipses(rng, shape, n, radii):
    """Labels of n ellipses, of which later ones cover earlier ones."""
    y, x = np.mgrid[:shape[0], :shape[1]]
    labels = np.zeros(shape, int)
    for label in range(1, n + 1):
        turn = rng.uniform(0, np.pi)
        v, u = y - rng.uniform(0, shape[0]), x - rng.uniform(0, shape[1])
        along, across = v * np.sin(turn) + u * np.cos(turn), v * np.cos(turn) - u * np.sin(turn)
        labels[(along / rng.uniform(*radii)) ** 2 + (across / rng.uniform(*radii)) ** 2 < 1] = label
    return in_order(labels)


def output_of(rng, labels, noise=0.0, dtype=np.float32):
    """What a network makes of an image with these objects."""
    logit = np.where(labels > 0, 4.0, -4.0) + noise * rng.normal(size=labels.shape)
    flow = 5 * directions(labels) + 5 * noise * rng.normal(size=(2, *labels.shape))
    return np.concatenate((flow, logit[None])).astype(dtype)


def jumps(labels):
    """Flows that lead to a pixel for each object in one step; these are six pixels apart."""
    across = (labels.shape[1] - 1) // 6 + 1
    at = np.stack(((labels - 1) // across * 6, (labels - 1) % across * 6))
    flow = np.where(labels > 0, 5 * (at - np.indices(labels.shape)), 0)
    return np.concatenate((flow, np.where(labels > 0, 1, -1)[None])).astype(np.float32)


def spread_rings():
    """70 rings, each with a pixel at the top and one at the bottom."""
    labels = np.zeros((72, 84), int)
    for label in range(1, 71):
        y, x = 6 + (label - 1) // 10 * 8, 1 + (label - 1) % 10 * 8
        labels[y:y + 5, x:x + 5] = label
        labels[y + 1:y + 4, x + 1:x + 4] = 0
        labels[0, label], labels[-1, -label] = label, label
    return labels


def step_of(**arguments):
    return " ".join(["flows", *(f"{key}={value}" for key, value in arguments.items())])


def case(name, image, **arguments):
    """One plane, or several: (3, z, y, x)."""
    planes = image[:, None] if image.ndim == 3 else image
    labels = np.stack([flows(planes[:, z], **arguments) for z in range(planes.shape[1])])
    return Case(name, step_of(**arguments), {"image": planes}, {"labels": labels},
                scalars={"objects": sum(int(plane.max()) for plane in labels)})


def cases():
    rng = np.random.default_rng(20)
    crowded = ellipses(rng, (120, 151), 40, (6, 13))
    clean, noisy = output_of(rng, crowded), output_of(rng, crowded, 0.3)
    yield case("clean", clean)
    yield case("noisy", noisy)
    yield case("noisy-more", noisy, flow_error=1.2, min_size=1, probability=-2)
    yield case("noisy-fewer", noisy, flow_error=0.15, min_size=80, probability=3.7)
    yield case("unchecked", noisy, flow_error=0)
    yield case("few-steps", clean, steps=7)
    yield case("many-steps", noisy, steps=1001)
    yield case("double", output_of(rng, crowded, 0.1, np.float64))
    yield case("stack", np.stack([output_of(rng, ellipses(rng, (64, 49), n, (4, 8)), 0.1) for n in (9, 1, 5)], axis=1))
    yield case("large", output_of(rng, ellipses(rng, (96, 90), 4, (16, 24))))
    yield case("one-of-all", output_of(rng, np.ones((40, 50), int)))
    yield case("none", np.full((3, 30, 20), -1, np.float32))
    small = output_of(rng, ellipses(rng, (90, 90), 60, (2, 4)))
    yield case("small", small, min_size=5)
    yield case("small-empty", small, min_size=1000)
    # The flows of a network that sees nothing: ends and objects of every form.
    for seed in range(6):
        wild = np.random.default_rng(seed)
        smooth = [scipy.ndimage.gaussian_filter(wild.normal(size=(70, 83)), 1 + seed) for _ in range(3)]
        image = np.stack([plane / plane.std() * scale for plane, scale in zip(smooth, (5, 5, 2))]).astype(np.float32)
        yield case(f"wild-{seed}", image, flow_error=0 if seed % 2 else 1.5, min_size=1 + 3 * seed)
    # Paths that go around for ever, where the last digit counts.
    for seed in (100, 105, 108):
        wild = np.random.default_rng(seed)
        flow = [scipy.ndimage.gaussian_filter(wild.normal(size=(60, 60)), 1.5) for _ in range(2)]
        image = np.stack([*(8 * plane / plane.std() for plane in flow), np.ones((60, 60))]).astype(np.float32)
        yield case(f"digits-{seed}", image, steps=300, flow_error=0, min_size=1)
    # Objects in the holes of others, and in several pieces.
    for n, size in ((9, 4), (25, 3), (60, 2)):
        blocks = rng.integers(-n // 2, n, (21, 24)).clip(0)
        yield case(f"pieces-{n}", jumps(np.kron(blocks, np.ones((size, size), int))), steps=1, flow_error=0, min_size=1)
    y, x = np.mgrid[:60, :60]
    square = (y - 30) ** 2 + (x - 30) ** 2
    rings = np.digitize(-square, [-27 ** 2, -20 ** 2, -14 ** 2, -9 ** 2, -5 ** 2])
    yield case("rings", jumps(np.select([rings == 1, rings == 3, rings == 5], [1, 2, 3])), steps=1, flow_error=0)
    yield case("many-boxes", jumps(spread_rings()), steps=1, flow_error=0)
    y, x = np.mgrid[:280, :280]
    yield case("diagonal", output_of(rng, (abs(y - x) < 6).astype(int)))
    odd = noisy.copy()
    odd[:, rng.random(odd.shape[1:]) < 0.02] = np.nan
    odd[0, rng.random(odd.shape[1:]) < 0.02] = np.inf
    odd[2, rng.random(odd.shape[1:]) < 0.02] = np.inf
    yield case("not-finite", odd)
