# SPDX-License-Identifier: MIT
"""Random images with random arguments: a device against Fovea's own CPU version, which the golden cases check."""
import time

import fv
import numpy as np

from tap import check, close, columns, equal, near

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)
SECONDS = 2
WANTS_LABELS, WANTS_TABLE = 1 << 16, 1 << 18  # FV_WANTS_...
# What may be rounded otherwise: the largest difference, and the share of pixels that may differ at all.
ROUNDED = {"display": (255, 1e-3), **dict.fromkeys(
    ("anisotropic", "arithmetic", "bilateral", "bleach", "calculate", "convolve", "dog", "equalize",
     "expression", "gaussian", "hessian", "kymograph", "label2rgb", "log", "mean", "nlmeans", "noise", "normalize", "project", "register",
     "resize", "rgb", "rolling_ball", "rotate", "shading", "smooth_field", "sobel", "unsharp", "variance", "warp_affine", "zoom"), (1, 1e-2)), "deconvolve": (1, 3e-2)}
# Sums of thousands of terms, fits, differences of what is nearly the same, divisions by nearly nothing: relative errors, in float and in double.
LONG_SUMS = {"anisotropic": (1e-5, 1e-12), "bleach": (1e-6, 1e-8), "convolve": (1e-5, 1e-12), "deconvolve": (1e-5, 1e-10),
             "dog": (1e-3, 1e-10), "shading": (1e-3, 1e-10), "variance": (1e-6, 1e-10)}
# What is left of what is 0 by its definition.
NOTHING = tuple(f"{moments}_central-{power}" for moments in ("moments", "moments_weighted") for power in ("0-1", "1-0"))
# Where the work grows with the square of the image.
SQUARE = ("patch_match",)
# Ranges that keep the work small.
NARROWER = {"sigma": (0, 12), "factor": (0.3, 2.5), "width": (0, 400), "height": (0, 400), "depth": (0, 7),
            "iterations": (1, 4), "radius": (0, 12), "spacing": (0.4, 3), "zoom": (0.2, 4), "bins": (2, 400),
            "min_size": (0, 30), "max_size": (0, 200), "x": (-50, 50), "y": (-50, 50), "z": (0, 2), "channel": (0, 2),
            "index": (0, 2), "distance": (1, 200), "lower": (-100, 200), "upper": (0, 300)}


def value_of(op, p, rng):
    """A random value for a parameter, or None for its default."""
    key, choices = p.key.decode(), fv.choices(op, p)
    if p.type == 1:
        return bool(rng.integers(2))
    if p.type == 5:
        return ",".join(rng.choice(choices, rng.integers(1, 6), replace=False))
    if choices:
        return str(rng.choice(choices))
    if p.type == 6 and key == "matrix":
        return rng.integers(0, 2, rng.integers(1, 5, 2))
    if p.type not in (2, 3, 4):
        return None
    low, high = NARROWER.get(key, (p.soft_min, p.soft_max))
    if p.min or p.max:
        low, high = np.clip((low, high), p.min, p.max)
    if p.type == 2:
        return int(rng.integers(int(low), int(high) + 1))
    if p.type == 3:
        return float(rng.uniform(low, high))
    return [float(v) for v in rng.uniform(low, high, rng.integers(1, 4))]


def image_of(dtype, shape, rng, declared):
    kind = rng.integers(4)
    if kind == 0 and declared.types & WANTS_LABELS:
        return rng.integers(0, 1 << rng.integers(1, 8 if dtype == np.uint8 else 15), shape).astype(dtype)
    if kind == 0 and np.dtype(dtype).kind != "f":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    if kind == 1:
        return rng.integers(0, 4, shape).astype(dtype)  # labels, and masks of dense noise
    if kind == 2:
        return ((rng.random(shape) < 0.45) * 255).astype(dtype)
    return (rng.random(shape) * 250).astype(dtype)


def arguments_of(op, rng):
    """`channels` is about images here: test_golden and test_devices compare the parameter of that name."""
    given = {p.key.decode(): value_of(op, p, rng) for p in fv.declared(op, "params") if rng.random() < 0.5 and p.key != b"channels"}
    return {key: value for key, value in given.items() if value is not None}


def shape_of(rng, key):
    planes = int(rng.choice((1, 1, 2, 3, 5)))
    most = (1200, 1500) if planes == 1 and rng.random() < 0.15 and key not in SQUARE else (90, 130)
    return (planes, int(rng.integers(1, most[0])), int(rng.integers(1, most[1])))


def allowed(op, i, dtype):
    types = fv.declared(op, "inputs")[i].types
    return bool(types & fv.CODES[np.dtype(dtype)])


def outcome(run):
    """What a run gives, or its error's code and field."""
    try:
        return run(), None
    except fv.PluginError as error:
        return None, (error.code, error.field)


def difference(key, found, expected):
    for a, b in zip(found.outputs, expected.outputs):
        if key in ROUNDED and b.dtype.kind != "f":
            wrong = near(a, b, *ROUNDED[key])
        elif b.dtype.kind == "f" and key in ROUNDED:
            wrong = equal(a, b) and close(a, b, LONG_SUMS.get(key, (1e-6, 1e-12))[b.dtype == np.float64])
        else:
            wrong = equal(a, b)
        if wrong:
            return wrong
    for name, values in expected.scalars.items():
        if not np.allclose(found.scalars[name], values, rtol=1e-9, atol=0, equal_nan=True):
            return f"{name} {found.scalars[name]} instead of {values}"
    return columns(found.table, {column: values for column, values in expected.table.items() if column not in NOTHING})


def one(subject, key, seed):
    """What is wrong with one random call, or ""."""
    op, rng = subject.runner.ops[key], np.random.default_rng(seed)
    shape, given = shape_of(rng, key), arguments_of(subject.runner.ops[key], rng)
    dtype = rng.choice([t for t in TYPES if allowed(op, 0, t)])
    images = [image_of(dtype, shape, rng, fv.declared(op, "inputs")[0])]
    if key == "deconvolve":  # of light, which is not negative: else it divides by what is left of sums
        images[0] = np.maximum(images[0], 0)
    for i, declared in enumerate(fv.declared(op, "inputs")[1:], 1):
        other = rng.choice([t for t in TYPES if allowed(op, i, t)])
        images.append(None if declared.optional and rng.random() < 0.4 else image_of(other, shape, rng, declared))
    given["pixel_size"] = (2.0, 0.5, 0.5) if rng.random() < 0.3 else (1, 1, 1)
    expected, fault = outcome(lambda: subject.cpu.run(key, *images, **given))
    found, other_fault = outcome(lambda: subject.run(key, *images, pad=int(rng.integers(0, 9)), **given))
    if fault or other_fault:
        return "" if fault == other_fault else f"{other_fault} instead of {fault}"
    return difference(key, found, expected)


def register(subject):
    def fuzz(key):
        def compare(s):
            start, seed, failures = time.monotonic(), 0, []
            while time.monotonic() - start < SECONDS and len(failures) < 3:
                wrong = one(s, key, seed)
                failures += [f"seed {seed}: {wrong}"] if wrong else []
                seed += 1
            yield f"{seed} random calls", "\n".join(failures)
        compare.__name__ = f"fuzz {key}"
        return compare
    # Tables are not made here: what takes one is compared in test_golden and test_devices.
    for key, op in sorted(subject.runner.ops.items()):
        if not any(declared.types & WANTS_TABLE for declared in fv.declared(op, "inputs")):
            check(key)(fuzz(key))
