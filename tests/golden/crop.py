# SPDX-License-Identifier: MIT
"""crop: NumPy slices."""
import numpy as np
from make import Case


def cases():
    rng = np.random.default_rng(4)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 3, 2, 13, 17)) * 250).astype(dtype)
        name = np.dtype(dtype).name
        yield Case(f"{name}-inside", "crop x=3 y=2 width=5 height=7", {"image": image}, {"image": image[..., 2:9, 3:8]}, frames=2)
        yield Case(f"{name}-rest", "crop x=16 y=11", {"image": image}, {"image": image[..., 11:, 16:]}, frames=2)
