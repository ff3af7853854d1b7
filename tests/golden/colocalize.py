# SPDX-License-Identifier: MIT
"""colocalize: skimage.measure's coefficients, SciPy, and the definitions written out in NumPy."""
import numpy as np
from make import Case
from scipy.stats import linregress
from skimage.measure import manders_coloc_coeff, manders_overlap_coeff, pearson_corr_coeff


def correlation(a, b):
    """NaN where a side has one value only."""
    if a.size < 2 or a.min() == a.max() or b.min() == b.max():
        return np.nan
    return np.corrcoef(a, b)[0, 1]


def line(a, b):
    """Orthogonal regression: along the eigenvector of the covariance with the larger eigenvalue."""
    x, y = np.linalg.eigh(np.cov(a, b))[1][:, 1]
    return y / x, b.mean() - y / x * a.mean()


def costes(a, b, integers):
    if not correlation(a, b) > 1e-9:
        return (np.nan,) * 4
    slope, intercept = line(a, b)
    span = a.max() - a.min()
    lower, upper = 0, int(span) if integers and span < 65536 else 65536
    levels = upper

    def at(level):
        threshold = a.min() + level * (span / levels)
        return threshold, float(np.float32(slope * threshold + intercept))
    while upper - lower > 1:
        middle = (lower + upper) // 2
        first, second = at(middle)
        below = (a <= first) | (b <= second)
        lower, upper = (lower, middle) if correlation(a[below], b[below]) > 1e-9 else (middle, upper)
    return (slope, intercept) + at(lower)


def measure(a, b, mask=None, thresholds=None):
    integers = np.dtype(a.dtype).kind != "f"
    counts = np.isfinite(a) & np.isfinite(b)
    if mask is not None:
        counts &= np.broadcast_to(mask != 0, a.shape)
    a, b = a[counts].astype(np.float64), b[counts].astype(np.float64)
    pearson = linregress(a, b).rvalue if np.isfinite(correlation(a, b)) else np.nan
    slope, intercept, first, second = costes(a, b, integers) if thresholds is None else (np.nan, np.nan) + thresholds
    with np.errstate(invalid="ignore", divide="ignore"):
        row = {"pixels": a.size, "mean_a": a.mean(), "mean_b": b.mean(), "pearson": pearson,
               "overlap": (a @ b) / np.sqrt((a @ a) * (b @ b)), "k1": (a @ b) / (a @ a), "k2": (a @ b) / (b @ b),
               "m1": a[b > 0].sum() / a.sum(), "m2": b[a > 0].sum() / b.sum(),
               "icq": np.mean((a - a.mean()) * (b - b.mean()) > 0) - 0.5, "slope": slope, "intercept": intercept,
               "threshold_a": first, "threshold_b": second}
    none = np.isnan(first)
    row |= {"tm1": np.nan if none else a[b > second].sum() / a.sum(), "tm2": np.nan if none else b[a > first].sum() / b.sum(),
            "above_both": np.nan if none else np.sum((a > first) & (b > second))}
    if mask is None and a.min() >= 0 and a.any() and b.min() >= 0 and b.any() and np.isfinite(pearson):
        skimage = {"pearson": pearson_corr_coeff(a, b)[0], "overlap": manders_overlap_coeff(a, b),
                   "m1": manders_coloc_coeff(a, b > 0), "m2": manders_coloc_coeff(b, a > 0)}
        assert all(np.isclose(row[key], value, rtol=1e-12) for key, value in skimage.items())
    return row


def order(count, turn, seed):
    """Where the blocks come from: four rounds of a Feistel network, gone through until the number is one of a block."""
    bits = next(bits for bits in range(32) if 1 << 2 * bits >= count)
    every, whole = (1 << bits) - 1, 0xFFFFFFFF

    def one(index):
        left, right = index >> bits, index & every
        for step in range(4):
            h = (right * 0x9E3779B1 ^ seed * 0x85EBCA77 ^ (turn * 4 + step) * 0xC2B2AE3D) & whole
            h = (h ^ h >> 15) * 0x2C1B3C6D & whole
            h = (h ^ h >> 12) * 0x297A2D39 & whole
            left, right = right, left ^ ((h ^ h >> 15) & every)
        return left << bits | right
    indices = []
    for index in range(count):
        index = one(index)
        while index >= count:
            index = one(index)
        indices.append(index)
    assert sorted(indices) == list(range(count))
    return indices


def shuffles(a, b, mask, n, side, seed):
    """Columns of a test with n random orders of blocks."""
    a, b = (v.reshape((-1,) + v.shape[-2:]).astype(np.float64) for v in (a, b))
    if mask is not None:
        a, b = (np.where(np.broadcast_to(mask != 0, v.shape), v, np.nan) for v in (a, b))
    depth, down, across = a.shape[0], a.shape[1] // side, a.shape[2] // side

    def blocks(v):
        v = v[:, :down * side, :across * side].reshape(depth, down, side, across, side)
        return v.transpose(0, 1, 3, 2, 4).reshape(-1, side * side)
    a, b = blocks(a), blocks(b)

    def value(indices):
        x, y = a.ravel(), b[indices].ravel()
        counts = np.isfinite(x) & np.isfinite(y)
        return correlation(x[counts], y[counts])
    observed = value(np.arange(len(b)))
    random = np.array([value(order(len(b), turn, seed)) for turn in range(1, n + 1)])
    return {"shuffled_mean": random.mean(), "shuffled_sd": random.std(), "costes_p": np.mean(random < observed)}


def pair(dtype, shape, seed=1, share=.6):
    """Blobs, of which some are in both channels, on a background with noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:shape[-2], :shape[-1]]
    channels = rng.normal(20, 4, (2,) + shape)
    for _ in range(shape[-2] * shape[-1] // 150):
        center, light = rng.uniform(0, shape[-2:]), rng.uniform(40, 170)
        blob = light * np.exp(-((y - center[0]) ** 2 + (x - center[1]) ** 2) / 8)
        there = rng.random() < share
        channels[0] += blob if there or rng.random() < .5 else 0
        channels[1] += blob * .7 if there else 0
    if np.dtype(dtype).kind == "f":
        channels = np.rint(channels * 16) / 16  # packs
    else:
        channels = np.rint(channels * (100 if np.dtype(dtype).itemsize > 1 else 1)).clip(0, min(np.iinfo(dtype).max, 1e9))
    return channels.astype(dtype)[:, None] if len(shape) == 2 else channels.astype(dtype)


def one(row):
    return {key: [value] for key, value in row.items()}


def case(name, channels, options="", mask=None, thresholds=None, test=None):
    """channels: (c, z, y, x), the first two of which are compared."""
    inputs = {"image": channels}
    if mask is not None:
        inputs["mask"] = mask
    row = measure(channels[0], channels[1], mask, thresholds)
    if test:
        row |= shuffles(channels[0], channels[1], mask, *test)
    return Case(name, f"colocalize{options}", inputs, table=one(row), table_tolerance=1e-9)


def cases():
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        yield case(np.dtype(dtype).name, pair(dtype, (29, 37)))
    image = pair(np.uint16, (29, 37), 2)
    yield case("manual", image, " method=manual threshold_a=4000 threshold_b=3500.5", thresholds=(4000., 3500.5))
    mask = (np.hypot(*(np.mgrid[:29, :37] - np.array([14, 17])[:, None, None])) < 12).astype(np.uint8) * 255
    yield case("mask", image, mask=mask)
    yield case("shuffles", image, " shuffles=25", test=(25, 4, 0))
    yield case("shuffles-seed", image, " shuffles=9 block=7 seed=12345", test=(9, 7, 12345))
    yield case("shuffles-mask", image, " shuffles=9 block=3", mask, test=(9, 3, 0))
    volume = pair(np.float32, (3, 17, 23), 3)
    yield case("volume", volume, " shuffles=5", test=(5, 4, 0))
    odd = volume.copy()
    odd[0, :, ::3, ::5], odd[1, 2, 7], odd[1, 0, 3, 3] = np.nan, np.inf, -np.inf
    yield case("odd", odd, " shuffles=5", test=(5, 4, 0))
    yield case("volume-mask", volume, "", (volume[0] > 25).astype(np.uint8))
    yield case("negative", pair(np.float32, (20, 31), 4) - 30)
    yield case("apart", np.stack([image[0], image[0].max() - image[0]]))
    yield case("flat", np.full((2, 1, 7, 9), 5, np.uint8))
    yield case("dark", np.zeros((2, 1, 7, 9), np.uint8))
    yield case("nothing-in-both", np.stack([np.eye(9), np.eye(9)[::-1]]).astype(np.float32)[:, None])
    three = np.concatenate([pair(np.uint8, (19, 31), 5), pair(np.uint8, (19, 31), 6)])[[2, 0, 1]]
    row = measure(three[2], three[0])
    yield Case("channels", "colocalize channel_a=2 channel_b=0", {"image": three}, table=one(row), table_tolerance=1e-9)
    second = pair(np.float32, (19, 31), 5)[1, 0]
    yield Case("second", "colocalize", {"image": three[1, 0], "second": second}, table=one(measure(three[1, 0], second)),
               table_tolerance=1e-9)
    frames = np.stack([pair(np.uint8, (19, 31), seed) for seed in (7, 8, 9)])
    rows = [measure(frame[0], frame[1]) for frame in frames]
    table = {"frame": [1, 2, 3], **{key: [row[key] for row in rows] for key in rows[0]}}
    yield Case("frames", "colocalize", {"image": frames}, table=table, table_tolerance=1e-9, frames=3)
