# SPDX-License-Identifier: MIT
"""channel: NumPy indexing."""
import numpy as np
from make import Case


def cases():
    rng = np.random.default_rng(1)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((3, 2, 13, 17)) * 250).astype(dtype)
        for c in range(3):
            yield Case(f"{np.dtype(dtype).name}-{c}", f"channel index={c}", {"image": image}, {"image": image[c]})
    rgb = rng.integers(0, 256, (3, 1, 11, 19)).astype(np.uint8)
    yield Case("rgb-by-name", "channel name=green", {"image": rgb}, {"image": rgb[1]}, roles={"image": "rgb"})
