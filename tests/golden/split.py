# SPDX-License-Identifier: MIT
"""split: SciPy's distances, skimage.morphology's reconstruction and local_maxima, skimage.measure.label, and the definition of watershed; ImageJ's
Watershed by imagej/watershed_masks.py."""
import pathlib

import numpy as np
from make import Case
from scipy import ndimage
from skimage.measure import label
from skimage.morphology import local_maxima, reconstruction
from watershed import by_definition, lined

STORED = pathlib.Path(__file__).parent / "imagej" / "watershed_masks.npz"


def one(mask, level, h, axes):
    inside = mask != 0
    values = np.where(inside, level, -1e6).astype(np.float32)
    footprint = ndimage.generate_binary_structure(mask.ndim, axes)
    tops = inside & local_maxima(reconstruction(values - np.float32(h), values, footprint=footprint), footprint=footprint)
    markers = label(tops, connectivity=axes).astype(np.int32)
    return by_definition(-values, markers, mask, axes), markers.max()


def case(name, mask, intensity=None, h=0.5, volume=False, line=False, sigma=0):
    axes = 3 if volume else 2
    planes = [slice(None)] if volume or mask.ndim == 2 else range(len(mask))
    found = []
    for z in planes:
        level = ndimage.distance_transform_edt(mask[z]).astype(np.float32) if intensity is None else intensity[z]
        if sigma:
            level = ndimage.gaussian_filter(level.astype(float), sigma, mode="nearest", truncate=4)
        labels, objects = one(mask[z], level, h, axes)
        found.append((lined(labels, axes) if line else labels, objects))
    step = f"split sigma={sigma} h={h}" + ("" if intensity is None else " by=intensity")
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


def sparse(rng):
    """Few on a large plane, so that they are split side by side on a smaller one: at all edges, too, and a thin one beside another."""
    mask = discs(rng, (131, 157), 7, 8)
    y, x = np.indices(mask.shape)
    for centres in (((60, 150), (66, 156)), ((129, 70), (126, 80)), ((0, 90), (5, 97)), ((40, 0), (48, 2))):
        for v, u in centres:
            mask[(y - v) ** 2 + (x - u) ** 2 < 40] = 255
    mask[100:103, 20:60] = mask[104, 30:50] = 255
    return mask


def light_of(rng, shape, dtype):
    light = ndimage.gaussian_filter(rng.random(shape), 2)
    return ((light - light.min()) / np.ptp(light) * 250).astype(dtype)


def blobs(seed, shape, sigma, level):
    """Smooth noise above a level: objects of every form, which touch each other and the edge."""
    noise = ndimage.gaussian_filter(np.random.default_rng(seed).standard_normal(shape), sigma)
    return np.where(noise > level * noise.std(), 255, 0).astype(np.uint8)


def imagej_masks():
    """name -> mask."""
    rng = np.random.default_rng(5)
    found = {"discs": discs(rng, (90, 121), 60, 11), "large-discs": discs(rng, (160, 140), 25, 30)}
    for seed, (sigma, level) in enumerate([(1, 0), (2, 0.3), (2, -0.5), (4, 0), (6, -0.3), (8, 0.2)]):
        found[f"blobs-{seed}"] = blobs(seed, (97 + 3 * seed, 128 + seed), sigma, level)
    found["noise"] = np.where(rng.random((60, 70)) < 0.7, 255, 0).astype(np.uint8)
    y, x = np.mgrid[:60, :140]
    found["rings"] = np.where(np.abs(np.hypot(y - 30, x % 47 - 23) - 15) < 5 + x // 47 * 2, 255, 0).astype(np.uint8)
    found["squares"] = np.where((y % 20 < 19) & (x % 23 < 22) | (np.abs(y % 20 - 9) < 3), 255, 0).astype(np.uint8)
    found["steps"] = np.where(y < 5 + x // 9 * 3, 255, 0).astype(np.uint8)
    far = np.full((24, 700), 255, np.uint8)  # distances that are no 8-bit numbers
    far[:, 0] = far[11, ::330] = 0
    found["far"] = far
    found["two-far"], found["tall"] = np.roll(far, 350, axis=1), far.T.copy()
    found["whole"] = np.full((11, 13), 255, np.uint8)
    found["hole"] = np.full((31, 45), 255, np.uint8)
    found["hole"][10, 17] = 0
    found["nothing"] = np.zeros((7, 9), np.uint8)
    found["row"], found["column"] = found["blobs-1"][40:41], found["blobs-1"][:, 50:51].copy()
    found["one"] = np.full((1, 1), 255, np.uint8)
    return found


def by_imagej():
    """The objects that ImageJ's lines leave, numbered by scikit-image."""
    masks, cut = imagej_masks(), {}
    with np.load(STORED) as stored:
        for name, mask in masks.items():
            cut[name] = np.unpackbits(stored[name], count=mask.size).reshape(mask.shape)
    for name, mask in masks.items():
        labels = label(cut[name], connectivity=2).astype(np.int32)
        yield Case(f"imagej-{name}", "split method=imagej", {"image": mask}, {"labels": labels}, roles={"image": "mask"},
                   scalars={"objects": labels.max()})
    stack = np.stack([masks["squares"], masks["steps"], masks["rings"]])
    labels = np.stack([label(cut[name], connectivity=2).astype(np.int32) for name in ("squares", "steps", "rings")])
    yield Case("imagej-planes", "split method=imagej", {"image": stack}, {"labels": labels}, roles={"image": "mask"},
               scalars={"objects": labels.max(axis=(1, 2))})


def cases():
    yield from by_imagej()
    rng = np.random.default_rng(21)
    flat, deep = discs(rng, (60, 83), 22, 9), discs(rng, (14, 22, 31), 16, 6)
    for h in (0.25, 0.5, 2):
        yield case(f"plane-{h}", flat, h=h)
        yield case(f"volume-{h}", deep, h=h, volume=True)
    yield case("planes", deep)
    yield case("line", flat, line=True)
    for dtype in (np.uint8, np.uint16, np.float32):
        yield case(f"intensity-{np.dtype(dtype).name}", flat, light_of(rng, flat.shape, dtype), h=20)
    yield case("nothing", np.zeros((7, 9), np.uint8))
    square = np.zeros((9, 9), np.uint8)
    square[2:7, 3:8] = 255
    yield case("one", square)
    few = sparse(rng)
    for h in (0.25, 2):
        yield case(f"sparse-{h}", few, h=h)
    yield case("sparse-line", few, line=True)
    yield case("sparse-smooth", few, sigma=1)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        yield case(f"sparse-{np.dtype(dtype).name}", few, light_of(rng, few.shape, dtype), h=20)
    yield case("sparse-smooth-light", few, light_of(rng, few.shape, np.float32), h=5, sigma=1.5)
