# SPDX-License-Identifier: MIT
"""erosion, dilation, opening, closing: skimage.morphology, where the outside is neutral (mode "ignore")."""
import numpy as np
from make import Case
from skimage import morphology

FLAT = {
    "disk": morphology.disk,
    "square": lambda r: np.ones((2 * r + 1, 2 * r + 1), np.uint8),
    "diamond": morphology.diamond,
    "octagon": lambda r: morphology.octagon(2 * round(r * (2 ** 0.5 - 1)) + 1, r - round(r * (2 ** 0.5 - 1))),
}
SOLID = {
    "ball": morphology.ball,
    "cube": lambda r: np.ones((2 * r + 1,) * 3, np.uint8),
    "octahedron": morphology.octahedron,
}
MATRICES = {
    "even": "1 1",
    "corner": "1 1 0; 1 0 0",
    "holes": "1 0 1 1; 0 0 0 -0.5; 1 1 0 1",
    "beside": "0 0 0 0 1",
    "column": "1; 1; 0; 1",
}
SOLID_MATRICES = {"two": "1 1; 0 1 / 0 0; 1 0", "three": "0 0 1 / 0 1 1 / 1 0 0"}


def parse(text):
    return np.array([[[float(v) != 0 for v in row.split()] for row in plane.split(";")]
                     for plane in text.split("/")]).astype(np.uint8)


def apply(operation, image, footprint, iterations=1):
    """Opening is `iterations` erosions, then as many dilations with the mirrored footprint; closing the reverse."""
    footprint = footprint.reshape((1,) * (3 - footprint.ndim) + footprint.shape)
    footprint = morphology.pad_footprint(footprint, pad_end=False)
    mirrored = morphology.mirror_footprint(footprint)
    erosion, dilation = morphology.erosion, morphology.dilation
    result = image.reshape((1,) * (3 - image.ndim) + image.shape)
    for step, shape in {"erosion": [(erosion, footprint)], "dilation": [(dilation, footprint)],
                        "opening": [(erosion, footprint), (dilation, mirrored)],
                        "closing": [(dilation, footprint), (erosion, mirrored)]}[operation]:
        for _ in range(iterations):
            result = step(result, shape, mode="ignore")
    if iterations == 1:
        direct = getattr(morphology, operation)(image.reshape(result.shape), footprint, mode="ignore")
        assert np.array_equal(direct, result)
    return result.reshape(image.shape)


def blobs(rng, shape, share):
    noise = rng.random(shape)
    for axis in range(noise.ndim):
        noise = noise + np.roll(noise, 1, axis) + np.roll(noise, -1, axis)
    return ((noise > np.quantile(noise, 1 - share)) * 255).astype(np.uint8)


def of_all_types(rng, shape):
    yield rng.integers(0, 256, shape).astype(np.uint8)
    yield rng.integers(0, 65536, shape).astype(np.uint16)
    yield rng.integers(-2 ** 31, 2 ** 31, shape).astype(np.int32)
    for dtype in (np.float32, np.float64):
        image = (rng.normal(size=shape) * 1e3).astype(dtype)
        image.flat[::29], image.flat[::31], image.flat[::37] = np.inf, -np.inf, -0.0
        yield image


def with_nan(operation, image, footprint):
    """Elsewhere as if there were none; NaN wherever a pixel of NaN lies in the footprint."""
    missing = np.isnan(image).astype(np.uint8)
    result = apply(operation, np.where(missing, image.dtype.type(0), image), footprint)
    reached = apply("dilation", missing, footprint)
    return np.where(reached, image.dtype.type(np.nan), result)


def cases_of(operation):
    rng = np.random.default_rng(7)
    mask = blobs(rng, (2, 31, 131), 0.7 if operation in ("erosion", "opening") else 0.3)
    volume = blobs(rng, (5, 13, 67), 0.8 if operation in ("erosion", "opening") else 0.2)
    grey = rng.integers(0, 256, (29, 37)).astype(np.uint8)
    is_mask = {"roles": {"image": "mask"}}

    def case(name, step, image, footprint, iterations=1, **more):
        return Case(name, f"{operation} {step}", {"image": image},
                    {"image": apply(operation, image, footprint, iterations)}, **more)

    for shape, make in FLAT.items():
        for radius in (1, 2, 5):
            step = f"footprint={shape} radius={radius}"
            yield case(f"mask-{shape}-{radius}", step, mask, make(radius), **is_mask)
            yield case(f"grey-{shape}-{radius}", step, grey, make(radius))
        yield case(f"planes-{shape}", f"footprint={shape} radius=2 volume=yes", volume, make(2), **is_mask)
    yield case("radius-0", "radius=0", grey, morphology.disk(0))
    yield case("radius-100", "radius=100", mask, morphology.disk(100), **is_mask)
    yield case("square-100", "footprint=square radius=100", grey, FLAT["square"](100))
    for image in of_all_types(rng, (19, 23)):
        name = image.dtype.name
        yield case(f"{name}-disk", "footprint=disk radius=3", image, morphology.disk(3))
        yield case(f"{name}-holes", f'footprint=matrix matrix="{MATRICES["holes"]}"', image, parse(MATRICES["holes"]))
    for image in of_all_types(rng, (4, 7, 11)):
        yield case(f"{image.dtype.name}-ball", "footprint=ball radius=2 volume=yes", image, morphology.ball(2))
    for shape, make in SOLID.items():
        for radius in (1, 3):
            yield case(f"{shape}-{radius}", f"footprint={shape} radius={radius} volume=yes", volume, make(radius),
                       **is_mask)
    for name, text in MATRICES.items():
        step = f'footprint=matrix matrix="{text}"'
        yield case(f"mask-{name}", step, mask, parse(text), **is_mask)
        yield case(f"grey-{name}", step, grey, parse(text))
    for name, text in SOLID_MATRICES.items():
        yield case(f"volume-{name}", f'footprint=matrix matrix="{text}" volume=yes', volume, parse(text), **is_mask)
    for n in (2, 3, 100):
        yield case(f"mask-disk-{n}-times", f"radius=1 iterations={n}", mask, morphology.disk(1), n, **is_mask)
        yield case(f"grey-disk-{n}-times", f"radius=2 iterations={n}", grey, morphology.disk(2), n)
        yield case(f"grey-square-{n}-times", f"footprint=square iterations={n}", grey, FLAT["square"](1), n)
    yield case("mask-corner-4-times", f'footprint=matrix matrix="{MATRICES["corner"]}" iterations=4', mask,
               parse(MATRICES["corner"]), 4, **is_mask)
    yield case("cube-2-times", "footprint=cube iterations=2 volume=yes", volume, SOLID["cube"](1), 2, **is_mask)
    for shape in ((1, 1), (1, 71), (71, 1), (2, 64), (3, 129)):
        yield case(f"mask-{shape[0]}x{shape[1]}", "radius=2", blobs(rng, shape, 0.6), morphology.disk(2), **is_mask)
        yield case(f"grey-{shape[0]}x{shape[1]}", "radius=2", rng.integers(0, 99, shape).astype(np.uint16),
                   morphology.disk(2))
    odd = (mask > 0).astype(np.uint8) * np.resize(np.array([1, 7, 255], np.uint8), mask.shape)
    yield Case("mask-any-non-zero", f"{operation} radius=1", {"image": odd},
               {"image": apply(operation, mask, morphology.disk(1))}, **is_mask)
    labels = rng.integers(0, 4, (13, 17)).astype(np.int32)
    yield case("labels", "radius=1", labels, morphology.disk(1), roles={"image": "labels"})
    if operation in ("erosion", "dilation"):
        image = rng.normal(size=(17, 21)).astype(np.float32)
        image[3, 4], image[16, 20], image[9, :2] = np.nan, -np.float32(np.nan), np.nan
        yield Case("nan", f"{operation} radius=2", {"image": image},
                   {"image": with_nan(operation, image, morphology.disk(2))})


def cases():
    yield from cases_of("erosion")
