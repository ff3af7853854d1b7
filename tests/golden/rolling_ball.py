# SPDX-License-Identifier: MIT
"""rolling_ball: skimage.restoration.rolling_ball; and ImageJ's BackgroundSubtracter by imagej/rolling_ball.py."""
import pathlib

import numpy as np
from make import Case
from scipy import ndimage
from skimage import restoration

STORED = pathlib.Path(__file__).parent / "imagej" / "rolling_ball.npz"
TOPS = {np.uint8: 255, np.uint16: 65535}


def hills(dtype, shape=(31, 43)):
    """Spots on uneven ground."""
    rng = np.random.default_rng(41)
    ground = ndimage.gaussian_filter(rng.random(shape), 4) * 2000
    image = ground - ground.min() + ndimage.gaussian_filter((rng.random(shape) > 0.99) * 9000.0, 2) + rng.random(shape) * 9
    return (image / image.max() * 250 if dtype == np.uint8 else image).astype(dtype)


def imagej_cases():
    """name -> image, radius, light, smooth, create."""
    return {f"{np.dtype(dtype).name}-{radius:g}-{'light' if light else 'dark'}-{'smooth' if smooth else 'sharp'}":
            (hills(dtype), radius, light, smooth)
            for dtype, radii in ((np.float32, (3.5, 12, 45, 110)), (np.uint8, (3, 25)), (np.uint16, (12, 50)))
            for radius in radii for light in (False, True) for smooth in (False, True)}


def imagej_paraboloid_cases():
    """Likewise, with objects in corners and at edges, and images that are longer than wide."""
    shapes = {np.float32: ((31, 43), (3.5, 20)), np.uint8: ((67, 35), (2, 25)), np.uint16: ((37, 101), (12, 50))}
    cases = {}
    for dtype, (shape, radii) in shapes.items():
        image = hills(dtype, shape)
        image[:4, :5], image[-3:, :3] = image.max(), image.max() * 0.8
        for radius in radii:
            for light in (False, True):
                for smooth in (False, True):
                    name = f"{np.dtype(dtype).name}-{radius:g}-{'light' if light else 'dark'}-{'smooth' if smooth else 'sharp'}"
                    cases[f"paraboloid-{name}"] = image, radius, light, smooth
    flat = np.zeros((2, 131), np.float32)
    flat[:, 20], flat[1, 100:] = 9, 3
    cases["paraboloid-flat"] = flat, 40, False, False
    cases["paraboloid-tall"] = np.ascontiguousarray(flat.T), 40, False, True
    return cases


def cases():
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = hills(dtype)
        for radius in (1, 5.5, 17):
            background = restoration.rolling_ball(image.astype(np.float64), radius=radius)
            left = image - background
            if np.issubdtype(dtype, np.integer):
                background, left = np.rint(background), np.rint(left)
            yield Case(f"exact-{np.dtype(dtype).name}-{radius}", f"rolling_ball method=exact radius={radius}", {"image": image},
                       {"image": left.astype(dtype), "background": background.astype(dtype)},
                       tolerance=0 if np.issubdtype(dtype, np.integer) else 1e-6 if dtype == np.float32 else 1e-12)
    for dtype in (np.uint8, np.uint16):
        image = hills(dtype, (150, 90))
        background = -restoration.rolling_ball(-image.astype(np.float64), radius=25)
        left = np.minimum(image - background + TOPS[dtype], TOPS[dtype])
        yield Case(f"exact-{np.dtype(dtype).name}-light", "rolling_ball method=exact radius=25 light=yes", {"image": image},
                   {"image": np.rint(left).astype(dtype), "background": np.rint(background).astype(dtype)}, tolerance=0)
    image = hills(np.float64)
    dark = -restoration.rolling_ball(-image, radius=6)
    yield Case("exact-light", "rolling_ball method=exact radius=6 light=yes", {"image": image}, {"image": image - dark, "background": dark},
               tolerance=1e-12)
    missing = image.copy()
    missing[5, 7], missing[20:23, 30] = np.nan, np.nan
    background = restoration.rolling_ball(np.where(np.isnan(missing), np.inf, missing), radius=5)
    yield Case("exact-nan", "rolling_ball method=exact radius=5", {"image": missing}, {"image": missing - background, "background": background},
               tolerance=1e-12)
    stack = np.stack([hills(np.float64), hills(np.float64)[::-1]])
    background = np.stack([restoration.rolling_ball(plane, radius=4) for plane in stack])
    yield Case("exact-planes", "rolling_ball method=exact radius=4", {"image": stack}, {"background": background}, tolerance=1e-12)
    stored = np.load(STORED)
    for name, (image, radius, light, smooth) in (imagej_cases() | imagej_paraboloid_cases()).items():
        method = " method=paraboloid" if name.startswith("paraboloid") else ""
        step = f"rolling_ball{method} radius={radius:g} light={'yes' if light else 'no'} smooth={'yes' if smooth else 'no'}"
        yield Case(f"imagej-{name}", step, {"image": image}, {"image": stored[name], "background": stored[f"{name}-background"]},
                   absolute=1 if image.dtype != np.float32 else 2e-3)
