# SPDX-License-Identifier: MIT
"""histogram: numpy.histogram on float64."""
import numpy as np
from make import Case


def case(name, image, options="", bins=256, limits=None, mask=None, frames=1):
    """image: (t, c, z, y, x)."""
    columns = {}
    for position in np.ndindex(image.shape[:2]):
        at = {key: i + 1 for key, i, n in zip(("frame", "channel"), position, image.shape[:2]) if n > 1}
        pixels = image[position] if mask is None else image[position][np.broadcast_to(mask, image[position].shape)]
        pixels = pixels[np.isfinite(pixels)].astype(np.float64)
        low, high = limits or (None, None)
        if limits and pixels.size:
            limits_here = (pixels.min() if low is None else low, pixels.max() if high is None else high)
        else:
            limits_here = limits
        counts, edges = np.histogram(pixels, bins, limits_here)
        found = {"from": edges[:-1], "to": edges[1:], "pixels": counts}
        for key, values in ({key: np.full(bins, i) for key, i in at.items()} | found).items():
            columns.setdefault(key, []).append(values)
    inputs = {"image": image if frames > 1 else image[0]}
    if mask is not None:
        inputs["mask"] = mask.astype(np.uint8)
    return Case(name, "histogram" + options, inputs, table={key: np.concatenate(v) for key, v in columns.items()},
                table_tolerance=1e-12, frames=frames)


def cases():
    rng = np.random.default_rng(10)
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        image = rng.normal(100, 20, (1, 1, 1, 21, 34)).astype(dtype)
        yield case(np.dtype(dtype).name, image, " bins=20", 20)
    yield case("default", image)
    many = case("many", image[..., :9, :9], " bins=20001", 20001)
    del many.table["from"], many.table["to"]  # large
    yield many
    yield case("limits", image, " bins=37 low=70 high=130.5", 37, (70, 130.5))
    yield case("from", image, " bins=7 low=99", 7, (99, None))
    yield case("up-to", image, " bins=7 high=99", 7, (None, 99))
    yield case("edges", (np.arange(1000.).reshape(1, 1, 1, 20, 50) / 10), " bins=30 low=0 high=90", 30, (0, 90))
    yield case("mask", image, " bins=9", 9, mask=rng.random((21, 34)) < 0.3)
    yield case("frames", rng.integers(0, 4000, (2, 2, 3, 9, 8)).astype(np.uint16), " bins=11", 11, frames=2)
    odd = image.astype(np.float32)
    odd[..., ::3, ::4], odd[..., 6, :] = np.nan, np.inf
    yield case("odd", odd, " bins=10", 10)
    yield case("one-value", np.full((1, 1, 1, 3, 4), 7, np.uint8), " bins=4", 4)
    yield case("nothing", np.full((1, 1, 1, 3, 4), np.nan), " bins=4", 4)
