# SPDX-License-Identifier: MIT
"""pad: numpy.pad()."""
import numpy as np
from make import Case

MODES = {"nearest": "edge", "reflect": "symmetric", "mirror": "reflect", "wrap": "wrap"}


def cases():
    rng = np.random.default_rng(11)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 7, 9)) * 250).astype(dtype)
        name, sides = np.dtype(dtype).name, ((0, 0), (4, 20), (11, 3))
        yield Case(f"{name}-constant", "pad top=4 bottom=20 left=11 right=3 value=17", {"image": image},
                   {"image": np.pad(image, sides, constant_values=17)})
        for border, mode in MODES.items():
            yield Case(f"{name}-{border}", f"pad top=4 bottom=20 left=11 right=3 border={border}", {"image": image},
                       {"image": np.pad(image, sides, mode=mode)})
