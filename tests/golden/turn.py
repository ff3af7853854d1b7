# SPDX-License-Identifier: MIT
"""turn: numpy.flip(), numpy.rot90() and a transposition."""
import numpy as np
from make import Case

WAYS = {"horizontally": lambda a: a[..., ::-1], "vertically": lambda a: a[..., ::-1, :],
        "right": lambda a: np.rot90(a, -1, (-2, -1)), "left": lambda a: np.rot90(a, 1, (-2, -1)),
        "half": lambda a: np.rot90(a, 2, (-2, -1)), "transpose": lambda a: np.swapaxes(a, -2, -1)}


def cases():
    rng = np.random.default_rng(10)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 37, 69)) * 250).astype(dtype)
        for name, f in WAYS.items():
            yield Case(f"{np.dtype(dtype).name}-{name}", f"turn how={name}", {"image": image}, {"image": f(image)})
