# SPDX-License-Identifier: MIT
"""sigma_clip: a loop in NumPy on float64."""
import numpy as np
from make import Case

KEYS = "mean", "median", "sigma", "minimum", "maximum", "kept", "iterations"


def clip(image, kappa=3, max_iterations=0):
    """Clips at the median +- kappa standard deviations until nothing is clipped."""
    values, iterations = image.astype(np.float64).ravel(), 0
    values = values[np.isfinite(values)]
    while values.size:
        median, deviation = np.median(values), np.std(values)
        kept = values[(values > median - kappa * deviation) & (values < median + kappa * deviation)]
        if len(kept) == len(values) or deviation == 0 or iterations == max_iterations != 0:
            return dict(zip(KEYS, (np.mean(values), median, deviation, values.min(), values.max(), values.size, iterations)))
        values, iterations = kept, iterations + 1
    return dict(zip(KEYS, (np.nan,) * 5 + (0, iterations)))


def sky(dtype, shape, seed, pedestal=100.):
    """Noise, and stars with a power law of brightness."""
    rng = np.random.default_rng(seed)
    image = rng.normal(pedestal, 9, shape)
    star = np.exp(-(np.mgrid[-3:4, -3:4] ** 2).sum(0) / 3.)
    for light in rng.pareto(1.2, image.size // 300) * 20:
        y, x = rng.integers(3, shape[-2] - 3), rng.integers(3, shape[-1] - 3)
        image[..., y - 3:y + 4, x - 3:x + 4] += light * star
    if np.dtype(dtype).kind != "f":
        image = np.rint(np.clip(image, 0, np.iinfo(dtype).max))
    return image.astype(dtype)


def case(name, image, options="", **arguments):
    planes = [clip(plane, **arguments) for plane in image.reshape((-1,) + image.shape[-2:])]
    columns = {key: [plane[key] for plane in planes] for key in KEYS}
    numbered = {"plane": range(1, len(planes) + 1), **columns} if len(planes) > 1 else columns
    return Case(name, f"sigma_clip{options}", {"image": image}, scalars=columns, scalar_tolerance=1e-12, table=numbered,
                table_tolerance=1e-12)


def cases():
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        name = np.dtype(dtype).name
        yield case(name, sky(dtype, (97, 131), 1))
        yield case(f"{name}-even", sky(dtype, (64, 64), 2))
        yield case(f"{name}-kappa", sky(dtype, (97, 131), 1), " kappa=1.5", kappa=1.5)
        yield case(f"{name}-once", sky(dtype, (97, 131), 1), " max_iterations=1", max_iterations=1)
    for dtype in np.float32, np.float64:
        name = np.dtype(dtype).name
        around = sky(dtype, (150, 77), 5, 0.)
        yield case(f"{name}-around-zero", around)
        yield case(f"{name}-far", (sky(dtype, (83, 59), 6) + 1e6).astype(dtype))
        odd = around.copy()
        odd[::7, ::5], odd[3, 3], odd[4, 4] = np.nan, np.inf, -np.inf
        yield case(f"{name}-nan", odd)
        yield case(f"{name}-only-nan", np.full((5, 7), np.nan, dtype))
        yield case(f"{name}-planes", np.stack([sky(dtype, (41, 37), seed, 10. * seed) for seed in (7, 8, 9)]))
        wide = np.random.default_rng(10).normal(0, 1, (61, 67))
        yield case(f"{name}-wide", (np.sign(wide) * 10 ** (6 * np.abs(wide))).astype(dtype))
        yield case(f"{name}-zeros", np.where(around > 9, around, np.copysign(0, around)).astype(dtype))
    yield case("narrow", sky(np.float32, (31, 31), 11), " kappa=0.1", kappa=.1)
    yield case("one-value", np.full((7, 9), 5, np.uint8))
    yield case("one-pixel", np.full((1, 1), -2.5, np.float32))
