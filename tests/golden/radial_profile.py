# SPDX-License-Identifier: MIT
"""radial_profile: numpy.bincount and scipy.ndimage by distance."""
import numpy as np
from make import Case
from scipy import ndimage


def measure(plane, center, width=1., radius=0., mask=None, spacing=(1, 1)):
    y, x = np.indices(plane.shape)
    ring = np.floor(np.sqrt((x - center[1]) ** 2 + ((y - center[0]) * (spacing[0] / spacing[1])) ** 2) / width).astype(int)
    n = int(np.ceil(radius / width)) if radius else ring.max() + 1
    counts = np.isfinite(plane) & (ring < n) & (True if mask is None else mask != 0)
    v, ring = plane[counts].astype(np.float64), ring[counts]
    pixels = np.bincount(ring, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(ring, v, n) / pixels
        sd = np.full(n, np.nan)
        there = np.flatnonzero(pixels)
        sd[there] = ndimage.standard_deviation(v, ring, there) if there.size else sd[there]
    return {"radius": np.arange(n) * width * spacing[1], "pixels": pixels, "mean": mean, "sd": sd}


def case(name, image, options="", center=None, mask=None, spacing=(1, 1), frames=1, **arguments):
    """image: (t, c, z, y, x)."""
    shape = image.shape
    middle = ((shape[3] - 1) / 2, (shape[4] - 1) / 2) if center is None else center
    columns = {}
    for position in np.ndindex(shape[:3]):
        at = {key: i + 1 for key, i, n in zip(("frame", "channel", "z"), position, shape[:3]) if n > 1}
        found = measure(image[position], middle, mask=mask, spacing=spacing, **arguments)
        for key, values in ({key: np.full(len(found["mean"]), i) for key, i in at.items()} | found).items():
            columns.setdefault(key, []).append(values)
    inputs = {"image": image if frames > 1 else image[0]}
    if mask is not None:
        inputs["mask"] = mask.astype(np.uint8)
    return Case(name, "radial_profile" + options, inputs, table={key: np.concatenate(v) for key, v in columns.items()},
                table_tolerance=1e-9, spacing=(1,) + spacing, unit="um" if spacing != (1, 1) else "", frames=frames)


def cases():
    rng = np.random.default_rng(9)
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        image = rng.integers(0, 250, (1, 1, 1, 21, 34)).astype(dtype)
        yield case(np.dtype(dtype).name, image)
    yield case("point", image, " center=point x=5 y=7", (7, 5))
    yield case("between", image, " center=point x=5.25 y=7.5 width=2.5 radius=13", (7.5, 5.25), width=2.5, radius=13.)
    yield case("outside", image, " center=point x=-50 y=100 width=3", (100, -50), width=3.)
    yield case("mask", image, mask=rng.random((21, 34)) < 0.3)
    yield case("spacing", image, spacing=(.5, .25))
    yield case("frames", rng.integers(0, 4000, (2, 2, 3, 9, 8)).astype(np.uint16), frames=2)
    odd = rng.normal(0, 1, (1, 1, 1, 13, 19)).astype(np.float32)
    odd[..., ::3, ::4], odd[..., 6, :] = np.nan, np.inf
    yield case("odd", odd)
