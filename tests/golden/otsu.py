# SPDX-License-Identifier: MIT
"""otsu: skimage.filters.threshold_otsu."""
import numpy as np
from make import Case
from threshold import TYPES, mask, threshold, two_classes


def cases():
    for dtype in TYPES:
        for shape in ((23, 29), (1, 37), (31, 1)):
            image = two_classes(dtype, shape)
            for bins in (256,) if np.dtype(dtype).kind != "f" else (2, 31, 256, 65536):
                t = threshold(image, "otsu", bins)
                yield Case(f"{np.dtype(dtype).name}-{shape[0]}x{shape[1]}-{bins}", f"otsu bins={bins}",
                           {"image": image}, {"image": mask(image, t)}, scalars={"threshold": t})
    stack = np.stack([two_classes(np.float32, seed=s) / s for s in (3, 4, 5)]).astype(np.float32)
    each = np.array([threshold(plane, "otsu") for plane in stack])
    yield Case("planes", "otsu", {"image": stack}, {"image": mask(stack, each[:, None, None])},
               scalars={"threshold": each})
    t = threshold(stack, "otsu")
    yield Case("stack", "otsu volume=yes", {"image": stack}, {"image": mask(stack, t)}, scalars={"threshold": t})
    two = np.array([[3, 3, 9, 9, 9]], np.uint8)
    yield Case("two-values", "otsu", {"image": two}, {"image": mask(two, 3)}, scalars={"threshold": 3})
    tiny = (two_classes(np.float64) * 1e-300).astype(np.float64)
    yield Case("tiny", "otsu", {"image": tiny}, {"image": mask(two_classes(np.float64),
                                                               threshold(two_classes(np.float64), "otsu"))})
