# SPDX-License-Identifier: MIT
"""split: SciPy's distances, skimage.morphology's reconstruction and local_maxima, skimage.measure.label, and the definition of watershed."""
import numpy as np
from make import Case
from scipy import ndimage
from skimage.measure import label
from skimage.morphology import local_maxima, reconstruction
from watershed import by_definition, lined


def one(mask, level, h, axes):
    inside = mask != 0
    values = np.where(inside, level, -1e6).astype(np.float32)
    footprint = ndimage.generate_binary_structure(mask.ndim, axes)
    tops = inside & local_maxima(reconstruction(values - np.float32(h), values, footprint=footprint), footprint=footprint)
    markers = label(tops, connectivity=axes).astype(np.int32)
    return by_definition(-values, markers, mask, axes), markers.max()


def case(name, mask, intensity=None, h=0.5, volume=False, line=False):
    axes = 3 if volume else 2
    planes = [slice(None)] if volume or mask.ndim == 2 else range(len(mask))
    found = []
    for z in planes:
        level = ndimage.distance_transform_edt(mask[z]).astype(np.float32) if intensity is None else intensity[z]
        labels, objects = one(mask[z], level, h, axes)
        found.append((lined(labels, axes) if line else labels, objects))
    step = f"split sigma=0 h={h}" + ("" if intensity is None else " by=intensity")
    step += (" line=yes" if line else "") + (" volume=yes" if volume else "")
    labels = [f[0] for f in found]
    return Case(name, step, {"image": mask} | ({} if intensity is None else {"intensity": intensity}),
                {"labels": labels[0] if len(labels) == 1 else np.stack(labels)}, roles={"image": "mask"},
                scalars={"objects": [f[1] for f in found]})


def discs(rng, shape, n, radius):
    """Some that touch, some that do not, one pixel alone."""
    mask = np.zeros(shape, np.uint8)
    grid = np.indices(shape)
    for _ in range(n):
        centre = [rng.integers(0, k) for k in shape]
        square = sum((g - c) ** 2 for g, c in zip(grid, centre))
        mask[square < rng.uniform(0.5, 1) * radius ** 2] = 255
    mask[(0,) * len(shape)] = 255
    return mask


def cases():
    rng = np.random.default_rng(21)
    flat, deep = discs(rng, (60, 83), 22, 9), discs(rng, (14, 22, 31), 16, 6)
    for h in (0.25, 0.5, 2):
        yield case(f"plane-{h}", flat, h=h)
        yield case(f"volume-{h}", deep, h=h, volume=True)
    yield case("planes", deep)
    yield case("line", flat, line=True)
    for dtype in (np.uint8, np.uint16, np.float32):
        light = ndimage.gaussian_filter(rng.random(flat.shape), 2)
        light = ((light - light.min()) / np.ptp(light) * 250).astype(dtype)
        yield case(f"intensity-{np.dtype(dtype).name}", flat, light, h=20)
    yield case("nothing", np.zeros((7, 9), np.uint8))
    square = np.zeros((9, 9), np.uint8)
    square[2:7, 3:8] = 255
    yield case("one", square)
