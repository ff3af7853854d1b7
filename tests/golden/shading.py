# SPDX-License-Identifier: MIT
"""shading: the field of smooth_field.py, times or under an image, in NumPy."""
import numpy as np
import smooth_field
from make import Case

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)


def shaded(name, image, method="multiply", volume=False, **given):
    """image: (c, z, y, x)."""
    words = [f"{key}={value}" for key, value in given.items()] + ["volume=yes"] * volume
    given = {"distance": 128, "distribution": "uniform", "amplitude": 0.3, **given}
    field = smooth_field.field(image.shape[1:] if volume else (1,) + image.shape[2:], mean=1, **given)
    exact = image * field if method == "multiply" else image / field
    step = " ".join([f"shading method={method}", *words])
    if image.dtype.kind == "f":
        return Case(name, step, {"image": image}, {"image": exact.astype(image.dtype)}, tolerance=1e-12 if image.dtype == np.float64 else 1e-6)
    limits = np.iinfo(image.dtype)
    expect = np.clip(np.rint(exact), limits.min, limits.max).astype(image.dtype)
    return Case(name, step, {"image": image}, {"image": expect}, absolute=1)


def cases():
    rng = np.random.default_rng(31)
    for dtype in TYPES:
        kind = np.dtype(dtype).name
        most = {np.uint16: 65535, np.int32: 2 ** 31 - 1}.get(dtype, 255)
        image = (rng.random((2, 3, 37, 53)) * most).astype(dtype)
        yield shaded(kind, image, distance=11)
        yield shaded(f"{kind}-divide", image, "divide", distance=11, amplitude=0.2, distribution="normal")
        yield shaded(f"{kind}-volume", image, distance=5, volume=True, seed=9)
    yield shaded("default", (rng.random((1, 1, 200, 280)) * 255).astype(np.uint8))
    odd = rng.normal(size=(1, 1, 9, 11)).astype(np.float32)
    odd[0, 0, 3, 4], odd[0, 0, 5, 6] = np.nan, np.inf
    yield shaded("order-0", odd, distance=3, order=0)
