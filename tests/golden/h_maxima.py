# SPDX-License-Identifier: MIT
"""h_maxima: skimage.morphology.h_maxima."""
import warnings

import numpy as np
from label import AXES
from make import Case
from reconstruct_grey import smooth
from scipy import ndimage as ndi
from skimage.morphology import h_maxima


def one(image, h, axes):
    with warnings.catch_warnings():  # about whole numbers and an h that is none
        warnings.simplefilter("ignore")
        return h_maxima(image, h, ndi.generate_binary_structure(image.ndim, axes)).astype(np.uint8) * 255


def case(name, image, h, connectivity="auto", volume=False):
    axes = AXES.get(connectivity, 3 if volume else 2)
    planes = [image] if volume or image.ndim == 2 else list(image)
    results = [one(plane, h, axes) for plane in planes]
    step = f"h_maxima h={h!r}" + (f" connectivity={connectivity}" if connectivity != "auto" else "")
    step += " volume=yes" if volume else ""
    return Case(name, step, {"image": image}, {"image": results[0] if len(planes) == 1 else np.stack(results)})


def cases():
    rng = np.random.default_rng(29)
    for dtype, high, hs in ((np.uint8, 255, (1, 2.5, 20, 100, 254.5, 300)), (np.uint16, 65535, (1, 700, 40000.25)),
                            (np.int32, 10 ** 6, (1, 9999, 123456.5)), (np.float32, 1, (0.01, 0.1, 0.7, 2)),
                            (np.float64, 1e5, (0.5, 1234.5, 5e4, 2e5))):
        image = (smooth(rng, (43, 67), high) - (high / 3 if dtype not in (np.uint8, np.uint16) else 0)).astype(dtype)
        for h in hs:
            for connectivity in ("4", "8"):
                yield case(f"{np.dtype(dtype).name}-{h}-{connectivity}", image, h, connectivity)
    for value in (0, 7, 255):
        yield case(f"flat-{value}", np.full((9, 11), value, np.uint8), 5)
    steps = np.repeat([100, 103, 101, 104, 90, 110, 110, 95, 0, 255], 3)[None].repeat(3, 0).astype(np.uint8)
    for h in (1, 2, 3, 4, 10, 14, 15, 16, 110, 111):
        yield case(f"steps-{h}", steps, h)
    volume = smooth(rng, (9, 17, 23), 255).astype(np.uint8)
    for connectivity in ("6", "18", "26"):
        yield case(f"volume-{connectivity}", volume, 12, connectivity, True)
    yield case("planes", np.stack([volume[0], volume[1] // 9, volume[2]]), 31)
    for shape in ((1, 1), (1, 70), (70, 1)):
        yield case(f"{shape[0]}x{shape[1]}", rng.integers(1, 99, shape).astype(np.uint16), 20)
