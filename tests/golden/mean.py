# SPDX-License-Identifier: MIT
"""mean and variance: sums over the footprint by scipy.ndimage.correlate in float64, uniform_filter; generic_filter with numpy.var."""
import erosion
import numpy as np
from make import Case
from median import BORDERS, circle, of_three_axes
from scipy import ndimage
from skimage import morphology


def over(operation, image, footprint, border="nearest", value=0):
    footprint = of_three_axes(morphology.pad_footprint(footprint.astype(np.uint8), pad_end=False)).astype(bool)
    volume = of_three_axes(image).astype(np.float64)
    if operation == "mean":
        made = ndimage.correlate(volume, footprint.astype(np.float64), mode=border, cval=value) / footprint.sum()
    else:
        made = ndimage.generic_filter(volume, np.var, footprint=footprint, mode=border, cval=value)
    return made.reshape(image.shape)


def cases_of(operation):
    rng = np.random.default_rng(23)
    grey = rng.integers(0, 256, (29, 37)).astype(np.uint8)
    wide = rng.integers(0, 65536, (70, 150)).astype(np.uint16)
    stack = rng.integers(0, 1000, (4, 7, 11)).astype(np.uint16)
    limits = {np.float32: 1e-6, np.float64: 1e-12 if operation == "mean" else 1e-10}

    def case(name, step, image, footprint, border="nearest", value=0, like=False, **more):
        made = over(operation, image, footprint, border, value)
        if like:
            made = np.clip(np.rint(made), np.iinfo(image.dtype).min, np.iinfo(image.dtype).max).astype(image.dtype)
            return Case(name, f"{operation} output=same {step}", {"image": image}, {"image": made}, **more)
        dtype = np.float64 if image.dtype == np.float64 else np.float32
        return Case(name, f"{operation} {step}", {"image": image}, {"image": made.astype(dtype)}, tolerance=limits[dtype], **more)

    for shape, make in (erosion.FLAT | {"imagej": circle}).items():
        for radius in (1, 2, 6):
            yield case(f"{shape}-{radius}", f"footprint={shape} radius={radius}", grey, make(radius))
    for shape, make in erosion.SOLID.items():
        yield case(f"{shape}-2", f"footprint={shape} radius=2 volume=yes", stack, make(2))
    for border in BORDERS:
        step = f"border={border} value=100"
        yield case(f"{border}-disk", f"{step} radius=4", grey, morphology.disk(4), border, 100)
        yield case(f"{border}-square", f"{step} footprint=square radius=5", grey, erosion.FLAT["square"](5), border, 100)
        yield case(f"{border}-cube", f"{step} footprint=cube radius=2 volume=yes", stack, erosion.SOLID["cube"](2), border, 100)
        for name, text in erosion.MATRICES.items():
            yield case(f"{border}-{name}", f'{step} footprint=matrix matrix="{text}"', stack[0], erosion.parse(text), border, 100)
    for name, text in erosion.SOLID_MATRICES.items():
        yield case(f"volume-{name}", f'footprint=matrix matrix="{text}" volume=yes', stack, erosion.parse(text))
    yield case("wide", "radius=3", wide, morphology.disk(3))
    yield case("wide-square", "footprint=square radius=4", wide, erosion.FLAT["square"](4))
    yield case("radius-100", "footprint=square radius=100", grey[:9, :9], erosion.FLAT["square"](100))
    for dtype, top in ((np.uint8, 256), (np.uint16, 65536), (np.int32, 2**20), (np.float32, 1), (np.float64, 1)):
        image = (rng.random((19, 23)) * top).astype(dtype)
        yield case(f"{image.dtype.name}", "radius=2", image, morphology.disk(2))
        if np.issubdtype(dtype, np.integer):
            yield case(f"{image.dtype.name}-same", "radius=2", image, morphology.disk(2), like=True)
    image = rng.normal(size=(27, 31))
    image[3, 4], image[26, 30], image[12, 15] = np.nan, np.nan, np.inf
    for name, make in (("disk", morphology.disk), ("square", erosion.FLAT["square"])):
        expect = np.where(np.isfinite(image), image, 0)
        expect = over(operation, expect, make(2))
        reached = over("mean", (image == np.inf).astype(float), make(2)) > 0
        expect = np.where(reached, np.inf if operation == "mean" else np.nan, expect)
        expect = np.where(over("mean", np.isnan(image).astype(float), make(2)) > 0, np.nan, expect)
        yield Case(f"nan-{name}", f"{operation} footprint={name} radius=2", {"image": image}, {"image": expect}, tolerance=1e-10)


def cases():
    for border in BORDERS:
        image = np.random.default_rng(24).random((41, 53))
        yield Case(f"uniform-{border}", f"mean footprint=square radius=4 border={border}", {"image": image},
                   {"image": ndimage.uniform_filter(image, 9, mode=border)}, tolerance=1e-12)
    yield from cases_of("mean")
    rng = np.random.default_rng(25)
    for radius in range(2, 10):
        for border, columns in ((BORDERS[radius % 5], 131), (BORDERS[(radius + 3) % 5], 11)):
            image = rng.normal(size=(45, columns)).astype(np.float32)
            yield Case(f"square-{radius}-{border}", f"mean footprint=square radius={radius} border={border} value=2", {"image": image},
                       {"image": over("mean", image, np.ones((2 * radius + 1,) * 2), border, 2).astype(np.float32)}, absolute=1e-6)
        image = rng.random((2, 23, 130)).astype(np.float32)
        image[0, 9, 9], image[0, 20, 120], image[1, 0, 129] = np.nan, np.inf, np.nan
        square = np.ones((1, 2 * radius + 1, 2 * radius + 1))
        expect = over("mean", np.where(np.isfinite(image), image, 0), square)
        expect = np.where(over("mean", (image == np.inf).astype(float), square) > 0, np.inf, expect)
        expect = np.where(over("mean", np.isnan(image).astype(float), square) > 0, np.nan, expect)
        yield Case(f"square-{radius}-nan", f"mean footprint=square radius={radius}", {"image": image},
                   {"image": expect.astype(np.float32)}, tolerance=1e-6)
