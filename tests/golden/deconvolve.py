# SPDX-License-Identifier: MIT
"""deconvolve: skimage.restoration.richardson_lucy, whose border is fill; with others its rounds with scipy.ndimage.convolve. skimage.restoration.wiener,
whose image goes round; with other borders its answer to one pixel and scipy.ndimage.convolve. The microscope's function is by scipy.special.j1."""
import numpy as np
from make import Case
from scipy import ndimage, signal, special
from skimage.restoration import richardson_lucy, wiener

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


def microscope(na, wavelength, pixel):
    """In focus, up to the fourth dark ring; a pixel, of so many nm along y and x, has the mean of 5 x 5 samples."""
    ring, k = special.jn_zeros(1, 4)[-1], 2 * np.pi * na / wavelength
    reach = [int(ring / k / size + 0.5) for size in pixel]
    y, x = ((np.arange(-n, n + 1)[:, None] + np.arange(-2, 3) / 5).ravel() * size for n, size in zip(reach, pixel))
    at = k * np.hypot(y[:, None], x)
    with np.errstate(invalid="ignore"):
        bright = np.where(at > ring, 0, np.where(at == 0, 1, (2 * special.j1(at) / at) ** 2))
    return bright.reshape(2 * reach[0] + 1, 5, 2 * reach[1] + 1, 5).sum((1, 3))


def microscope_cases():
    rng = np.random.default_rng(21)
    image = (ndimage.gaussian_filter(rng.random((2, 45, 39)), (0, 1, 1)) * 200).astype(np.float32)
    for name, na, wavelength, pixel, unit in (("microscope", 1.4, 520, (.065, .065), "um"), ("microscope-air", 0.75, 610, (.2, .1), "um"),
                                              ("microscope-nm", 1.2, 488, (90., 90.), "nm"), ("microscope-coarse", 1.4, 400, (.4, .4), "um"),
                                              ("microscope-point", 1.7, 200, (3., 3.), "um")):
        psf = microscope(na, wavelength, [size * (1000 if unit == "um" else 1) for size in pixel])
        for make, method in ((case, ""), (wiener_case, " method=wiener")):
            one = make(name, image, psf, boundary="symm")
            words = f" na={na} wavelength={wavelength}"
            one.step = f"deconvolve{method} shape=airy{words} boundary=symm" + ("" if method else " iterations=5")
            one.spacing, one.unit = (1, *pixel), unit
            yield one


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


def filtered(image, psf, balance, boundary):
    if boundary == "wrap":
        return wiener(image, psf, balance, clip=False)
    pixel = np.zeros([min(max(4 * m, 64), max(2 * n, m)) for m, n in zip(psf.shape, image.shape)])
    middle = tuple((n - 1) // 2 for n in pixel.shape)
    pixel[middle] = 1
    reach = [(n, n) for n in pixel.shape]
    around = np.pad(image, reach, constant_values=0) if boundary == "fill" else np.pad(image, reach, mode={"symm": "symmetric", "nearest": "edge"}[boundary])
    answer = signal.fftconvolve(around, wiener(pixel, psf, balance, clip=False), mode="full")
    return answer[tuple(slice(n + c, n + c + k) for n, c, k in zip(pixel.shape, middle, image.shape))]


def wiener_case(name, image, psf, sigma=None, as_image=False, balance=0.01, boundary="wrap", volume=False, output="float"):
    psf = gaussian(sigma, 3 if volume else 2) if sigma else psf
    share = psf.astype(np.float64) / psf.sum()
    planes = [image] if volume or image.ndim == 2 else list(image)
    found = np.stack([filtered(p.astype(np.float64), share, balance, boundary) for p in planes]).reshape(image.shape)
    shape = f"shape=gaussian sigma={sigma}" if sigma else "shape=image" if as_image else f"shape=matrix matrix='{typed(psf)}'"
    step = f"deconvolve method=wiener {shape} balance={balance} boundary={boundary} output={output}" + (" volume=yes" if volume else "")
    single = image.dtype in (np.uint8, np.uint16, np.float32)
    if output == "same":
        expect = np.clip(np.rint(found), 0, np.iinfo(image.dtype).max).astype(image.dtype)
    else:
        expect = found.astype(np.float32 if single else np.float64)
    return Case(f"wiener-{name}", step, {"image": image, **({"kernel": psf} if as_image else {})}, {"image": expect},
                absolute=0 if output == "same" else (1e-5 if single else 1e-11) * float(np.abs(found).max()))


def wiener_cases():
    rng = np.random.default_rng(9)
    psf = rng.random((3, 5))
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (ndimage.gaussian_filter(rng.random((2, 15, 19)), (0, 1, 1)) * 200).astype(dtype)
        yield wiener_case(np.dtype(dtype).name, image, psf)
    yield wiener_case("same", (image[0] / image.max() * 150 + 40).astype(np.uint8), psf, balance=3, output="same")
    for boundary in ("nearest", "symm", "fill"):
        yield wiener_case(boundary, image, psf, boundary=boundary)
    for balance in (1e-4, 1, 1e3):
        yield wiener_case(f"balance-{balance:g}", image[0], psf, balance=balance)
    single = rng.random((64, 61)).astype(np.float32)
    yield wiener_case("gaussian", single, None, sigma=1.3)
    yield wiener_case("gaussian-symm", single, None, sigma=1.5, boundary="symm")
    yield wiener_case("gaussian-large", (rng.random((130, 97)) * 9).astype(np.float32), None, sigma=6, balance=0.1)
    yield wiener_case("image", single, rng.random((5, 4)).astype(np.float32), as_image=True)
    yield wiener_case("image-symm", single, rng.random((6, 7)).astype(np.float32), as_image=True, boundary="symm")
    deep = (rng.random((7, 8, 9)) * 1000).astype(np.uint16)
    yield wiener_case("volume", deep, rng.random((3, 2, 3)), volume=True)
    yield wiener_case("volume-symm", deep, rng.random((3, 2, 3)), volume=True, boundary="symm")


def cases():
    yield from wiener_cases()
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
    yield from microscope_cases()
