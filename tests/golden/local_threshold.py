# SPDX-License-Identifier: MIT
"""local_threshold: skimage.filters threshold_local, threshold_niblack and threshold_sauvola; Phansalkar, Bernsen, Contrast and MidGrey by their
definitions."""
import erosion
import numpy as np
from make import Case
from median import over as rank_over
from mean import over
from scipy import ndimage
from skimage import filters, morphology

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)
TOPS = {np.uint8: 255, np.uint16: 65535, np.int32: 2**31 - 1}


def pages(dtype, shape=(47, 61)):
    """Dark and bright on a slope."""
    rng = np.random.default_rng(51)
    y, x = np.mgrid[:shape[0], :shape[1]]
    image = 0.2 + 0.4 * x / shape[1] + 0.2 * (ndimage.gaussian_filter(rng.random(shape), 2) > 0.5) + 0.1 * rng.random(shape)
    return (image * {np.uint8: 250, np.uint16: 60000, np.int32: 99999}.get(dtype, 1)).astype(dtype)


def phansalkar(image, footprint, k, r):
    top = TOPS.get(image.dtype.type, 1)
    mean, sd = over("mean", image, footprint) / top, np.sqrt(over("variance", image, footprint)) / top
    return image > top * mean * (1 + 2 * np.exp(-10 * mean) + k * (sd / r - 1))


def bernsen(image, footprint, contrast):
    low, high = (rank_over(f, image, footprint).astype(np.float64) for f in ("minimum", "maximum"))
    return np.where(high - low < contrast, (low + high) / 2 > TOPS.get(image.dtype.type, 1) / 2, image >= (low + high) / 2)


def ends(image, footprint):
    return [f(image, footprint=footprint, mode="nearest").astype(np.float64) for f in (ndimage.minimum_filter, ndimage.maximum_filter)]


def contrast(image, footprint):
    low, high = ends(image, footprint)
    return (high > low) & (high - image <= image - low)


def midgrey(image, footprint, offset):
    low, high = ends(image, footprint)
    return image > (low + high) / 2 - offset


def cases():
    def case(name, step, image, mask, **more):
        return Case(name, f"local_threshold {step}", {"image": image}, {"mask": mask.astype(np.uint8) * 255}, **more)

    for dtype in TYPES:
        image, name = pages(dtype), np.dtype(dtype).name
        wide, spread = image.astype(np.float64), float(image.max()) / 8
        for method in ("mean", "gaussian", "median"):
            threshold = filters.threshold_local(wide, 11, method, offset=spread / 9, mode="reflect")
            yield case(f"{method}-{name}", f"method={method} radius=5 offset={spread / 9!r} border=reflect", image, image > threshold)
        yield case(f"niblack-{name}", "method=niblack radius=7 k=0.3 border=mirror", image, image > filters.threshold_niblack(wide, 15, k=0.3))
        yield case(f"sauvola-{name}", f"method=sauvola radius=7 r={spread!r} border=mirror", image,
                   image > filters.threshold_sauvola(wide, 15, k=0.2, r=spread))
        disk = morphology.disk(4)
        yield case(f"phansalkar-{name}", "method=phansalkar footprint=disk radius=4 k=0.25", image, phansalkar(image, disk, 0.25, 0.5))
        yield case(f"bernsen-{name}", f"method=bernsen footprint=disk radius=4 contrast={spread!r}", image, bernsen(image, disk, spread))
        yield case(f"contrast-{name}", "method=contrast footprint=disk radius=4", image, contrast(image, disk))
        yield case(f"midgrey-{name}", f"method=midgrey footprint=disk radius=4 offset={spread / 9!r}", image, midgrey(image, disk, spread / 9))
    for dtype in (np.uint8, np.uint16, np.float64):  # the range of the type
        image = pages(dtype)
        yield case(f"range-{np.dtype(dtype).name}", "method=sauvola radius=7 border=mirror", image, image > filters.threshold_sauvola(image, 15))
    for dtype in (np.float32, np.float64):  # even ground: no pixel is over what is around it, however sums are rounded
        image = np.full((23, 31), 0.1, dtype)
        for method in ("mean", "gaussian", "niblack"):
            more = " k=0.3" if method == "niblack" else ""
            yield case(f"even-{method}-{np.dtype(dtype).name}", f"method={method} radius=7{more}", image, np.zeros(image.shape))
    for dtype in TYPES:  # steps with even ground on both sides, and pixels half way between them
        image = np.repeat([[7, 7, 7, 7, 8, 9, 9, 9, 9, 40, 40, 40, 0, 0, 0, 0]], 9, axis=0).astype(dtype)
        yield case(f"steps-contrast-{np.dtype(dtype).name}", "method=contrast radius=1", image, contrast(image, np.ones((3, 3))))
        yield case(f"steps-midgrey-{np.dtype(dtype).name}", "method=midgrey radius=1", image, midgrey(image, np.ones((3, 3)), 0))
    image = pages(np.uint8)
    for border in ("nearest", "wrap", "constant"):
        threshold = filters.threshold_local(image.astype(np.float64), 11, "mean", mode=border, cval=100)
        yield case(border, f"radius=5 border={border} value=100", image, image > threshold)
    stack = np.stack([image[:20, :20], image[20:40, 20:40], image[20:40, :20]])
    mean = over("mean", stack, erosion.SOLID["cube"](2))
    yield case("volume", "footprint=cube radius=2 volume=yes", stack, stack > mean)
    yield case("planes", "radius=2", stack, np.stack([plane > over("mean", plane, np.ones((5, 5))) for plane in stack]))
    mask = erosion.blobs(np.random.default_rng(52), (31, 37), 0.5)
    yield case("mask", "radius=3 method=median", mask, mask > rank_over("median", mask, np.ones((7, 7))), roles={"image": "mask"})
