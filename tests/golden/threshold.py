# SPDX-License-Identifier: MIT
"""threshold: scikit-image's threshold_*; huang and max_entropy as their definitions read; what ImageJ finds."""
import pathlib
import warnings

import numpy as np
from make import Case
from skimage import filters
from skimage.exposure import histogram

METHODS = ("otsu", "li", "yen", "triangle", "isodata", "mean", "minimum", "huang", "max_entropy")
TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)


def first_within(values, best, tolerance):
    """Optima that differ by rounding alone: the first."""
    return int(np.flatnonzero(np.abs(np.asarray(values) - best) <= tolerance)[0])


def huang(counts, centers):
    """Huang and Wang 1995, Shannon's entropy, with class means that are not rounded, as in ImageJ."""
    g, range_ = np.arange(len(counts)), len(counts) - 1
    fuzziness = []
    for t in range(len(counts) - 1):
        total = 0.0
        for c in (slice(0, t + 1), slice(t + 1, None)):
            mean = (g[c] * counts[c]).sum() / counts[c].sum()
            m = 1 / (1 + np.abs(g[c] - mean) / range_)
            with np.errstate(divide="ignore", invalid="ignore"):
                s = np.where(m > 0.999999, 0, -m * np.log(m) - (1 - m) * np.log(1 - m))
            total += (s * counts[c]).sum()
        fuzziness.append(total / counts.sum())
    return centers[first_within(fuzziness, min(fuzziness), 1e-12)]


def max_entropy(counts, centers):
    """Kapur, Sahoo and Wong 1985."""
    entropies = []
    for t in range(len(counts) - 1):
        total = 0.0
        for c in (counts[:t + 1], counts[t + 1:]):
            p = c[c > 0] / c.sum()
            total -= (p * np.log(p)).sum()
        entropies.append(total)
    return centers[first_within(entropies, max(entropies), 1e-12)]


def threshold(image, method, bins=256):
    """As the operation defines it: what is not finite is left out, one value is its own threshold, NaN is none."""
    values = image[np.isfinite(image)]
    if values.size == 0:
        return np.nan
    if values.min() == values.max():
        return values[0]
    if method in ("huang", "max_entropy"):
        return globals()[method](*histogram(values, bins, source_range="image"))
    function = getattr(filters, f"threshold_{method}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(values) if method in ("li", "mean") else function(values, bins)
        except RuntimeError:  # minimum: no two peaks
            return np.nan


def mask(image, t, dark_background=True):
    with np.errstate(invalid="ignore"):
        return np.where(image > t if dark_background else image <= t, np.uint8(255), np.uint8(0))


def two_classes(dtype, shape=(23, 29), seed=2, noise=12):
    """Bright objects on a dark background, with noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:shape[-2], :shape[-1]]
    field = 40 + 90 * (np.sin(x / 3) * np.sin(y / 4) > 0.35) + rng.normal(0, noise, shape)
    if np.dtype(dtype).kind == "f":
        return (field / 200).astype(dtype)
    scale = {1: 1, 2: 4, 4: -3}[np.dtype(dtype).itemsize]
    return np.clip(np.rint(field * scale), np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype)


IMAGEJ = {"Default": "imagej_default", "IJ_IsoData": "imagej_ij_isodata", "IsoData": "imagej_isodata",
          "Li": "imagej_li", "Triangle": "imagej_triangle", "Minimum": "imagej_minimum", "Huang": "imagej_huang", "Otsu": "imagej_otsu",
          "MaxEntropy": "imagej_max_entropy", "Mean": "imagej_mean", "Yen": "imagej_yen"}


def imagej_images():
    """Images of the types that ImageJ has, on which its methods and scikit-image's differ."""
    import tifffile
    rng = np.random.default_rng(17)
    samples = pathlib.Path(__file__).parents[2] / "data" / "samples"
    dark, bright = rng.exponential(22, (31, 37)), 255 - rng.exponential(30, (31, 37))
    peak = np.where(rng.random((31, 37)) < 0.7, 61, rng.normal(120, 40, (31, 37)))
    fields = {"classes": two_classes(np.uint8), "dark": dark, "bright": bright, "peak": peak,
              "ends": rng.choice([0, 3, 90, 200, 255], (31, 37), p=[0.4, 0.1, 0.2, 0.1, 0.2]).astype(float),
              "nuclei": np.moveaxis(tifffile.imread(samples / "nuclei_rgb.tif"), -1, 0)[2][100:164, 200:280],
              "cells": tifffile.imread(samples / "cells_2channel.tif")[1][100:164, 200:280].astype(float) / 64}
    fields["slices"] = np.concatenate([dark, bright, peak])
    images = {}
    for name, field in fields.items():
        field = np.asarray(field, float)
        images[f"{name}-uint8"] = field.clip(0, 255).astype(np.uint8)
        images[f"{name}-uint16"] = (field.clip(0, 255) * 101 + 300).astype(np.uint16)
        images[f"{name}-float32"] = (field / 7 - 3).astype(np.float32)
    return images


def below(lower, dtype):
    """The largest value of the type that is below `lower`."""
    first = np.array(lower).astype(dtype)
    if first.dtype.kind != "f":
        return first - 1.0
    if float(first) < lower:
        first = np.nextafter(first, first.dtype.type(np.inf))
    return np.nextafter(first, first.dtype.type(-np.inf))


def imagej_cases():
    images, found = imagej_images(), {}
    for line in (pathlib.Path(__file__).parent / "imagej" / "thresholds.txt").read_text().splitlines()[1:]:
        name, method, lower = line.split()
        found[name, method] = float(lower)
    for (name, method), lower in found.items():
        for dtype in {"uint8": ["uint8"], "uint16": ["uint16", "int32"],
                      "float32": ["float32", "float64"]}[images[name].dtype.name]:
            shown, t = images[name].astype(dtype), below(lower, dtype)
            step = f"threshold method={IMAGEJ[method]}"
            if name.startswith("slices"):
                shown, step = shown.reshape(3, -1, shown.shape[1]), step + " volume=yes"
            yield Case(f"imagej-{name}-{dtype}-{method}", step, {"image": shown}, {"image": mask(shown, t)},
                       scalars={"threshold": t})
    for method in IMAGEJ:
        names = [f"{name}-uint8" for name in ("dark", "bright", "peak")]
        stack, each = np.stack([images[n] for n in names]), np.array([found[n, method] - 1 for n in names])
        yield Case(f"imagej-planes-{method}", f"threshold method={IMAGEJ[method]}", {"image": stack},
                   {"image": mask(stack, each[:, None, None])}, scalars={"threshold": each})


def cases():
    yield from imagej_cases()
    for dtype in TYPES:
        image, name = two_classes(dtype), np.dtype(dtype).name
        for method in METHODS:
            t = threshold(image, method)
            yield Case(f"{name}-{method}", f"threshold method={method}", {"image": image}, {"image": mask(image, t)},
                       scalars={"threshold": t}, scalar_tolerance=1e-6 if method in ("li", "mean") else 0)
        for method in ("triangle", "isodata"):
            t = threshold(image, method)
            yield Case(f"{name}-{method}-bright", f"threshold method={method} dark_background=no", {"image": image},
                       {"image": mask(image, t, False)}, scalars={"threshold": t})
    for dtype in (np.float32, np.float64):
        image = two_classes(dtype)
        for method in ("otsu", "yen", "triangle", "isodata", "minimum", "huang", "max_entropy"):
            for bins in (2, 64) if method != "minimum" else (64,):
                t = threshold(image, method, bins)
                yield Case(f"{np.dtype(dtype).name}-{method}-{bins}", f"threshold method={method} bins={bins}",
                           {"image": image}, {"image": mask(image, t)}, scalars={"threshold": t})
    stack = np.stack([two_classes(np.uint16, seed=s) // s for s in (3, 4, 5)]).astype(np.uint16)
    for method in METHODS:
        t = threshold(stack, method)
        yield Case(f"stack-{method}", f"threshold method={method} volume=yes", {"image": stack},
                   {"image": mask(stack, t)}, scalars={"threshold": t}, scalar_tolerance=1e-12)
        each = np.array([threshold(plane, method) for plane in stack])
        yield Case(f"planes-{method}", f"threshold method={method}", {"image": stack},
                   {"image": mask(stack, each[:, None, None])}, scalars={"threshold": each}, scalar_tolerance=1e-12)
    image = two_classes(np.float32)
    image[3:6, 4:9], image[10, 11], image[12, 13] = np.nan, np.inf, -np.inf
    for method in METHODS:
        t = threshold(image, method)
        yield Case(f"not-finite-{method}", f"threshold method={method}", {"image": image}, {"image": mask(image, t)},
                   scalars={"threshold": t}, scalar_tolerance=1e-6 if method in ("li", "mean") else 0)
        for name, same in (("constant-u16", np.full((3, 5), 7, np.uint16)), ("constant-f64", np.full((3, 5), 0.1)),
                           ("one-pixel", np.full((1, 1), -3, np.int32))):
            yield Case(f"{name}-{method}", f"threshold method={method}", {"image": same},
                       {"image": np.zeros(same.shape, np.uint8)}, scalars={"threshold": same[0, 0]})
    nothing = np.array([[np.nan, np.inf], [-np.inf, np.nan]])
    yield Case("no-finite-pixel", "threshold method=otsu", {"image": nothing}, {"image": mask(nothing, np.nan)},
               scalars={"threshold": np.nan})
    ramp = np.arange(1, 97, dtype=np.uint8).reshape(1, -1)
    for method in ("minimum", "imagej_minimum"):
        yield Case(f"no-two-peaks-{method}", f"threshold method={method}", {"image": ramp},
                   {"image": np.zeros_like(ramp)}, scalars={"threshold": np.nan})
    wide = np.array([[-2**31, -2**31 + 5, 2**31 - 1, 2**31 - 9, 0, 1]], np.int32)
    for method in ("otsu", "isodata", "triangle"):
        t = threshold(wide.astype(np.float64), method)
        yield Case(f"wide-i32-{method}", f"threshold method={method}", {"image": wide}, {"image": mask(wide, t)},
                   scalars={"threshold": t})
    for dtype in TYPES:
        image, name = two_classes(dtype), np.dtype(dtype).name
        low, high = (float(v) for v in np.percentile(image, (30, 80)))
        manual = {"both": (low, high), "values": (float(image[0, 0]), float(image[0, 0])), "below": (-np.inf, high),
                  "all": (-np.inf, np.inf), "none": (1e9, 1e10)}
        for kind, (lower, upper) in manual.items():
            inside = (image.astype(float) >= lower) & (image.astype(float) <= upper)
            yield Case(f"{name}-manual-{kind}", f"threshold method=manual lower={lower!r} upper={upper!r}",
                       {"image": image}, {"image": np.where(inside, np.uint8(255), np.uint8(0))},
                       scalars={"threshold": lower})
