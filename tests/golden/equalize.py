# SPDX-License-Identifier: MIT
"""equalize: skimage.exposure.equalize_hist."""
import numpy as np
from make import Case
from skimage.exposure import equalize_hist

FULL = {"uint8": 255, "uint16": 65535, "int32": 2**31 - 1}


def case(name, image, over="plane", bins=256, output="same"):
    parts = [image] if over != "plane" or image.ndim == 2 else list(image)
    found = np.stack([equalize_hist(part, bins) for part in parts]).reshape(image.shape)
    if output == "float":
        found = found.astype(np.float32 if image.dtype in (np.uint8, np.uint16, np.float32) else np.float64)
    elif image.dtype.kind == "f":
        found = found.astype(image.dtype)
    else:
        found = np.rint(found * FULL[image.dtype.name]).astype(image.dtype)
    exact = image.dtype.kind != "f" and output == "same" and image.dtype != np.int32
    return Case(name, f"equalize over={over} bins={bins} output={output}", {"image": image}, {"image": found},
                tolerance=0 if exact else 1e-6 if found.dtype == np.float32 else 1e-9)


def cases():
    rng = np.random.default_rng(4)
    for dtype, top in ((np.uint8, 200), (np.uint16, 9000), (np.int32, 9000), (np.float32, 2), (np.float64, 1e6)):
        image = (rng.gamma(2, 0.1, (2, 17, 23)) * top).astype(dtype)
        name = np.dtype(dtype).name
        yield case(name, image)
        yield case(f"{name}-stack", image, over="stack")
        yield case(f"{name}-float", image, output="float", over="series")
    image = rng.normal(100, 30, (21, 31)).astype(np.float32)
    for bins in (2, 100, 257, 4097):
        yield case(f"bins-{bins}", image, bins=bins)
    yield case("int32-negative", rng.normal(0, 1000, (20, 33)).astype(np.int32))
    yield case("one-value", np.full((7, 9), 5, np.uint8))
