# SPDX-License-Identifier: MIT
"""reslice: NumPy's transpose and flip."""
import numpy as np
from make import Case

STARTS = {"top": lambda v: v.swapaxes(-3, -2), "left": lambda v: np.moveaxis(v, -1, -3),
          "bottom": lambda v: v.swapaxes(-3, -2)[..., ::-1, :, :], "right": lambda v: np.moveaxis(v, -1, -3)[..., ::-1, :, :]}


def cases():
    rng = np.random.default_rng(6)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 2, 3, 4, 5)) * 250).astype(dtype)
        for start, cut in STARTS.items():
            yield Case(f"{np.dtype(dtype).name}-{start}", f"reslice start={start}", {"image": image}, {"image": cut(image)}, frames=2)
    large = rng.integers(0, 256, (3, 35, 67)).astype(np.uint8)
    for start, cut in STARTS.items():
        yield Case(f"flip-{start}", f"reslice start={start} flip=yes", {"image": large}, {"image": cut(large)[:, ::-1]})
    single = rng.random((1, 4, 33)).astype(np.float32)
    single[0, 2, 3] = np.nan
    yield Case("one-slice", "reslice start=left", {"image": single}, {"image": STARTS["left"](single)})
