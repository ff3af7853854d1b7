# SPDX-License-Identifier: MIT
"""rgb: scikit-image's colors, and NumPy's means."""
import numpy as np
from make import Case
from skimage import color

STAINS = ("hed", "hdx", "fgx", "bex", "rbd", "gdx", "hax", "bro", "bpx", "ahx", "hpx")
FULL = {"uint8": 255, "uint16": 65535}


def shares(image):
    """(c, ...) -> (..., c), from 0 to 1."""
    return np.moveaxis(image.astype(np.float64), 0, -1) / FULL.get(image.dtype.name, 1)


def case(name, image, step, made):
    wide = np.float64 if image.dtype == np.float64 else np.float32
    return Case(name, step, {"image": image}, {"image": np.moveaxis(made, -1, 0).astype(wide)}, tolerance=1e-6)


def cases():
    rng = np.random.default_rng(9)
    for dtype in (np.uint8, np.uint16, np.float32, np.float64):
        name, full = np.dtype(dtype).name, FULL.get(np.dtype(dtype).name, 1)
        image = (rng.random((3, 2, 7, 9)) * full).astype(dtype)
        image[:, 0, 0, :4] = np.array([[0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 0, 1]]) * full
        yield case(f"{name}-hsb", image, "rgb to=hsb", color.rgb2hsv(shares(image)))
        yield case(f"{name}-lab", image, "rgb to=lab", color.rgb2lab(shares(image)))
        yield case(f"{name}-stains", image, "rgb to=stains", color.rgb2hed(shares(image)))
        for weights, of in (("luminance", (.2125, .7154, .0721)), ("rec601", (.299, .587, .114)), ("equal", (1 / 3,) * 3)):
            grey = np.tensordot(np.array(of), image.astype(np.float64), 1)[None]
            yield Case(f"{name}-{weights}", f"rgb weights={weights}", {"image": image},
                       {"image": (np.rint(np.round(grey, 9)) if full > 1 else grey).astype(dtype)}, tolerance=0 if full > 1 else 1e-6)
    tile = (rng.random((3, 5, 6)) * 255).astype(np.uint8)
    for stains in STAINS:
        yield case(stains, tile[:, None], f"rgb to=stains stains={stains}",
                   color.separate_stains(shares(tile[:, None]), getattr(color, f"{stains}_from_rgb")))
    yield case("one-channel", tile[:1, None], "rgb to=lab", color.rgb2lab(shares(tile[[0, 0, 0], None])))
