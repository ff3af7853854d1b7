# SPDX-License-Identifier: MIT
"""stack: NumPy's concatenate."""
import numpy as np
from make import Case

AXES = {"t": 0, "c": 1, "z": 2}


def cases():
    rng = np.random.default_rng(2)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        for axis, index in AXES.items():
            parts = []
            for n in (2, 2, 2) if axis == "z" else (1, 3, 2) if axis == "c" else (2, 2, 2):
                shape = [2, 2, 2, 2, 3]
                shape[index] = n
                parts.append((rng.random(shape) * 250).astype(dtype))
            made = np.concatenate(parts, index)
            yield Case(f"{np.dtype(dtype).name}-{axis}", f"stack axis={axis}", dict(zip(("s1", "s2", "s7"), parts)), {"image": made}, frames=2)
    slices = [(rng.random((n, 4, 6)) * 250).astype(np.uint8) for n in (1, 4, 2)]
    yield Case("slices", "stack", dict(zip(("s1", "s2", "s12"), slices)), {"image": np.concatenate(slices)})
