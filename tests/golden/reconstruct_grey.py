# SPDX-License-Identifier: MIT
"""reconstruct_grey: skimage.morphology.reconstruction, of a seed that is cut to the mask."""
import numpy as np
from label import AXES, shapes
from make import Case
from scipy import ndimage as ndi
from skimage.morphology import reconstruction


def one(seed, mask, method, axes):
    cut = np.minimum(seed, mask) if method == "dilation" else np.maximum(seed, mask)
    footprint = ndi.generate_binary_structure(seed.ndim, axes)
    return reconstruction(cut, mask, method, footprint).astype(seed.dtype)


def case(name, seed, mask, method="dilation", connectivity="auto", volume=False):
    axes = AXES.get(connectivity, 3 if volume else 2)
    pairs = [(seed, mask)] if volume or seed.ndim == 2 else list(zip(seed, mask))
    results = [one(*pair, method, axes) for pair in pairs]
    step = "reconstruct_grey" + (f" method={method}" if method != "dilation" else "")
    step += (f" connectivity={connectivity}" if connectivity != "auto" else "") + (" volume=yes" if volume else "")
    return Case(name, step, {"image": seed, "mask": mask}, {"image": results[0] if len(pairs) == 1 else np.stack(results)})


def smooth(rng, shape, high):
    noise = ndi.gaussian_filter(rng.random(shape), 2)
    return (noise - noise.min()) / np.ptp(noise) * high


def cases():
    rng = np.random.default_rng(23)
    mask = smooth(rng, (61, 131), 250).astype(np.uint8)
    seeds = {"low": np.maximum(mask, 40) - 40, "few": np.where(rng.random(mask.shape) < 0.003, mask, 0),
             "noise": rng.integers(0, 256, mask.shape)}
    for name, seed in seeds.items():
        for connectivity in ("4", "8"):
            yield case(f"{name}-{connectivity}", seed.astype(np.uint8), mask, "dilation", connectivity)
            yield case(f"{name}-{connectivity}-erosion", (255 - seed).astype(np.uint8), 255 - mask, "erosion", connectivity)
    for dtype, low, high in ((np.uint8, 0, 255), (np.uint16, 0, 65535), (np.int32, -2 ** 31, 2 ** 31 - 1),
                             (np.float32, -3, 4), (np.float64, -3e5, 4e5)):
        image = (smooth(rng, (37, 53), 1) * (float(high) - low) + low).astype(dtype)
        seed = (rng.random(image.shape) * (float(high) - low) + low).astype(dtype)
        seed[rng.random(image.shape) < 0.9] = low
        yield case(np.dtype(dtype).name, seed, image)
        yield case(f"{np.dtype(dtype).name}-erosion", image, seed, "erosion")
    for name, drawing in shapes(41).items():  # long ways
        walls = drawing.astype(np.uint8) * 200
        seed = np.zeros_like(walls)
        seed[np.unravel_index(np.flatnonzero(walls)[-1], walls.shape)] = 150
        yield case(name, seed, walls, "dilation", "4")
    wide = smooth(rng, (7, 1700), 255).astype(np.uint8)
    seed = np.zeros_like(wide)
    seed[3, 850] = 255
    yield case("wide", seed, wide)
    volume = smooth(rng, (9, 17, 23), 255).astype(np.uint8)
    for connectivity in ("6", "18", "26"):
        yield case(f"volume-{connectivity}", np.maximum(volume, 30) - 30, volume, "dilation", connectivity, True)
    yield case("volume-erosion", volume, np.maximum(volume, 30) - 30, "erosion", "auto", True)
    yield case("planes", np.maximum(volume, 30) - 30, volume)
    for shape in ((1, 1), (1, 70), (70, 1), (2, 33)):
        image = rng.integers(1, 99, shape).astype(np.uint16)
        yield case(f"{shape[0]}x{shape[1]}", np.where(rng.random(shape) < 0.1, image, 0).astype(np.uint16), image)
    for columns in (63, 64, 65, 511, 512, 513, 577):  # rows are cut at 64 and 512 pixels
        image = smooth(rng, (5, columns), 255).astype(np.uint8)
        yield case(f"cut-{columns}", np.maximum(image, 30) - 30, image)
