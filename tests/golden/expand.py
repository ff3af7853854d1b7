# SPDX-License-Identifier: MIT
"""expand: skimage.segmentation.expand_labels, which takes SciPy's nearest label where several are equally near."""
import numpy as np
from make import Case
from skimage.segmentation import expand_labels


def seeds(rng, shape, share):
    return np.where(rng.random(shape) < share, rng.integers(1, 90, shape), 0).astype(np.int32)


def case(name, image, distance, volume=False, **more):
    planes = [image] if volume or image.ndim == 2 else list(image)
    results = [expand_labels(plane.astype(np.int32), distance) for plane in planes]
    step = f"expand distance={distance!r}" + (" volume=yes" if volume else "")
    return Case(name, step, {"image": image}, {"image": results[0] if len(planes) == 1 else np.stack(results)}, **more)


def cases():
    rng = np.random.default_rng(19)
    few, many = seeds(rng, (61, 131), 0.004), seeds(rng, (61, 131), 0.1)
    for distance in (0, 0.5, 1, 2 ** 0.5, 2, 5, 5 ** 0.5, 7.3, 20, 63.9, 64, 1000):
        yield case(f"few-{distance}", few, distance, roles={"image": "labels"})
        yield case(f"many-{distance}", many, distance, roles={"image": "labels"})
    blocks = np.kron(seeds(rng, (8, 9), 0.4), np.ones((6, 7))).astype(np.int32)
    yield case("blocks", blocks, 5, roles={"image": "labels"})
    grid = np.zeros((41, 41), np.int32)  # many ties
    grid[::8, ::8] = np.arange(36).reshape(6, 6) + 1
    yield case("grid", grid, 9, roles={"image": "labels"})
    diagonal = np.diag(np.where(np.arange(47) % 6 == 0, np.arange(47) + 1, 0)).astype(np.int32)
    yield case("diagonal", diagonal, 12, roles={"image": "labels"})
    volume, planes = seeds(rng, (9, 17, 23), 0.004), seeds(rng, (3, 29, 33), 0.02)
    for distance in (1, 3, 4.2, 100):
        yield case(f"volume-{distance}", volume, distance, True, roles={"image": "labels"})
    solid = np.zeros((9, 17, 17), np.int32)
    solid[::4, ::4, ::4] = np.arange(75).reshape(3, 5, 5) + 1
    yield case("volume-grid", solid, 5, True, roles={"image": "labels"})
    yield case("planes", planes, 4, roles={"image": "labels"})
    yield case("u16", planes.astype(np.uint16), 4)
    for shape in ((1, 1), (1, 70), (70, 1)):
        yield case(f"{shape[0]}x{shape[1]}", seeds(rng, shape, 0.1), 6, roles={"image": "labels"})
    yield case("nothing", few * 0, 6, roles={"image": "labels"})
