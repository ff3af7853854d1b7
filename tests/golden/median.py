# SPDX-License-Identifier: MIT
"""median, minimum, maximum, percentile: scipy.ndimage, and ImageJ's circle by its definition."""
import erosion
import numpy as np
from make import Case
from scipy import ndimage
from skimage import morphology

BORDERS = ("nearest", "reflect", "mirror", "wrap", "constant")


def circle(radius):
    """Of ImageJ's rank filters: up to the root of radius² + 1."""
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    return x ** 2 + y ** 2 <= radius ** 2 + 1


def of_three_axes(array):
    return array.reshape((1,) * (3 - array.ndim) + array.shape)


def over(operation, image, footprint, border="nearest", value=0, percentile=None):
    """SciPy's filter upon NumPy's border, as SciPy 1.17 reflects small images wrongly; an even footprint lies as in scikit-image."""
    footprint = of_three_axes(morphology.pad_footprint(footprint.astype(np.uint8), pad_end=False)).astype(bool)
    more = {} if percentile is None else {"percentile": percentile}
    mode = {"nearest": "edge", "reflect": "symmetric", "mirror": "reflect"}.get(border, border)
    wide = np.pad(of_three_axes(image), [(n // 2, n // 2) for n in footprint.shape], mode,
                  **({"constant_values": value} if border == "constant" else {}))
    made = getattr(ndimage, f"{operation}_filter")(wide, footprint=footprint, **more)
    inner = tuple(slice(n // 2, size - n // 2) for n, size in zip(footprint.shape, wide.shape))
    return made[inner].reshape(image.shape)


def with_nan(operation, image, footprint):
    """Elsewhere as if there were none; NaN wherever a pixel of NaN lies in the footprint."""
    missing = np.isnan(image)
    made = over(operation, np.where(missing, image.dtype.type(0), image), footprint)
    return np.where(over("maximum", missing.astype(np.uint8), footprint), image.dtype.type(np.nan), made)


def cases_of(operation, footprints=erosion.FLAT | {"imagej": circle}):
    rng = np.random.default_rng(21)
    grey = rng.integers(0, 256, (29, 37)).astype(np.uint8)
    wide = rng.integers(0, 65536, (70, 300)).astype(np.uint16)  # several tiles and blocks
    mask = erosion.blobs(rng, (2, 31, 67), 0.5)
    stack = rng.integers(0, 1000, (5, 9, 13)).astype(np.uint16)

    def case(name, step, image, footprint, border="nearest", value=0, **more):
        return Case(name, f"{operation} {step}", {"image": image}, {"image": over(operation, image, footprint, border, value)}, **more)

    for shape, make in footprints.items():
        for radius in (1, 2, 6):
            yield case(f"{shape}-{radius}", f"footprint={shape} radius={radius}", grey, make(radius))
    for shape, make in erosion.SOLID.items():
        for radius in (1, 3):
            yield case(f"{shape}-{radius}", f"footprint={shape} radius={radius} volume=yes", stack, make(radius))
    for border in BORDERS:
        step = f"border={border} value=100"
        for radius in (2, 7):
            yield case(f"{border}-{radius}", f"{step} radius={radius}", grey, morphology.disk(radius), border, 100)
        for name, text in erosion.MATRICES.items():
            yield case(f"{border}-{name}", f'{step} footprint=matrix matrix="{text}"', stack[0], erosion.parse(text), border, 100)
        yield case(f"{border}-volume", f"{step} footprint=ball radius=3 volume=yes", stack, morphology.ball(3), border, 100)
        yield case(f"{border}-small", f"{step} radius=9", stack[0, :3, :2], morphology.disk(9), border, 100)
    for radius in (1, 4, 12):
        yield case(f"wide-{radius}", f"radius={radius}", wide, morphology.disk(radius))
        yield case(f"wide-square-{radius}", f"footprint=square radius={radius}", wide, erosion.FLAT["square"](radius))
    yield case("radius-100", "radius=100", grey, morphology.disk(100))
    for name, text in erosion.SOLID_MATRICES.items():
        yield case(f"volume-{name}", f'footprint=matrix matrix="{text}" volume=yes', stack, erosion.parse(text))
    for image in erosion.of_all_types(rng, (19, 23)):
        for radius in (0, 1, 3, 8):
            yield case(f"{image.dtype.name}-{radius}", f"radius={radius}", image, morphology.disk(radius))
        yield case(f"{image.dtype.name}-square", "footprint=square radius=1", image, erosion.FLAT["square"](1))
    for shape in ((1, 1), (1, 71), (71, 1), (2, 64)):
        yield case(f"{shape[0]}x{shape[1]}", "radius=2", rng.integers(0, 99, shape).astype(np.uint16), morphology.disk(2))
    yield case("mask", "radius=2", mask, morphology.disk(2), roles={"image": "mask"})
    for dtype in (np.float32, np.float64):
        image = rng.normal(size=(37, 41)).astype(dtype)
        image[3, 4], image[36, 40], image[9, :2], image[20, 20] = np.nan, -np.nan, np.nan, np.inf
        for radius in (1, 6):
            yield Case(f"nan-{np.dtype(dtype).name}-{radius}", f"{operation} radius={radius}", {"image": image},
                       {"image": with_nan(operation, image, morphology.disk(radius))})
        yield Case(f"nan-{np.dtype(dtype).name}-square", f"{operation} footprint=square radius=1", {"image": image},
                   {"image": with_nan(operation, image, erosion.FLAT["square"](1))})


def cases():
    yield from cases_of("median")
    rng = np.random.default_rng(5)
    for shape, radii in {"disk": (3, 4, 5), "square": (2, 3, 4), "imagej": (3, 4, 5)}.items():
        for radius in radii:
            make = {**erosion.FLAT, "imagej": circle}[shape]
            for border, image in zip(BORDERS, (rng.integers(0, most, (45, columns)).astype(dtype)
                                               for most, columns, dtype in ((65536, 270, np.uint16), (9, 131, np.uint16), (256, 64, np.uint8),
                                                                            (3, 200, np.uint8), (4096, 129, np.uint16)))):
                yield Case(f"window-{shape}-{radius}-{border}", f"median footprint={shape} radius={radius} border={border} value=7",
                           {"image": image}, {"image": over("median", image, make(radius), border, 7)})
