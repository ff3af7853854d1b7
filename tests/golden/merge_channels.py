# SPDX-License-Identifier: MIT
"""merge_channels: numpy.concatenate() along the channels."""
import numpy as np
from make import Case


def cases():
    rng = np.random.default_rng(6)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        a, b, c = ((rng.random((2, channels, 3, 5, 6)) * 250).astype(dtype) for channels in (1, 2, 1))
        name = np.dtype(dtype).name
        yield Case(f"{name}-all", "merge_channels", {"c1": a, "c2": b, "c3": c},
                   {"image": np.concatenate((a, b, c), axis=1)}, frames=2)
        yield Case(f"{name}-gap", "merge_channels", {"c1": a, "c4": b}, {"image": np.concatenate((a, b), axis=1)}, frames=2)
