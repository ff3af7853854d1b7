# SPDX-License-Identifier: MIT
"""keep: numpy.where."""
import numpy as np
from make import Case


def cases():
    rng = np.random.default_rng(3)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image, other = ((rng.random((3, 2, 13, 17)) * 250).astype(dtype) for _ in range(2))
        mask = (rng.random((1, 2, 13, 17)) < 0.4).astype(np.uint8) * 255
        name = np.dtype(dtype).name
        yield Case(name, "keep", {"image": image, "inside": mask}, {"image": np.where(mask, image, 0).astype(dtype)})
        yield Case(f"{name}-outside", "keep invert=yes", {"image": image, "inside": mask, "outside": other},
                   {"image": np.where(mask, other, image)})
        yield Case(f"{name}-plane", "keep", {"image": image, "inside": mask[:, :1], "outside": other[:1, :1]},
                   {"image": np.where(mask[:, :1], image, other[:1, :1])})
    small = (rng.random((1, 1, 9, 300)) * 250).astype(np.uint16)
    mask = (rng.random((1, 1, 9, 300)) < 0.5).astype(np.uint8)
    for dtype in (np.float32, np.float64):
        image = rng.random((1, 1, 9, 300)).astype(dtype)
        yield Case(f"{np.dtype(dtype).name}-beside-uint16", "keep", {"image": image, "inside": mask, "outside": small},
                   {"image": np.where(mask, image, small.astype(dtype))})
    every = np.arange(256, dtype=np.uint8).reshape(1, 1, 16, 16)
    yield Case("every-value-is-inside", "keep", {"image": every + 1, "inside": every},
               {"image": np.where(every, every + 1, 0)})
    for dtype in (np.uint16, np.int32, np.float32, np.float64):
        field = (rng.random((1, 1, 9, 31)) * 4 - 2).astype(dtype) if dtype != np.uint16 else np.arange(279, dtype=dtype)
        inside = field.reshape(1, 1, 9, 31)
        yield Case(f"inside-{np.dtype(dtype).name}", "keep", {"image": inside, "inside": inside},
                   {"image": np.where(inside != 0, inside, 0).astype(dtype)})
    image, odd = np.ones((1, 1, 1, 3), np.uint8), np.array([[[[np.nan, -0.0, 0.1]]]])
    yield Case("inside-nan", "keep", {"image": image, "inside": odd}, {"image": np.array([[[[0, 0, 1]]]], np.uint8)})
