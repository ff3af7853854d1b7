# SPDX-License-Identifier: MIT
"""relabel: skimage.segmentation.relabel_sequential."""
import numpy as np
from make import Case
from skimage.segmentation import relabel_sequential


def case(name, image, volume=False, role="labels"):
    planes = [image] if volume or image.ndim == 2 else list(image)
    results = [relabel_sequential(plane)[0].astype(np.int32) for plane in planes]
    step = "relabel" + (" volume=yes" if volume else "")
    return Case(name, step, {"image": image}, {"image": results[0] if len(planes) == 1 else np.stack(results)},
                roles={"image": role})


def cases():
    rng = np.random.default_rng(41)
    few = np.kron(rng.choice([0, 3, 63, 64, 65, 127, 128, 4000], (9, 13)), np.ones((5, 7))).astype(np.int32)
    yield case("few", few)
    yield case("many", rng.integers(0, 100000, (61, 131)).astype(np.int32))  # more words than a block has threads
    yield case("far", rng.choice([0, 1, 2 ** 21 - 1, 2 ** 21, 2 ** 24 + 5], (17, 40)).astype(np.int32))
    yield case("dense", np.arange(60 * 70, dtype=np.int32).reshape(60, 70))
    planes = rng.integers(0, 50, (4, 9, 11)).astype(np.int32) * 7
    yield case("planes", planes)
    yield case("volume", planes, True)
    yield case("u8", rng.choice([0, 2, 200, 255], (13, 22)).astype(np.uint8))
    yield case("u16", rng.integers(0, 65536, (33, 22)).astype(np.uint16))
    yield case("nothing", np.zeros((5, 6), np.int32))
    yield case("one-label", np.full((5, 300), 77, np.int32))
    yield case("1x1", np.full((1, 1), 9, np.int32))
