# SPDX-License-Identifier: MIT
"""tophat and blackhat: skimage.morphology.white_tophat and black_tophat, where the outside is neutral (mode "ignore")."""
import erosion
import numpy as np
from make import Case
from skimage import morphology


def cases_of(operation):
    rng = np.random.default_rng(31)
    skimage = {"tophat": morphology.white_tophat, "blackhat": morphology.black_tophat}[operation]
    grey, stack = rng.integers(0, 256, (29, 37)).astype(np.uint8), rng.integers(0, 999, (5, 9, 11)).astype(np.uint16)
    mask = erosion.blobs(rng, (31, 67), 0.5)

    def case(name, step, image, footprint, **more):
        footprint = morphology.pad_footprint(footprint, pad_end=False)
        made = skimage(image > 0, footprint, mode="ignore") * np.uint8(255) if more else skimage(image, footprint, mode="ignore")
        return Case(name, f"{operation} {step}", {"image": image}, {"image": made}, **more)

    for shape, make in erosion.FLAT.items():
        for radius in (1, 4):
            yield case(f"{shape}-{radius}", f"footprint={shape} radius={radius}", grey, make(radius))
            yield case(f"mask-{shape}-{radius}", f"footprint={shape} radius={radius}", mask, make(radius), roles={"image": "mask"})
    for shape, make in erosion.SOLID.items():
        yield case(shape, f"footprint={shape} radius=2 volume=yes", stack, make(2))
    for name, text in erosion.MATRICES.items():
        yield case(name, f'footprint=matrix matrix="{text}"', grey, erosion.parse(text)[0])
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((19, 23)) * 250).astype(dtype)
        yield case(image.dtype.name, "radius=3", image, morphology.disk(3))
    for image in erosion.of_all_types(rng, (70, 300)):  # several tiles
        yield case(f"wide-{image.dtype.name}", "radius=5", image, morphology.disk(5)) if image.dtype != np.int32 else \
            case(f"wide-{image.dtype.name}", "footprint=diamond radius=5", image // 4, morphology.diamond(5))
    wide = rng.integers(0, 65536, (70, 300)).astype(np.uint16)
    for shape, radius in (("disk", 15), ("octagon", 6), ("diamond", 20)):
        yield case(f"wide-{shape}-{radius}", f"footprint={shape} radius={radius}", wide, erosion.FLAT[shape](radius))
    far = np.array([[-2**31, -2**31, 2**31 - 1, -2**31, -2**31]], np.int32)  # no difference of the type
    found = {"tophat": [0, 0, 2**31 - 1, 0, 0], "blackhat": [0, 0, 0, 0, 0]}[operation]
    yield Case("far", f"{operation} radius=1", {"image": far}, {"image": np.array([found], np.int32)})


def cases():
    yield from cases_of("tophat")
