# SPDX-License-Identifier: MIT
"""remove_small: see clear_border.py; by itself skimage.morphology.remove_small_objects."""
import numpy as np
from clear_border import cases_of
from erosion import blobs
from make import Case
from skimage.morphology import remove_small_objects


def cases():
    yield from cases_of("remove_small", (2, 9))
    mask = blobs(np.random.default_rng(3), (90, 120), 0.4) > 0
    for axes, connectivity in ((1, "4"), (2, "8")):
        kept = remove_small_objects(mask, max_size=63, connectivity=axes)
        yield Case(f"default-{connectivity}", f"remove_small connectivity={connectivity}", {"image": mask.astype(np.uint8) * 255},
                   {"image": kept.astype(np.uint8) * 255}, roles={"image": "mask"})
