# SPDX-License-Identifier: MIT
"""check_labels: NumPy, as kernels/image/check_labels.h says it."""
import numpy as np
from interpret import are_labels, odd
from make import Case


def first(plane):
    at = np.flatnonzero(~are_labels(plane.astype(np.float64)))
    return (float(at[0]), float(plane.ravel()[at[0]])) if at.size else (-1.0, 0.0)


def cases():
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = odd(dtype)
        positions, values = zip(*(first(plane) for plane in image))
        yield Case(np.dtype(dtype).name, "check_labels", {"image": image}, scalars={"pixel": positions, "value": values})
    for name, value in (("nan", np.nan), ("last", -1), ("fraction", 0.5), ("large", 2.0**31), ("infinite", np.inf)):
        image = np.ones((1, 23, 150), np.float32)
        image[0, 22, 149] = image[0, 5 if name != "last" else 22, 149] = value
        position, found = first(image[0])
        yield Case(name, "check_labels", {"image": image}, scalars={"pixel": position, "value": found})
