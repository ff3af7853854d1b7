# SPDX-License-Identifier: MIT
"""smooth_field: Philox4x32-10 as its authors describe it, in Python's whole numbers, and scipy.ndimage.zoom."""
import math

import numpy as np
from make import Case
from scipy.ndimage import zoom

# counter, key and result: the known answers that the authors give with Random123.
KNOWN = (([0, 0, 0, 0], [0, 0], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
         ([0xffffffff] * 4, [0xffffffff] * 2, [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]),
         ([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0],
          [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]))


def philox(counter, key):
    (a, b, c, d), (k, m) = counter, key
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k, q & 0xffffffff, (p >> 32) ^ d ^ m, p & 0xffffffff
        k, m = (k + 0x9E3779B9) & 0xffffffff, (m + 0xBB67AE85) & 0xffffffff
    return [a, b, c, d]


assert all(philox(counter, key) == result for counter, key, result in KNOWN)


def node(i, seed, distribution):
    u, v = ((bits + 0.5) / 2 ** 32 for bits in philox([i & 0xffffffff, i >> 32, 0, 0], [seed, 0])[:2])
    return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v) if distribution == "normal" else 2 * u - 1


def field(shape, distance=64, distribution="normal", mean=0, amplitude=1, seed=1, order=3):
    """A field of that shape, z, y, x."""
    nodes = [math.ceil((n - 1) / distance) + 1 for n in shape]
    values = np.array([node(i, seed, distribution) for i in range(math.prod(nodes))]).reshape(nodes)
    return zoom(mean + amplitude * values, [n / m for n, m in zip(shape, nodes)], order=order, mode="mirror")


def made(name, shape, size=None, channels=1, **given):
    volume = given.pop("volume", False)
    words = [f"{key}={value}" for key, value in given.items()] + ["volume=yes"] * volume
    if size:
        words += [f"{key}={n}" for key, n in zip(("depth", "height", "width"), size) if key != "depth" or volume]
    out = tuple(size or shape)
    one = field(out if volume else (1,) + out[1:], **given)
    expect = np.broadcast_to(one, (channels,) + out).astype(np.float32)
    return Case(name, " ".join(["smooth_field", *words]), {"image": np.zeros((channels,) + tuple(shape), np.uint8)},
                {"image": expect}, tolerance=1e-6)


def cases():
    yield made("default", (1, 150, 200))
    yield made("planes", (3, 33, 47), channels=2, distance=9)
    yield made("volume", (13, 33, 47), distance=9, volume=True, seed=77)
    yield made("volume-channels", (9, 13, 17), channels=2, distance=5, volume=True)
    for order in range(6):
        yield made(f"order-{order}", (1, 40, 61), distance=7.5, order=order)
        yield made(f"order-{order}-volume", (7, 20, 31), distance=6, order=order, volume=True)
    yield made("uniform", (1, 70, 90), distance=8, distribution="uniform", mean=3, amplitude=0.25, seed=5)
    yield made("seed", (1, 70, 90), distance=8, seed=2147483647)
    yield made("every-pixel", (1, 19, 23), distance=1)
    yield made("far", (1, 19, 23), distance=1e9)
    yield made("dot", (1, 1, 1))
    yield made("row", (1, 1, 50), distance=4)
    yield made("column", (1, 50, 1), distance=4)
    yield made("size", (1, 5, 6), (1, 40, 50), distance=7)
    yield made("size-volume", (2, 5, 6), (9, 20, 31), distance=7, volume=True)
