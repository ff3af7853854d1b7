# SPDX-License-Identifier: MIT
"""clahe: skimage.exposure.equalize_adapthist; of floats and of volumes its _clahe, since equalize_adapthist rounds floats to 16 bits."""
import numpy as np
from make import Case
from skimage.exposure import _adapthist, equalize_adapthist

FULL = {"uint8": 255, "uint16": 65535, "int32": 2**31 - 1}


def levels(image):
    v = image.astype(np.float64)
    low, high = v[np.isfinite(v)].min(), v[np.isfinite(v)].max()
    return np.round(np.clip((v - low) / (high - low), 0, 1) * 16383).astype(np.uint16)


def stretched(image):
    v = image.astype(np.float64)
    return (v - v.min()) / (v.max() - v.min())


def expected(image, size, limit, bins):
    if image.dtype in (np.uint8, np.uint16):
        return equalize_adapthist(image, size, limit, bins)
    size = size or [max(n // 8, 1) for n in image.shape]
    return stretched(_adapthist._clahe(levels(image), size if np.ndim(size) else [size] * image.ndim, limit, bins))


def case(name, image, size=None, limit=0.01, bins=256, output="same", volume=False):
    planes = [image] if volume or image.ndim == 2 else list(image)
    found = np.stack([expected(plane, size, limit, bins) for plane in planes]).reshape(image.shape)
    if output == "float":
        found = found.astype(np.float32 if image.dtype in (np.uint8, np.uint16, np.float32) else np.float64)
    elif image.dtype.kind == "f":
        found = found.astype(image.dtype)
    else:
        found = np.rint(found * FULL[image.dtype.name]).astype(image.dtype)
    step = f"clahe limit={limit} bins={bins} output={output}" + (" volume=yes" if volume else "")
    step += f" size={','.join(map(str, np.atleast_1d(size)))}" if size else ""
    return Case(name, step, {"image": image}, {"image": found})


def shaded(shape, rng):
    y, x = np.indices(shape[-2:])
    return (0.2 + 0.5 * y / shape[-2]) * (1 + 0.3 * np.sin(x / 5)) * (0.6 + 0.2 * rng.random(shape))


def cases():
    rng = np.random.default_rng(9)
    for dtype, top in ((np.uint8, 250), (np.uint16, 60000), (np.int32, 100000), (np.float32, 3), (np.float64, 1e9)):
        image = (shaded((2, 25, 33), rng) * top - (top / 9 if np.dtype(dtype).kind != "u" else 0)).astype(dtype)
        name = np.dtype(dtype).name
        yield case(f"{name}", image[0])
        yield case(f"{name}-planes", image, size=16, limit=0.03)
        yield case(f"{name}-volume", image, size=[2, 9, 12], volume=True)
        yield case(f"{name}-float", image[0], size=[8, 20], output="float")
    image = (shaded((49, 70), rng) * 4000).astype(np.uint16)
    for bins in (2, 7, 255, 256, 1000, 4096):
        yield case(f"bins-{bins}", image, bins=bins, size=24)
    for limit in (0, 0.001, 0.2, 1):
        yield case(f"limit-{limit}", image, limit=limit)
    for size in (1, 2, 3, [49, 70], [30, 7], [1, 70]):
        yield case(f"size-{'x'.join(map(str, np.atleast_1d(size)))}", image[:20, :30] if size in (1, 2) else image,
                   size=size)
    deep = (shaded((9, 20, 23), rng) * 255).astype(np.uint8)
    yield case("deep", deep, volume=True)
    yield case("deep-tiles", deep, size=[4, 8, 8], limit=0.05, volume=True)
    yield case("row", image[:1])
    yield case("column", image[:, :1])
    dark = np.where(rng.random((40, 40)) < 0.9, 3, (rng.random((40, 40)) * 255)).astype(np.uint8)
    yield case("dark", dark)
