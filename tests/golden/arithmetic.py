# SPDX-License-Identifier: MIT
"""arithmetic: NumPy, in the float that goes with the image."""
import numpy as np
from make import Case

FUNCTIONS = {"add": lambda a, p: a + p, "subtract": lambda a, p: a - p, "multiply": lambda a, p: a * p, "divide": lambda a, p: a / p,
             "invert": lambda a, p: p - a, "minimum": np.minimum, "maximum": np.maximum, "power": np.power,
             "square": lambda a, p: a * a, "sqrt": lambda a, p: np.sqrt(a), "exp": lambda a, p: np.exp(a),
             "log": lambda a, p: np.log(a), "reciprocal": lambda a, p: 1 / a, "abs": lambda a, p: np.abs(a),
             "nan_background": lambda a, p: np.where(a < p, np.nan, a)}


def cases():
    rng = np.random.default_rng(9)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 9, 13)) * 80 - (20 if np.dtype(dtype).kind in "if" else 0)).astype(dtype)
        name, working = np.dtype(dtype).name, np.float64 if dtype in (np.int32, np.float64) else np.float32
        for function, f in FUNCTIONS.items():
            with np.errstate(all="ignore"):
                expected = f(image.astype(working), working(2.5)).astype(working)
            yield Case(f"{name}-{function}", f"arithmetic function={function} value=2.5", {"a": image}, {"image": expected},
                       tolerance=1e-6)
    image = rng.integers(0, 256, (9, 13)).astype(np.uint8)
    yield Case("inverted", "arithmetic function=invert value=255 output=same", {"a": image}, {"image": 255 - image})
    yield Case("clamped", "arithmetic value=100 output=same", {"a": image},
               {"image": np.minimum(image.astype(int) + 100, 255).astype(np.uint8)})
