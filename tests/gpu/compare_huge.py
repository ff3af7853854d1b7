#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One plane of 2^16 x 2^16 pixels through gaussian, otsu, label and regionprops on a device. The image repeats a small
tile whose edges are empty, so that every result is known from the tile alone, to the last label. Output is TAP.

    tests/gpu/compare_huge.py [--device cuda:0] [--plugin build/plugin/fovea-kernels.so] [--size 65536]
"""
import argparse
import os
import sys

import numpy as np
import scipy.ndimage as ndi
from fv_device import ROOT, Runner
from skimage import filters, measure

import tap
from tap import check, columns, sure

TILE, CELL, GREY = 256, 32, 20
MASK, LABELS = 1, 2  # roles
PROPERTIES = "label,area,bbox,centroid,intensity_mean"


def draw(seed):
    """Rectangles and ellipses, each in a cell of its own, 6 pixels from its edges."""
    rng, tile = np.random.default_rng(seed), np.full((TILE, TILE), GREY, np.uint8)
    y, x = np.mgrid[:CELL, :CELL]
    for at_y in range(0, TILE, CELL):
        for at_x in range(0, TILE, CELL):
            if rng.random() < 0.5:
                (top, left), (height, width) = rng.integers(6, 11, 2), rng.integers(5, 15, 2)
                inside = (y >= top) & (y < top + height) & (x >= left) & (x < left + width)
                if rng.random() < 0.5:
                    inside = (((y - top - height / 2) / height) ** 2 + ((x - left - width / 2) / width) ** 2) < 0.25
                tile[at_y:at_y + CELL, at_x:at_x + CELL][inside] = rng.integers(120, 250)
    return tile


class Pattern:
    """The tile, and its expected result."""

    def __init__(self):
        for seed in range(100):
            self.tile = draw(seed)
            self.blurred = ndi.gaussian_filter(self.tile.astype(np.float64), 1, mode="wrap")
            self.threshold = filters.threshold_otsu(self.blurred.astype(np.float32))
            if np.abs(self.blurred - self.threshold).min() > 0.02:
                break
        self.mask = self.blurred > self.threshold
        self.labels = measure.label(self.mask)
        self.table = measure.regionprops_table(self.labels, self.tile, properties=PROPERTIES.split(","))
        self.count = int(self.labels.max())
        self.first = np.array([np.argwhere(self.labels == k)[0] for k in range(1, self.count + 1)])

    def ranks(self, n):
        """[object, tile] -> index in a row of n tiles, by the first pixel."""
        y, x = (np.repeat(self.first[:, axis, None], n, 1) for axis in (0, 1))
        order = np.lexsort(((x + np.arange(n) * TILE).ravel(), y.ravel()))
        ranks = np.empty(order.size, np.int64)
        ranks[order] = np.arange(order.size)
        return ranks.reshape(self.count, n)


class Subject:
    def __init__(self, runner, size):
        self.runner, self.xp, self.n, self.pattern = runner, runner.xp, size // TILE, Pattern()
        self.image = self.xp.tile(self.xp.asarray(self.pattern.tile), (self.n, self.n))
        self.results = {}

    def run(self, key, *images, **arguments):
        result = self.runner.run(key, *images, **arguments)
        print(f"# {key}: {result.ms:.1f} ms with the memory for it", flush=True)
        return result

    def rows(self, image):
        """Rows of tiles: (row in the tile, tile, column in the tile)."""
        for i in range(self.n):
            yield i, image[i * TILE:(i + 1) * TILE].reshape(TILE, self.n, TILE)

    def of_tile(self, pixels):
        return self.xp.asarray(pixels)[:, None, :]

    def release(self):
        if self.xp is not np:
            self.xp.get_default_memory_pool().free_all_blocks()


@check("gaussian", "threshold")
def gaussian_and_threshold(s):
    blurred = s.run("gaussian", s.image, sigma=1).outputs[0][0]
    expect = s.of_tile(s.pattern.blurred.astype(np.float32))
    worst = max(float(s.xp.abs(row - expect).max()) for _, row in s.rows(blurred))
    yield "blurred", sure(worst < 1e-4 * 255, f"off by {worst}")
    cut = s.run("otsu", blurred)
    value = cut.scalars["threshold"][0]
    yield "threshold", sure(abs(value - s.pattern.threshold) < 1e-3, f"{value!r} instead of {s.pattern.threshold!r}")
    s.mask, expect = cut.outputs[0][0], s.of_tile(s.pattern.mask.astype(np.uint8) * 255)
    wrong = sum(int((row != expect).sum()) for _, row in s.rows(s.mask))
    yield "mask", sure(not wrong, f"{wrong} pixels differ")
    value = s.run("threshold", s.image, method="otsu").scalars["threshold"][0]
    expect = filters.threshold_otsu(s.pattern.tile)
    yield "threshold of integers", sure(value == expect, f"{value!r} instead of {expect!r}")


@check("label")
def label(s):
    s.release()
    if not hasattr(s, "mask"):
        s.mask = s.xp.tile(s.xp.asarray(s.pattern.mask.astype(np.uint8)), (s.n, s.n))
    found = s.run("label", s.mask, roles=[MASK])
    s.labels, n = found.outputs[0][0], s.pattern.count * s.n
    objects = found.scalars["objects"][0]
    yield "objects", sure(objects == n * s.n, f"{objects} instead of {n * s.n}")
    ranks = s.xp.asarray(s.pattern.ranks(s.n).astype(np.int32))
    inside = s.of_tile(s.pattern.mask)
    strip = ranks[s.xp.asarray(np.maximum(s.pattern.labels - 1, 0))].transpose(0, 2, 1) + 1
    wrong = sum(int((row != s.xp.where(inside, strip + i * n, 0)).sum()) for i, row in s.rows(s.labels))
    yield f"{n * s.n} numbers", sure(not wrong, f"{wrong} pixels differ")


@check("label", "regionprops")
def regionprops(s):
    del s.mask
    s.release()
    found = s.run("regionprops", s.labels, s.image, roles=[LABELS], dense=True, properties=PROPERTIES).table
    ranks = s.pattern.ranks(s.n)
    object_of, tile_of = np.divmod(np.argsort(ranks.ravel()), s.n)  # of each column in a row of tiles
    shift = {"bbox-0": 0, "bbox-1": 1, "bbox-2": 0, "bbox-3": 1, "centroid-0": 0, "centroid-1": 1}
    for key, values in s.pattern.table.items():
        if key == "label":
            expect = np.arange(1, ranks.size * s.n + 1)
        else:
            at = (np.arange(s.n)[:, None] * np.ones(ranks.size), np.ones((s.n, 1)) * tile_of)
            expect = (np.ones((s.n, 1)) * values[object_of] + (TILE * at[shift[key]] if key in shift else 0)).ravel()
        yield key, columns(found, {key: expect}, 1e-9)


def main():
    parser = argparse.ArgumentParser(description="Checks the operations on a plane of 4 gigapixels.")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build", "plugin", "fovea-kernels.so"))
    parser.add_argument("--size", type=int, default=1 << 16)
    options = parser.parse_args()
    subject = Subject(Runner(options.plugin, options.device), options.size)
    print(f"# {subject.runner.name}, {subject.n} x {subject.n} tiles of {subject.pattern.count} objects", flush=True)
    sys.exit(bool(tap.run(subject.runner.can, 1e9, subject)))


if __name__ == "__main__":
    main()
