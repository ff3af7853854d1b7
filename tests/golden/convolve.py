# SPDX-License-Identifier: MIT
"""convolve: scipy.signal.convolve2d, and scipy.signal.convolve for volumes, on float64; scipy.ndimage for named kernels."""
import numpy as np
from make import Case
from scipy import ndimage, signal

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)
PADS = {"fill": "constant", "wrap": "wrap", "symm": "symmetric", "nearest": "edge"}


def result_type(dtype):
    return np.float64 if dtype in (np.int32, np.float64) else np.float32


def convolved(image, kernel, mode="same", boundary="nearest", value=0, method="direct"):
    """By the definition, along all axes of the kernel: what lies outside is put there first."""
    image, kernel = np.asarray(image, np.float64), np.asarray(kernel, np.float64)
    around = [(0, 0)] * (image.ndim - kernel.ndim)
    for n in kernel.shape:
        around.append({"full": (n - 1, n - 1), "same": (n // 2, (n - 1) // 2), "valid": (0, 0)}[mode])
    constant = {"constant_values": value} if boundary == "fill" else {}
    padded = np.pad(image, around, PADS[boundary], **constant)
    kernel = kernel.reshape((1,) * (image.ndim - kernel.ndim) + kernel.shape)
    return signal.convolve(padded, kernel, "valid", method)


def text(kernel):
    planes = kernel.reshape((-1,) + kernel.shape[-2:])
    return " / ".join("; ".join(" ".join(repr(float(v)) for v in row) for row in plane) for plane in planes)


def case(name, step, image, exact, kernel=None, size=1.0, dtype=None):
    """size: the largest sum that pixels and kernel could make."""
    image = image.reshape((-1,) + image.shape[-2:])
    dtype = dtype or result_type(image.dtype.type)
    exact = exact.reshape((-1,) + exact.shape[-2:])
    inputs = {"image": image} if kernel is None else {"image": image, "kernel": kernel}
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        return Case(name, step, inputs, {"image": np.clip(np.rint(exact), limits.min, limits.max).astype(dtype)}, absolute=1)
    return Case(name, step, inputs, {"image": exact.astype(dtype)}, 
                absolute=float(size) * (1e-12 if dtype == np.float64 else 1e-6))


def cases():
    rng = np.random.default_rng(12)
    noise, stack = rng.random((23, 31)) * 240, rng.random((7, 13, 17)) * 240
    small, even, deep = rng.normal(size=(3, 5)), rng.normal(size=(4, 2)), rng.normal(size=(2, 3, 4))
    bell = np.outer(signal.windows.gaussian(7, 1.5), signal.windows.gaussian(5, 1))
    for dtype in TYPES:
        name = np.dtype(dtype).name
        scale = 10**6 if dtype == np.int32 else 1
        image, volume = (noise * scale).astype(dtype), (stack * scale).astype(dtype)
        top = 240.0 * scale * np.abs(small).sum()
        yield case(f"{name}-plane", f"convolve matrix='{text(small)}'", image, convolved(image, small), size=top)
        yield case(f"{name}-planes", f"convolve matrix='{text(small)}'", volume, convolved(volume, small[None]), size=top)
        yield case(f"{name}-same", f"convolve matrix='{text(bell)}' normalize=yes output=same", image,
                   convolved(image, bell / bell.sum()), dtype=dtype, size=240.0 * scale)
        yield case(f"{name}-volume", f"convolve matrix='{text(deep)}' volume=yes", volume, convolved(volume, deep),
                   size=240.0 * scale * np.abs(deep).sum())
        yield case(f"{name}-image", "convolve shape=image", volume, convolved(volume, even[None]), even,
                   size=240.0 * scale * np.abs(even).sum())
    image = noise.astype(np.float64)
    for mode in ("same", "full", "valid"):
        for boundary in PADS:
            step = f"convolve mode={mode} boundary={boundary} value=100.5"
            expect = convolved(image, even, mode, boundary, 100.5)
            if boundary != "nearest":
                scipy = signal.convolve2d(image, even, mode, boundary, 100.5)
                assert np.allclose(scipy, expect, 1e-12, 1e-12)
            yield case(f"{mode}-{boundary}", f"{step} matrix='{text(even)}'", image, expect, size=2000)
            yield case(f"{mode}-{boundary}-separable", f"{step} matrix='{text(bell)}'", image,
                       convolved(image, bell, mode, boundary, 100.5), size=2000)
            yield case(f"{mode}-{boundary}-volume", f"{step} matrix='{text(deep)}' volume=yes", stack,
                       convolved(stack, deep, mode, boundary, 100.5), size=2000)
    wide = rng.normal(size=(19, 27))
    for mode in ("same", "full", "valid"):
        yield case(f"wide-{mode}", f"convolve shape=image mode={mode} boundary=fill", image,
                   signal.convolve2d(image, wide, mode), wide, size=10**5)
    large = rng.random((130, 150)) - 0.5
    ramp = np.add.outer(np.arange(60.0), np.arange(70.0) ** 1.5)
    for boundary in PADS:
        yield case(f"large-{boundary}", f"convolve shape=image boundary={boundary}", ramp, convolved(ramp, large, "same", boundary),
                   large, size=10**6)
    other = np.random.default_rng(13)
    for name, size, shape in (("long", (1, 700), (1, 20000)), ("tall", (40, 50), (7001, 3))):  # longer than transforms on a GPU
        line, values = other.random(size), other.random(shape) - 0.5
        yield case(f"{name}-kernel", "convolve shape=image boundary=symm", line, convolved(line, values, "same", "symm", 0, "fft"),
                   values, size=10**4)
    signal_1d, taps = rng.normal(size=(1, 500)), rng.normal(size=(1, 31))
    for mode in ("same", "full", "valid"):
        yield case(f"signal-{mode}", f"convolve matrix='{text(taps)}' mode={mode} boundary=fill", signal_1d,
                   np.convolve(signal_1d[0], taps[0], mode)[None], size=100)
    edge = {"mode": "nearest"}
    yield case("gaussian", "convolve shape=gaussian sigma=1.7", image, ndimage.gaussian_filter(image, 1.7, **edge), size=240)
    yield case("gaussian-0", "convolve shape=gaussian sigma=0", image, image, size=240)
    yield case("gaussian-volume", "convolve shape=gaussian sigma=1.2 volume=yes", stack, ndimage.gaussian_filter(stack, 1.2, **edge),
               size=240)
    yield case("mean", "convolve shape=mean size=5", image, ndimage.uniform_filter(image, 5, **edge), size=240)
    yield case("mean-volume", "convolve shape=mean size=3 volume=yes", stack, ndimage.uniform_filter(stack, 3, **edge), size=240)
    yield case("laplacian", "convolve shape=laplacian", image, ndimage.laplace(image, **edge), size=2000)
    yield case("laplacian-volume", "convolve shape=laplacian volume=yes", stack, ndimage.laplace(stack, **edge), size=2000)
    for axis, name in ((-1, "x"), (-2, "y")):
        yield case(f"sobel-{name}", f"convolve shape=sobel_{name}", image, ndimage.sobel(image, axis, **edge), size=2000)
        yield case(f"sobel-{name}-volume", f"convolve shape=sobel_{name} volume=yes", stack, ndimage.sobel(stack, axis, **edge),
                   size=8000)
    relief = ((-2, -1, 0), (-1, 1, 1), (0, 1, 2))
    yield case("emboss", "convolve shape=emboss", image, ndimage.correlate(image, relief, **edge), size=2000)
    default = np.full((5, 5), -1)
    default[2, 2] = 24
    yield case("default", "convolve", image, convolved(image, default), size=10**4)
    for value in (np.nan, np.inf, -np.inf):
        holes = image.copy()
        holes[9, 11] = value
        for name, kernel in (("small", even), ("zeros", np.eye(5)), ("separable", bell)):
            expect = np.where(signal.convolve2d(np.isnan(holes) | np.isinf(holes), np.ones(kernel.shape), "same") > 0.5,
                              signal.convolve2d(holes, kernel, "same"), convolved(image, kernel, boundary="fill"))
            yield case(f"{value}-{name}", f"convolve matrix='{text(kernel)}' boundary=fill", holes, expect, size=2000)
        expect = signal.convolve2d(holes, wide, "same")
        yield case(f"{value}-wide", "convolve shape=image boundary=fill", holes, expect, wide, size=10**5)
