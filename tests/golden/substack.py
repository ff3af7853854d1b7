# SPDX-License-Identifier: MIT
"""substack: NumPy indexing, which counts from 0."""
import numpy as np
from make import Case


def cases():
    rng = np.random.default_rng(5)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((3, 2, 7, 5, 6)) * 250).astype(dtype)
        name = np.dtype(dtype).name
        for label, step, expected in (
                ("slices", "slices='2,5-7,1'", image[:, :, [1, 4, 5, 6, 0]]),
                ("steps", "slices=1-7-3", image[:, :, ::3]),
                ("down", "slices=6-2-2 channels=2", image[:, 1:, 5:0:-2]),
                ("frames", "frames='3,1' channels='2, 1'", image[[2, 0]][:, ::-1]),
                ("all", "", image)):
            yield Case(f"{name}-{label}", f"substack {step}".strip(), {"image": image}, {"image": expected}, frames=3)
