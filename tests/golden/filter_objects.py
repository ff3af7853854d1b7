# SPDX-License-Identifier: MIT
"""filter_objects against scikit-image: measured, and kept by what NumPy says of the column; in each frame by itself."""
import numpy as np
from make import Case
from skimage import measure


def labels(shape, seed):
    rng = np.random.default_rng(seed)
    image = np.zeros(shape, np.int32)
    for label in range(1, 25):
        y, x = rng.integers(0, shape[0] - 6), rng.integers(0, shape[1] - 6)
        image[y:y + rng.integers(1, 7), x:x + rng.integers(1, 7)] = label * 3  # gaps, and objects that lie below others
    return image


def kept(image, column, low, high):
    table = measure.regionprops_table(image, properties=("label", column))
    return np.where(np.isin(image, table["label"][(table[column] >= low) & (table[column] <= high)]), image, 0).astype(np.int32)


def cases():
    image = labels((50, 61), 1)
    for name, column, text, low, high in (("least", "area", "min=9", 9, np.inf), ("most", "area", "max=8", -np.inf, 8),
                                          ("both", "eccentricity", "min=0.3 max=0.8", 0.3, 0.8),
                                          ("none", "area", "min=1000", 1000, np.inf), ("ends", "area", "min=6 max=6", 6, 6)):
        yield Case(name, f"regionprops properties=label,{column} | filter_objects from=source column={column} {text}",
                   {"image": image}, {"image": kept(image, column, low, high)})
    frames = np.stack([labels((30, 33), seed) for seed in (2, 3, 4)])[:, None, None]
    yield Case("frames", "regionprops properties=label,area as=t | filter_objects from=source table=t min=9", {"image": frames},
               {"image": np.stack([kept(f[0, 0], "area", 9, np.inf) for f in frames])[:, None, None]}, frames=3)
    stack = np.stack([labels((28, 35), seed) for seed in (5, 6, 7)])  # the same numbers in each slice
    yield Case("slices", "regionprops properties=label,area as=t | filter_objects from=source table=t min=9", {"image": stack},
               {"image": np.stack([kept(plane, "area", 9, np.inf) for plane in stack])})
