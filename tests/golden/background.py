# SPDX-License-Identifier: MIT
"""background: sep.Background."""
import importlib.metadata

import numpy as np
import sep
from make import Case
from sigma_clip import sky

VERSION = importlib.metadata.version("sep")  # 1.4.1 made what is stored


def case(name, image, options="", box=(64, 64), window=(3, 3), mask=None, tolerance=1e-5):
    planes = image.reshape((-1,) + image.shape[-2:])
    found = [sep.Background(plane.astype(np.float32), mask=mask, bh=box[0], bw=box[1], fh=window[0], fw=window[1])
             for plane in planes]
    back, rms = (np.stack(v).reshape(image.shape) for v in ([f.back(dtype=np.float64) for f in found],
                                                            [f.rms(dtype=np.float64) for f in found]))
    out = np.float64 if image.dtype == np.float64 else np.float32
    inputs = {"image": image} if mask is None else {"image": image, "mask": mask.astype(np.uint8) * 255}
    return Case(name, f"background{options}", inputs,
                {"image": (image - back).astype(out), "background": back.astype(out), "rms": rms.astype(out)},
                scalars={"back": [f.globalback for f in found], "rms": [f.globalrms for f in found]},
                tolerance=tolerance, scalar_tolerance=tolerance)


def slope(shape):
    y, x = np.mgrid[:shape[0], :shape[1]]
    return 20 * np.sin(x / 90) + 10 * np.cos(y / 70)


def cases():
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        image = (sky(np.float64, (77, 91), 1) + slope((77, 91)))
        image = image.astype(dtype) if np.dtype(dtype).kind == "f" else np.rint(image.clip(0, 255)).astype(dtype)
        yield case(np.dtype(dtype).name, image, " box=24", (24, 24))
    image = (sky(np.float64, (100, 91), 2, 30.) + slope((100, 91))).astype(np.float32)
    yield case("box", image, " box=21,33 filter=1", (21, 33), (1, 1))
    yield case("filter", image, " box=10,13 filter=5,3", (10, 13), (5, 3))
    yield case("even-filter", image, " box=16 filter=4", (16, 16), (4, 4))
    yield case("one-box", image, " box=200", (200, 200))
    yield case("one-row-of-boxes", image[:40], " box=40,20 filter=1", (40, 20), (1, 1))
    yield case("one-column-of-boxes", np.ascontiguousarray(image[:, :40]), " box=20,40 filter=1", (20, 40), (1, 1))
    yield case("crowded", (image ** 2 / 100).astype(np.float32), " box=32", (32, 32),
               tolerance=1e-4)  # SEP's levels are in single
    mask = np.zeros(image.shape, bool)
    mask[20:70, 30:70] = mask[80:84] = True
    yield case("mask", np.where(mask, 1e4, image).astype(np.float32), " box=16", (16, 16), mask=mask)
    yield case("planes", np.stack([sky(np.float32, (48, 40), seed, 50. * seed) for seed in (3, 4)]), " box=16", (16, 16))
    flat = case("one-value", np.full((33, 35), 7.25, np.float32), " box=16", (16, 16))
    del flat.scalars["rms"]  # SEP says 1 for 0
    yield flat
