# SPDX-License-Identifier: MIT
"""Thresholds on a device against scikit-image, cuCIM, and what the golden cases hold to ImageJ."""
import os
import sys

import numpy as np
from fv_device import ROOT
from skimage import filters

from tap import check, equal, sure

sys.path.insert(1, os.path.join(ROOT, "tests", "golden"))
import threshold as golden_threshold  # noqa: E402


def noise(shape, seed):
    limits = np.iinfo(np.int32)
    return np.random.default_rng(seed).integers(limits.min, limits.max, shape, np.int32, endpoint=True)


def threshold_fields(s):
    return {"u8": (s.nuclei(640) // 16).clip(0, 255).astype(np.uint8), "u16": s.nuclei(640) >> 3,
            "i32": s.nuclei(640).astype(np.int32) // 9 - 300, "f32": s.blurred(640),
            "f64": s.blurred(640).astype(np.float64) / 3}


@check("threshold")
def threshold(s):
    fields = threshold_fields(s)
    for name, image in fields.items():
        for method in golden_threshold.METHODS:
            expect = golden_threshold.threshold(image, method)
            found = s.run("threshold", image, method=method)
            value = found.scalars["threshold"][0]
            limit = 1e-6 * abs(expect) if method in ("li", "mean") else 0
            same = abs(value - expect) <= limit or (np.isnan(value) and np.isnan(expect))
            yield (f"{name} {method}", sure(same, f"{value!r} instead of {expect!r}") or
                   equal(found.outputs[0][0], golden_threshold.mask(image, value)))
    found = s.out("threshold", fields["f32"], method="manual", lower=500, upper=900)
    yield "manual", equal(found, ((fields["f32"] >= 500) & (fields["f32"] <= 900)).astype(np.uint8) * 255)


@check("threshold")
def threshold_of_imagej(s):
    """The CPU's are ImageJ's by the golden cases."""
    wide = noise((211, 307), 15)
    for name, image in {**threshold_fields(s), "wide i32": wide}.items():
        for method in golden_threshold.IMAGEJ.values():
            expect, found = s.cpu.run("threshold", image, method=method), s.run("threshold", image, method=method)
            same = np.array_equal(found.scalars["threshold"], expect.scalars["threshold"], equal_nan=True)
            yield (f"{name} {method}", sure(same, f"{found.scalars} instead of {expect.scalars}") or
                   equal(found.outputs[0], expect.outputs[0]))


@check("threshold", "otsu")
def threshold_of_stacks(s):
    stack = np.stack([s.nuclei(640)[:301, :333] >> k for k in (4, 3, 5)])
    for dtype in (np.uint16, np.float32):
        image = stack.astype(dtype)
        for method in golden_threshold.METHODS + ("imagej_default",):
            for volume in (True, False):
                if method == "imagej_default":
                    expect = s.cpu.run("threshold", image, method=method, volume=volume).scalars["threshold"]
                else:
                    expect = [golden_threshold.threshold(part, method) for part in ([image] if volume else image)]
                found = s.run("threshold", image, method=method, volume=volume)
                values = found.scalars["threshold"]
                limit = 1e-6 if method in ("li", "mean") else 0
                same = np.allclose(values, expect, rtol=limit, atol=0, equal_nan=True)
                yield (f"{image.dtype} {method} volume {volume}", sure(same, f"{values} instead of {expect}") or
                       equal(found.outputs[0], golden_threshold.mask(image, values[:, None, None])))
        for volume in (True, False):
            expect = [golden_threshold.threshold(part, "otsu") for part in ([image] if volume else image)]
            found = s.run("otsu", image, volume=volume)
            yield (f"{image.dtype} otsu volume {volume}", equal(found.scalars["threshold"], np.array(expect, float)) or
                   equal(found.outputs[0], golden_threshold.mask(image, np.array(expect)[:, None, None])))


@check("otsu")
def otsu(s):
    images = {"f32": s.blurred(2048), "u16": s.nuclei(2048), "noise": noise((700, 900), 5) >> 18}
    for name, image in images.items():
        expect, found = filters.threshold_otsu(image), s.run("otsu", image)
        value = found.scalars["threshold"][0]
        yield f"nuclei 2048 {name}", (sure(value == expect, f"{value!r} instead of {expect!r}") or
                                      equal(found.outputs[0][0], golden_threshold.mask(image, expect)))


@check("otsu")
def otsu_and_cucim(s):
    from cucim.skimage.filters import threshold_otsu
    image = s.blurred(4096)
    expect, found = float(threshold_otsu(s.up(image))), s.run("otsu", image).scalars["threshold"][0]
    yield "nuclei 4096 f32", sure(abs(found - expect) <= np.ptp(image) / 256, f"{found!r} instead of {expect!r}")
