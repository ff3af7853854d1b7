# SPDX-License-Identifier: MIT
"""arithmetic: NumPy, in the float that goes with the image."""
import numpy as np
from make import Case

FUNCTIONS = {"add": lambda a, p: a + p, "subtract": lambda a, p: a - p, "multiply": lambda a, p: a * p, "divide": lambda a, p: a / p,
             "invert": lambda a, p: p - a, "minimum": np.minimum, "maximum": np.maximum, "power": np.power,
             "square": lambda a, p: a * a, "sqrt": lambda a, p: np.sqrt(a), "exp": lambda a, p: np.exp(a),
             "log": lambda a, p: np.log(a), "reciprocal": lambda a, p: 1 / a, "abs": lambda a, p: np.abs(a),
             "nan_background": lambda a, p: np.where(a < p, np.nan, a)}

TOPS = {np.uint8: 255, np.uint16: 65535, np.int32: 2**31 - 1}


def of_bits_and_gamma(rng):
    for dtype in (np.uint8, np.uint16, np.int32):
        low, high = (-2**31, TOPS[dtype]) if dtype == np.int32 else (0, TOPS[dtype])
        image, name = rng.integers(low, high + 1, (2, 9, 13)).astype(dtype), np.dtype(dtype).name
        for function in ("and", "or", "xor"):
            for value in sorted({0, 1, 0xaa, high, low} | ({-2, 123456789} if dtype == np.int32 else set())):
                yield Case(f"{name}-{function}{value}", f"arithmetic function={function} value={value}", {"a": image},
                           {"image": getattr(np, f"bitwise_{function}")(image, dtype(value))})
        yield Case(f"{name}-xor-f32", "arithmetic function=xor value=85 output=f32", {"a": image}, {"image": (image ^ dtype(85)).astype(np.float32)})
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        top = TOPS.get(dtype, 1)
        image, working = (rng.random((2, 9, 13)) * top).astype(dtype), np.float64 if dtype in (np.int32, np.float64) else np.float32
        for gamma in (0.45, 1, 2.2):
            expected = working(top) * (image.astype(working) / working(top)) ** working(gamma)
            yield Case(f"{np.dtype(dtype).name}-gamma-{gamma}", f"arithmetic function=gamma value={gamma}", {"a": image}, {"image": expected},
                       tolerance=1e-6)
    image = np.arange(256, dtype=np.uint8).reshape(16, 16)
    yield Case("gamma-same", "arithmetic function=gamma value=0.5 output=same", {"a": image},
               {"image": np.rint(255 * np.sqrt(image / 255)).astype(np.uint8)})


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
    yield from of_bits_and_gamma(rng)
