# SPDX-License-Identifier: MIT
"""montage: skimage.util.montage, whose gaps go around the whole, too, and NumPy for what it has no gaps for."""
import numpy as np
from make import Case
from skimage.util import montage

AXES = {"t": 0, "c": 1, "z": 2}


def laid(tiles, shape, gap=0, value=0):
    made = montage(tiles, fill=value, grid_shape=shape, padding_width=gap)
    return made[gap:made.shape[0] - gap, gap:made.shape[1] - gap]


def cases():
    rng = np.random.default_rng(5)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 2, 3, 3, 4)) * 250).astype(dtype)
        for axis, index in AXES.items():
            moved = np.moveaxis(image, index, 2)  # the two others, tiles, rows, columns
            n = moved.shape[2]
            made = np.array([[laid(tiles, (-(-n // 2), 2), 3, 7) for tiles in row] for row in moved])
            made = np.expand_dims(made, index) if axis != "z" else made[:, :, None]
            yield Case(f"{np.dtype(dtype).name}-{axis}", f"montage axis={axis} columns=2 gap=3 value=7", {"image": image},
                       {"image": made}, frames=2)
    stack = rng.integers(0, 256, (7, 5, 9)).astype(np.uint8)
    yield Case("square", "montage", {"image": stack}, {"image": laid(stack, (3, 3))[None]})
    yield Case("rows", "montage rows=2", {"image": stack}, {"image": laid(stack, (2, 4))[None]})
    yield Case("both", "montage rows=4 columns=3 gap=1", {"image": stack}, {"image": laid(stack, (4, 3), 1)[None]})
