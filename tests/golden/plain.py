# SPDX-License-Identifier: MIT
"""plain: NumPy, and the random numbers of smooth_field.py as noise."""
import math

import numpy as np
from make import Case

import smooth_field

WHITE = {"u8": 255, "u16": 65535, "f32": 1}
TYPES = {"u8": np.uint8, "u16": np.uint16, "f32": np.float32}


def values(fill, shape, white, seed):
    if fill == "ramp":
        return np.broadcast_to(white * np.arange(shape[-1]) / max(1, shape[-1] - 1), shape)
    if fill == "noise":
        noise = [smooth_field.node(i, seed, "normal") for i in range(math.prod(shape))]
        return np.clip(white / 2 + white / 8 * np.reshape(noise, shape), 0, white)
    return np.full(shape, white if fill == "white" else 0)


def made(name, fill, kind, like, shape, seed=1, **given):
    """shape: channel, z, y, x."""
    step = " ".join(["plain", f"fill={fill}", f"type={kind}", f"seed={seed}", *(f"{key}={value}" for key, value in given.items())])
    expect = values(fill, shape, WHITE[kind], seed)
    expect = (np.rint(expect) if kind != "f32" else expect).astype(TYPES[kind])
    return Case(name, step, {"image": np.ones(like, np.uint16)}, {"image": expect}, tolerance=1e-6 if kind == "f32" else 0)


def cases():
    for kind in WHITE:
        for fill in ("black", "white", "ramp", "noise"):
            yield made(f"{fill}-{kind}", fill, kind, (1, 1, 33, 47), (1, 1, 33, 47))
    yield made("stack", "noise", "u8", (2, 3, 17, 19), (2, 3, 17, 19), seed=2147483647)
    yield made("size", "ramp", "u16", (2, 3, 5, 6), (3, 2, 4, 300), width=300, height=4, depth=2, channels=3)
    yield made("column", "ramp", "f32", (1, 1, 9, 1), (1, 1, 9, 1))
