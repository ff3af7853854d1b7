# SPDX-License-Identifier: MIT
"""The inputs of the benchmarks, by name: "nuclei-2048-u16" and so on. All are seeded, so a name means the same pixels
in every run with the same NumPy and SciPy. Masks are 0/255. "AxB" and "AxBxC" in a name are the shape, "A" is A x A."""
import collections
import concurrent.futures
import os
import threading

import numpy as np
import scipy.ndimage as ndi

OBJECTS = {640: 120, 2048: 2250, 4096: 9000}
STARS = 2000
TILE = 4096


def disk(radius):
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    return (x * x + y * y <= radius * radius).astype(np.uint8)


def otsu(image, bins=256):
    """Otsu's threshold of a float image: a bin's center."""
    counts, edges = np.histogram(image, bins)
    centres = (edges[1:] + edges[:-1]) / 2
    below, above = np.cumsum(counts), np.cumsum(counts[::-1])[::-1]
    mean_below = np.cumsum(counts * centres) / below
    mean_above = np.cumsum((counts * centres)[::-1])[::-1] / above
    return centres[np.argmax(below[:-1] * above[1:] * (mean_below[:-1] - mean_above[1:]) ** 2)]


def add_nuclei(image, random, n):
    """Soft-edged ellipses with radii of 6 to 14 pixels."""
    rows, columns = image.shape
    ys, xs, radii = random.integers(20, rows - 20, n), random.integers(20, columns - 20, n), random.uniform(6, 14, n)
    v, u = np.mgrid[-20:20, -20:20].astype(np.float32)
    for y, x, radius in zip(ys, xs, radii):
        flat, angle = random.uniform(.6, 1), random.uniform(0, np.pi)
        along, across = u * np.cos(angle) + v * np.sin(angle), v * np.cos(angle) - u * np.sin(angle)
        nucleus = 1 / (1 + np.exp((np.sqrt(along ** 2 + (across / flat) ** 2) - radius) * 1.5))
        part = image[y - 20:y + 20, x - 20:x + 20]
        np.maximum(part, nucleus * random.uniform(.5, 1), out=part)


def nuclei(n):
    """Nuclei as a camera sees them: photon noise, read-out noise, an offset."""
    if n > TILE and n % TILE == 0:
        return np.tile(nuclei(TILE), (n // TILE, n // TILE))
    random = np.random.default_rng(1)
    light = np.zeros((n, n), np.float32)
    add_nuclei(light, random, OBJECTS.get(n, n * n // 1864))
    counts = random.poisson(light * 3000 + 300) + random.normal(0, 20, light.shape)
    return np.clip(counts, 0, 65535).astype(np.uint16)


def dots(n):
    """n * n / 16 rectangles of 1 to 9 pixels that do not touch."""
    height, width = np.random.default_rng(2).integers(1, 4, (2, n // 4, n // 4)).repeat(4, 1).repeat(4, 2)
    y, x = np.mgrid[:n, :n] % 4
    return ((y < height) & (x < width)).astype(np.uint8) * 255


def sky(n):
    """Gaussian noise and stars with a power law of brightness."""
    random = np.random.default_rng(3)
    image = random.normal(0, .0133, (n, n)).astype(np.float32)
    star = np.exp(-(np.mgrid[-8:9, -8:9] ** 2).sum(0) / 8.)
    positions = random.integers(20, n - 20, (STARS, 2))
    for (y, x), light in zip(positions, random.pareto(1.2, STARS) * .05):
        image[y - 8:y + 9, x - 8:x + 9] += (light * star).astype(np.float32)
    return image


def deltas(n):
    image = np.zeros((n, n))
    image[8::16, 8::16] = 1
    return image


def gauss_kernel(n):
    x = np.linspace(-2, 2, n)
    return np.exp(-(x[:, None] ** 2 + x ** 2) / 2)


def random_kernel(n):
    """Of no lower rank, with the sum 1."""
    kernel = np.random.default_rng(9).random((n, n))
    return (kernel / kernel.sum()).astype(np.float32)


def uniform(seed, shape):
    return np.random.default_rng(seed).random(shape, dtype=np.float32)


def rgb(seed, shape):
    """Three planes of random bytes: channel, z, y, x."""
    return np.random.default_rng(seed).integers(0, 256, (3, 1) + shape, dtype=np.uint8)


def turned(image):
    """As a camera sees it that is turned and moved."""
    c, s, middle = np.cos(np.radians(3.2)), np.sin(np.radians(3.2)), (np.array(image.shape) - 1) / 2
    matrix = np.array([[c, s], [-s, c]])
    return ndi.affine_transform(image, matrix, middle + (-7.4, 12.3) - matrix @ middle, order=1)


def eroded(mask):
    return ndi.binary_erosion(mask, disk(2), border_value=1).astype(np.uint8) * 255


def objects(mask):
    return ndi.label(mask, np.ones((3, 3)))[0].astype(np.int32)


def peaks(distances):
    """Labels of the maxima within 5 pixels."""
    smooth = ndi.gaussian_filter(distances, 2)
    return objects((smooth == ndi.maximum_filter(smooth, 11)) & (distances > 0))


class Inputs:
    """Makes inputs when they are asked for and keeps them in a folder as NAME.npy."""

    def __init__(self, folder):
        self.folder = folder
        self.locks = collections.defaultdict(threading.Lock)

    def path(self, name):
        return os.path.join(self.folder, name + ".npy")

    def make(self, name):
        with self.locks[name]:
            if not os.path.exists(self.path(name)):
                np.save(self.path(name), np.ascontiguousarray(self.pixels(name)))

    def make_all(self, names):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(self.make, names))

    def get(self, name):
        self.make(name)
        return np.load(self.path(name))

    def pixels(self, name):
        what, size = name.rsplit("-", 1)
        if what.startswith("nuclei-"):  # nuclei-N-TYPE
            n = what.split("-")[1]
            return nuclei(int(n)) if size == "u16" else self.get(f"nuclei-{n}-u16").astype(np.float32)
        shape = tuple(int(n) for n in size.split("x"))
        shape = shape if len(shape) > 1 else shape * 2
        makers = {
            "blurred": lambda: ndi.gaussian_filter(self.get(f"nuclei-{size}-f32"), 5, mode="nearest"),
            "mask": lambda: (self.get(f"blurred-{size}") > otsu(self.get(f"blurred-{size}"))).astype(np.uint8) * 255,
            "mask-eroded": lambda: eroded(self.get(f"mask-{size}")),
            "mask-noise": lambda: (np.random.default_rng(0).random(shape) < .6).astype(np.uint8) * 255,
            "mask-dots": lambda: dots(shape[0]),
            "mask-volume": lambda: (ndi.gaussian_filter(uniform(0, shape), 4) > .5).astype(np.uint8) * 255,
            "labels": lambda: objects(self.get(f"mask-eroded-{size}")),
            "distances": lambda: ndi.distance_transform_edt(self.get(f"mask-{size}")).astype(np.float32),
            "labels-seeds": lambda: peaks(self.get(f"distances-{size}")),
            "labels-dots": lambda: objects(self.get(f"mask-dots-{size}")),
            "volume": lambda: uniform(0, shape),
            "deltas": lambda: deltas(shape[0]),
            "kernel": lambda: gauss_kernel(shape[0]),
            "kernel-random": lambda: random_kernel(shape[0]),
            "sky": lambda: sky(shape[0]),
            "noise": lambda: np.random.default_rng(4).normal(0, 1, shape).astype(np.float32),
            "rgb-a": lambda: rgb(5, shape),
            "rgb-b": lambda: rgb(6, shape),
            "turned": lambda: turned(self.get(f"nuclei-{size}-u16")),
            "uniform-x": lambda: uniform(7, shape),
            "uniform-y": lambda: uniform(8, shape),
        }
        return makers[what]()
