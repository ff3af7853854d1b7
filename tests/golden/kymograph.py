# SPDX-License-Identifier: MIT
"""kymograph: skimage.measure.profile_line of each frame."""
import numpy as np
from make import Case
from skimage.measure import profile_line


def case(name, image, x1, y1, x2, y2, width=1, spacing=(1, 1, 1)):
    """image: (t, c, z, y, x)."""
    t, c, z = image.shape[:3]
    lines = [[[profile_line(image[f, k, s].astype(np.float64), (y1, x1), (y2, x2), linewidth=width, mode="nearest",
                            reduce_func=np.mean) for f in range(t)] for s in range(z)] for k in range(c)]
    result = np.array(lines).astype(np.float64 if image.dtype in (np.float64, np.int32) else np.float32)
    step = f"kymograph x1={x1} y1={y1} x2={x2} y2={y2}" + (f" width={width}" if width > 1 else "")
    return Case(name, step, {"image": image if t > 1 else image[0]}, {"image": result}, tolerance=1e-6, frames=t,
                spacing=spacing)


def cases():
    rng = np.random.default_rng(8)
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        image = rng.integers(0, 250, (5, 1, 1, 11, 17)).astype(dtype)
        yield case(np.dtype(dtype).name, image, 2, 1.5, 14.25, 9, 3)
    yield case("across", image, 0, 4, 16, 4)
    yield case("upright", image, 7, 10, 7, 0, 4)
    yield case("outside", image, -6, 3, 30, 14, 2)
    yield case("point", image, 3, 5.5, 3, 5.5, 2)
    yield case("channels", rng.integers(0, 4000, (4, 2, 3, 9, 13)).astype(np.uint16), 1, 1, 11, 6, 2)
    yield case("one-frame", image[:1], 1, 2, 15, 3)
    deep = rng.integers(0, 4000, (2, 2, 5, 9, 13)).astype(np.uint16)
    lines = [[[profile_line(plane.astype(np.float64), (1, 2), (7, 11.5), linewidth=3, mode="nearest", reduce_func=np.mean)
               for plane in stack] for stack in frame] for frame in deep]
    yield Case("slices", "kymograph x1=2 y1=1 x2=11.5 y2=7 width=3 axis=z", {"image": deep},
               {"image": np.array(lines, np.float32)[:, :, None]}, tolerance=1e-6, frames=2)
