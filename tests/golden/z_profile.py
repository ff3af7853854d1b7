# SPDX-License-Identifier: MIT
"""z_profile: NumPy, plane by plane."""
import numpy as np
from make import Case


def measure(plane, mask=None):
    v = plane[np.isfinite(plane) & (True if mask is None else mask != 0)].astype(np.float64)
    if not v.size:
        return {"pixels": 0, "mean": np.nan, "sd": np.nan, "minimum": np.nan, "maximum": np.nan, "sum": 0}
    return {"pixels": v.size, "mean": v.mean(), "sd": v.std(), "minimum": v.min(), "maximum": v.max(), "sum": v.sum()}


def case(name, image, mask=None, frames=1):
    """image: (t, c, z, y, x)."""
    t, c, z = image.shape[:3]
    inputs, rows = {"image": image}, []
    whole = None if mask is None else np.broadcast_to(mask, image.shape)
    if mask is not None:
        inputs["mask"] = mask if mask.shape[0] > 1 else mask[0] if mask.shape[1] > 1 else mask[0, 0]
    for position in np.ndindex(t, c, z):
        at = {key: i + 1 for key, i, n in zip(("frame", "channel", "z"), position, (t, c, z)) if n > 1}
        rows.append(at | measure(image[position], None if whole is None else whole[position]))
    if t == 1:
        inputs["image"] = image[0]
    return Case(name, "z_profile", inputs, table={key: [row[key] for row in rows] for key in rows[0]}, table_tolerance=1e-12,
                frames=t)


def cases():
    rng = np.random.default_rng(3)
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        name = np.dtype(dtype).name
        image = rng.normal(100, 20, (1, 1, 3, 13, 17)) * (1 if dtype == np.uint8 else 100)
        yield case(name, np.rint(image).astype(dtype) if np.dtype(dtype).kind != "f" else image.astype(dtype))
    image = rng.integers(0, 4000, (3, 2, 4, 9, 11)).astype(np.uint16)
    yield case("frames", image)
    for name, shape in (("mask", (1, 1, 1)), ("mask-slices", (1, 1, 4)), ("mask-channels", (1, 2, 1)), ("mask-all", (3, 2, 4))):
        yield case(name, image, (rng.random(shape + (9, 11)) < 0.4).astype(np.uint8))
    yield case("mask-nothing", image[:1], np.zeros((1, 1, 1, 9, 11), np.uint8))
    yield case("time", image[:, :1, :1])
    odd = rng.integers(-5, 5, (1, 1, 3, 3, 1031)).astype(float)
    odd[0, 0, 0, ::2, ::3], odd[0, 0, 1], odd[0, 0, 2, 2, 4] = np.nan, np.inf, -np.inf
    yield case("odd", odd.astype(np.float32))
    yield case("far", rng.normal(1e6, 1, (1, 1, 2, 9, 15)))
    yield case("one-value", np.full((1, 1, 2, 7, 5), .1))
