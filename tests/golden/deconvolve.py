# SPDX-License-Identifier: MIT
"""deconvolve: skimage.restoration.richardson_lucy, whose border is fill; with others its rounds with scipy.ndimage.convolve."""
import numpy as np
from make import Case
from scipy import ndimage
from skimage.restoration import richardson_lucy

BORDERS = {"nearest": "nearest", "symm": "reflect", "wrap": "wrap"}


def rounds(image, psf, n, boundary):
    if boundary == "fill":
        return richardson_lucy(image, psf, n, clip=False)
    estimate = np.full(image.shape, 0.5)
    for _ in range(n):
        blurred = ndimage.convolve(estimate, psf, mode=BORDERS[boundary]) + 1e-12
        estimate *= ndimage.convolve(image / blurred, np.flip(psf), mode=BORDERS[boundary])
    return estimate


def gaussian(sigma, axes):
    reach = int(4 * sigma + 0.5)
    line = np.exp(-np.arange(-reach, reach + 1.0) ** 2 / (2 * sigma * sigma))
    return np.prod(np.meshgrid(*[line] * axes, indexing="ij"), axis=0)


def typed(psf):
    planes = psf if psf.ndim == 3 else psf[None]
    return "/".join(";".join(" ".join(repr(float(v)) for v in row) for row in plane) for plane in planes)


def case(name, image, psf, sigma=None, as_image=False, n=5, boundary="fill", volume=False, output="float"):
    psf = gaussian(sigma, 3 if volume else 2) if sigma else psf
    share = psf.astype(np.float64) / psf.sum()
    planes = [image] if volume or image.ndim == 2 else list(image)
    found = np.stack([rounds(p.astype(np.float64), share, n, boundary) for p in planes]).reshape(image.shape)
    shape = f"shape=gaussian sigma={sigma}" if sigma else "shape=image" if as_image else f"shape=matrix matrix='{typed(psf)}'"
    step = f"deconvolve {shape} iterations={n} boundary={boundary} output={output}" + (" volume=yes" if volume else "")
    single = image.dtype in (np.uint8, np.uint16, np.float32)
    if output == "same" and image.dtype.kind != "f":
        expect = np.clip(np.rint(found), 0, np.iinfo(image.dtype).max).astype(image.dtype)
    else:
        expect = found.astype(np.float32 if single else np.float64)
    return Case(name, step, {"image": image, **({"kernel": psf} if as_image else {})}, {"image": expect},
                tolerance=0 if expect.dtype.kind != "f" else 1e-5 if single else 1e-10)


def cases():
    rng = np.random.default_rng(2)
    psf = rng.random((3, 5))
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (ndimage.gaussian_filter(rng.random((2, 15, 19)), (0, 1, 1)) * 200).astype(dtype)
        yield case(np.dtype(dtype).name, image, psf)
        yield case(f"{np.dtype(dtype).name}-same", image, psf, n=2, boundary="symm", output="same")
    for boundary in ("nearest", "wrap", "symm"):
        yield case(boundary, image, psf, boundary=boundary)
    single = image[0].astype(np.float32)
    yield case("gaussian", single, None, sigma=1.3, n=20)
    yield case("gaussian-symm", single, None, sigma=2, boundary="symm")
    yield case("image", single, rng.random((5, 4)).astype(np.float32), as_image=True)
    yield case("image-large", (rng.random((40, 41)) * 9).astype(np.float32), rng.random((31, 33)).astype(np.float32), as_image=True, n=3)
    yield case("even", image[0], rng.random((2, 4)))
    deep = (rng.random((5, 8, 9)) * 1000).astype(np.uint16)
    yield case("volume", deep, rng.random((3, 2, 3)), volume=True)
    yield case("volume-gaussian", deep, None, sigma=0.7, volume=True)
    yield case("one-round", image[0], psf, n=1)
