# SPDX-License-Identifier: MIT
"""watershed: skimage.segmentation.watershed where all values differ, and elsewhere the definition itself, computed by sorting."""
import heapq
import itertools

import numpy as np
from make import Case
from skimage.segmentation import watershed

AXES = {"4": 1, "8": 2, "6": 1, "18": 2, "26": 3}


def by_definition(image, markers, mask, axes):
    """Least (M, D) by Dijkstra's method; then labels, in the order of (M, D)."""
    steps = [s for s in itertools.product((-1, 0, 1), repeat=image.ndim) if 0 < np.abs(s).sum() <= axes]
    mask = (mask != 0) & ~np.isnan(image)
    inside = {p for p in zip(*(k.tolist() for k in np.nonzero(mask)))}
    near = {p: [q for q in (tuple(np.add(p, s).tolist()) for s in steps) if q in inside] for p in inside}
    best = {p: (image[p], 0) for p in inside if markers[p]}
    labels = {p: markers[p] for p in best}
    heap = [(key, p) for p, key in best.items()]
    heapq.heapify(heap)
    while heap:
        key, p = heapq.heappop(heap)
        if key > best[p]:
            continue
        for q in near[p]:
            there = (image[q], 0) if image[q] > key[0] else (key[0], key[1] + 1)
            if not markers[q] and (q not in best or there < best[q]):
                best[q] = there
                heapq.heappush(heap, (there, q))
    found = np.zeros(image.shape, np.int32)
    for p in sorted(best, key=best.get):
        if not markers[p]:
            labels[p] = min((best[q], labels[q]) for q in near[p] if q in best and best[q] < best[p])[1]
        found[p] = labels[p]
    return found


def lined(labels, axes):
    """0 where a neighbor has a smaller label."""
    found = labels.copy()
    for step in itertools.product((-1, 0, 1), repeat=labels.ndim):
        if 0 < np.abs(step).sum() <= axes:
            wide = np.pad(labels, 1)
            other = wide[tuple(slice(1 + s, 1 + s + n) for s, n in zip(step, labels.shape))]
            found[(other > 0) & (other < labels)] = 0
    return found


def case(name, image, markers, mask=None, connectivity="auto", invert=False, line=False, volume=False, ties=False):
    axes = AXES.get(connectivity, 3 if volume else 2)
    values = -image.astype(np.float64) if invert else image.astype(np.float64)
    room = np.ones(image.shape, np.uint8) if mask is None else mask
    planes = [slice(None)] if volume or image.ndim == 2 else range(len(image))
    found = []
    for z in planes:
        if ties:
            labels = by_definition(values[z], markers[z], room[z], axes)
        else:
            labels = watershed(values[z], markers[z], connectivity=axes, mask=room[z] != 0).astype(np.int32)
        found.append(lined(labels, axes) if line else labels)
    step = "watershed" + (f" connectivity={connectivity}" if connectivity != "auto" else "")
    step += "".join(f" {key}=yes" for key, on in (("invert", invert), ("line", line), ("volume", volume)) if on)
    inputs = {"image": image, "markers": markers.astype(np.int32)} | ({} if mask is None else {"mask": mask})
    return Case(name, step, inputs, {"labels": found[0] if len(found) == 1 else np.stack(found)},
                roles={"markers": "labels"} | ({} if mask is None else {"mask": "mask"}))


def seeds(rng, shape, n):
    markers = np.zeros(shape, np.int32)
    markers.ravel()[rng.choice(markers.size, n, replace=False)] = rng.permutation(n) + 1
    return markers


def cases():
    rng = np.random.default_rng(11)
    for shape, volume in (((41, 67), False), ((3, 23, 29), False), ((9, 15, 21), True)):
        for dtype in (np.uint16, np.int32, np.float32, np.float64):
            image = rng.permutation(np.prod(shape)).reshape(shape).astype(dtype)  # all values differ
            image = image * dtype(3.25) - dtype(700) if dtype in (np.float32, np.float64) else image
            image = image - dtype(900) if dtype == np.int32 else image
            markers = seeds(rng, shape, 25)
            mask = (rng.random(shape) < 0.8).astype(np.uint8) * 255
            name = f"{np.dtype(dtype).name}-{'x'.join(map(str, shape))}"
            yield case(name, image, markers, volume=volume)
            yield case(f"{name}-mask", image, markers, mask, volume=volume)
            yield case(f"{name}-invert", image, markers, mask, invert=True, volume=volume)
        for connectivity in ("6", "18") if volume else ("4", "8"):
            yield case(f"{'x'.join(map(str, shape))}-{connectivity}", image, markers, mask, connectivity, volume=volume)
            yield case(f"{'x'.join(map(str, shape))}-{connectivity}-line", image, markers, mask, connectivity, line=True,
                       volume=volume)

        # Few values: plateaus, basins without markers, markers that touch.
        for dtype, levels in ((np.uint8, 1), (np.uint8, 4), (np.uint16, 12), (np.float32, 3)):
            image = rng.integers(0, levels, shape).astype(dtype)
            if dtype == np.float32:
                image = np.where(rng.random(shape) < 0.2, rng.choice([np.nan, np.inf, -np.inf, -0.0], shape),
                                 image).astype(dtype)
            for n in (2, 40):
                name = f"ties-{np.dtype(dtype).name}-{levels}-{'x'.join(map(str, shape))}-{n}"
                yield case(name, image, seeds(rng, shape, n), mask, ties=True, volume=volume)
                yield case(f"{name}-first", image, seeds(rng, shape, n), mask, "6" if volume else "4", invert=True,
                           volume=volume, ties=True)
    image = rng.random((20, 33)).astype(np.float32)
    yield case("no-markers", image, np.zeros(image.shape, np.int32))
    yield case("one-marker", image, seeds(rng, image.shape, 1))
    yield case("no-room", image, seeds(rng, image.shape, 9), np.zeros(image.shape, np.uint8))
