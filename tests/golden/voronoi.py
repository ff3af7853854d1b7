# SPDX-License-Identifier: MIT
"""voronoi: skimage.segmentation.expand_labels without a limit; lines where scipy.ndimage finds a smaller label among the neighbors."""
import numpy as np
from expand import seeds
from make import Case
from scipy.ndimage import minimum_filter
from skimage.segmentation import expand_labels
from texture import cells


def regions(labels, line):
    out = expand_labels(labels, np.hypot.reduce(labels.shape) + 1)
    least = minimum_filter(np.where(out, out, 2**31 - 1), 3)
    return np.where(line & (least < out), 0, out).astype(np.int32)


def cases():
    rng = np.random.default_rng(44)
    images = {"cells": cells((37, 53), 7), "few": seeds(rng, (41, 97), 0.004), "many": seeds(rng, (29, 47), 0.2),
              "one": np.pad([[5]], ((3, 8), (90, 0))).astype(np.int32), "nothing": np.zeros((3, 5), np.int32),
              "row": seeds(rng, (1, 70), 0.1), "column": seeds(rng, (70, 1), 0.1)}
    for name, labels in images.items():
        for line in (False, True):
            yield Case(name + "-line" * line, "voronoi" + " line=yes" * line, {"image": labels},
                       {"image": regions(labels, line)}, roles={"image": "labels"})
    stack = seeds(rng, (5, 17, 23), 0.01)
    for line in (False, True):
        step = "voronoi" + " line=yes" * line
        yield Case("planes" + "-line" * line, step, {"image": stack},
                   {"image": np.stack([regions(plane, line) for plane in stack])}, roles={"image": "labels"})
        yield Case("volume" + "-line" * line, step + " volume=yes", {"image": stack}, {"image": regions(stack, line)},
                   roles={"image": "labels"})
    for name, shape in (("wide", (3, 1500)), ("high", (600, 3)), ("deep", (150, 5, 7)), ("high-volume", (3, 700, 5)),
                        ("wide-volume", (3, 4, 1100))):
        image, volume = seeds(rng, shape, 0.002), " volume=yes" * (len(shape) > 2)
        yield Case(name, "voronoi" + volume, {"image": image}, {"image": regions(image, False)}, roles={"image": "labels"})
