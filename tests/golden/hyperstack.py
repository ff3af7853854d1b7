# SPDX-License-Identifier: MIT
"""hyperstack: NumPy's reshape and transpose of planes in ImageJ's order, channels first, then slices, then frames."""
import numpy as np
from make import Case


def cases():
    rng = np.random.default_rng(6)
    axes = {"c": 2, "z": 3, "t": 4}
    orders = ("czt", "ctz", "zct", "ztc", "tcz", "tzc")
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        name = np.dtype(dtype).name
        image = (rng.random((2, 3, 4, 2, 3)) * 250).astype(dtype)  # t, c, z: 24 planes
        stack = image.transpose(0, 2, 1, 3, 4).reshape(24, 2, 3)
        for order in orders if dtype == np.uint8 else ("tzc",):
            planes = stack.reshape(*(axes[a] for a in reversed(order)), 2, 3)  # the last axis is counted first
            expected = planes.transpose(*(order[::-1].index(a) for a in "tcz"), 3, 4)
            yield Case(f"{name}-{order}", f"hyperstack channels=2 slices=3 frames=4 order={order}", {"image": image},
                       {"image": np.ascontiguousarray(expected)}, frames=2)
    image = (rng.random((7, 5, 6)) * 250).astype(np.uint8)
    yield Case("frames", "hyperstack", {"image": image}, {"image": image[:, None, None]})  # t, c, z
    image = (rng.random((3, 2, 4, 5, 6)) * 250).astype(np.uint8)
    yield Case("all-frames", "hyperstack", {"image": image},
               {"image": np.ascontiguousarray(image.transpose(0, 2, 1, 3, 4).reshape(12, 2, 1, 5, 6))}, frames=3)
    yield Case("all-slices", "hyperstack slices=0 frames=1", {"image": image},
               {"image": np.ascontiguousarray(image.transpose(1, 0, 2, 3, 4).reshape(2, 12, 5, 6))}, frames=3)
