# SPDX-License-Identifier: MIT
"""fill_holes: scipy.ndimage.binary_fill_holes, and what it fills by the size of the holes."""
import numpy as np
from erosion import blobs
from label import AXES, shapes
from make import Case
from scipy import ndimage as ndi


def one(mask, axes, max_size):
    structure = ndi.generate_binary_structure(mask.ndim, axes)
    holes = ndi.binary_fill_holes(mask, structure) & ~mask
    if max_size:
        labels = ndi.label(holes, structure)[0]
        holes &= np.bincount(labels.ravel())[labels] <= max_size
    return ((mask | holes) * 255).astype(np.uint8)


def case(name, image, connectivity="auto", max_size=0, volume=False, **more):
    planes = [image] if volume or image.ndim == 2 else list(image)
    filled = [one((plane < 0) | (plane > 0), AXES.get(connectivity, 1), max_size) for plane in planes]
    step = "fill_holes" + (f" connectivity={connectivity}" if connectivity != "auto" else "")
    step += (f" max_size={max_size}" if max_size else "") + (" volume=yes" if volume else "")
    return Case(name, step, {"image": image}, {"image": filled[0] if len(planes) == 1 else np.stack(filled)}, **more)


def cases():
    rng = np.random.default_rng(11)
    mask = blobs(rng, (61, 131), 0.55)
    for connectivity in ("auto", "4", "8"):
        yield case(f"plane-{connectivity}", mask, connectivity, roles={"image": "mask"})
    for max_size in (1, 4, 20):
        yield case(f"plane-most-{max_size}", mask, max_size=max_size, roles={"image": "mask"})
    noise = (rng.random((4, 33, 67)) < 0.62).astype(np.uint8)
    yield case("planes", noise * 7)
    yield case("planes-8", noise, "8")
    volume = (rng.random((7, 17, 23)) < 0.75).astype(np.uint8) * 255
    for connectivity in ("auto", "6", "18", "26"):
        yield case(f"volume-{connectivity}", volume, connectivity, volume=True)
    yield case("volume-most-2", volume, max_size=2, volume=True)
    yield case("volume-one-slice", volume[:1], volume=True)
    for name, drawing in shapes(27).items():
        yield case(name, drawing.astype(np.uint8))
    for dtype in (np.uint16, np.int32, np.float32, np.float64):
        image = (noise[0] * rng.integers(1, 99, noise[0].shape)).astype(dtype)
        if image.dtype.kind == "f":
            image[noise[1] == 0] = np.nan
        yield case(image.dtype.name, image)
    for shape in ((1, 1), (1, 70), (70, 1), (3, 3)):
        for value in (0, 1):
            ring = np.ones(shape, np.uint8)
            ring[tuple(n // 2 for n in shape)] = value
            yield case(f"{shape[0]}x{shape[1]}-{value}", ring)
