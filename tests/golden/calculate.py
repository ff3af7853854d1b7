# SPDX-License-Identifier: MIT
"""calculate: NumPy, in the float that goes with the images."""
import numpy as np
from make import Case

FUNCTIONS = {"add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b, "divide": lambda a, b: a / b,
             "average": lambda a, b: (a + b) / 2, "difference": lambda a, b: np.abs(a - b), "minimum": np.minimum,
             "maximum": np.maximum, "transparent_zero": lambda a, b: np.where(b == 0, a, b)}
MASKS = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def cases():
    rng = np.random.default_rng(8)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        a, b = ((rng.random((2, 9, 13)) * 250 * (rng.random((2, 9, 13)) < 0.8)).astype(dtype) for _ in "ab")
        name, working = np.dtype(dtype).name, np.float64 if dtype in (np.int32, np.float64) else np.float32
        for function, f in FUNCTIONS.items():
            with np.errstate(all="ignore"):
                expected = f(a.astype(working), b.astype(working))
            yield Case(f"{name}-{function}", f"calculate function={function}", {"a": a, "b": b}, {"image": expected},
                       tolerance=1e-6)
        for function, f in MASKS.items():
            yield Case(f"{name}-{function}", f"calculate function={function}", {"a": a, "b": b},
                       {"image": f(a, b) * np.uint8(255)})
    a, b = (rng.integers(0, 256, (9, 13)).astype(np.uint8) for _ in "ab")
    yield Case("clamped", "calculate function=subtract output=same", {"a": a, "b": b},
               {"image": np.clip(a.astype(int) - b, 0, 255).astype(np.uint8)})
