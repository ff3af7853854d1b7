# SPDX-License-Identifier: MIT
"""outline: a mask without scipy.ndimage.binary_erosion of it; of labels each object by itself, as find_boundaries of the image with a
border of background."""
import numpy as np
from erosion import blobs
from label import AXES, shapes
from make import Case
from scipy import ndimage as ndi
from skimage.segmentation import find_boundaries


def of_mask(image, structure):
    mask = image != 0
    return np.where(mask & ~ndi.binary_erosion(mask, structure), image, 0)


def of_labels(image, axes):
    inner = find_boundaries(np.pad(np.nan_to_num(image), 1), connectivity=axes, mode="inner", background=0)
    inner = inner[(slice(1, -1),) * image.ndim]
    differs = np.isnan(image)  # of a neighbor that is NaN
    near = ndi.binary_dilation(differs, ndi.generate_binary_structure(image.ndim, axes))
    return np.where((inner | near) & ~differs, image, 0).astype(image.dtype)


def case(name, image, role, connectivity="auto", volume=False):
    axes = AXES.get(connectivity, 3 if volume else 2)
    planes = [image] if volume or image.ndim == 2 else list(image)
    structure = ndi.generate_binary_structure(planes[0].ndim, axes)
    results = [of_mask(plane, structure) if role == "mask" else of_labels(plane, axes) for plane in planes]
    step = "outline" + (f" connectivity={connectivity}" if connectivity != "auto" else "") + (" volume=yes" if volume else "")
    return Case(name, step, {"image": image}, {"image": results[0] if len(planes) == 1 else np.stack(results)}, roles={"image": role})


def cases():
    rng = np.random.default_rng(17)
    mask, labels = blobs(rng, (61, 131), 0.6), np.kron(rng.integers(0, 4, (12, 13)), np.ones((5, 7))).astype(np.int32)
    wide = blobs(rng, (5, 3000), 0.8)
    for connectivity in ("auto", "4", "8"):
        yield case(f"mask-{connectivity}", mask, "mask", connectivity)
        yield case(f"wide-{connectivity}", wide, "mask", connectivity)
        yield case(f"labels-{connectivity}", labels, "labels", connectivity)
    yield case("mask-any-non-zero", np.minimum(mask, rng.integers(1, 256, mask.shape)).astype(np.uint8), "mask")
    volume, solid = blobs(rng, (7, 17, 23), 0.8), np.kron(rng.integers(0, 3, (3, 5, 6)), np.ones((3, 4, 5))).astype(np.int32)
    yield case("planes", volume, "mask")
    for connectivity in ("auto", "6", "18", "26"):
        yield case(f"volume-{connectivity}", volume, "mask", connectivity, True)
        yield case(f"volume-labels-{connectivity}", solid, "labels", connectivity, True)
    for dtype in (np.uint8, np.uint16, np.float32, np.float64):
        image = np.kron(rng.integers(0, 4, (6, 7)), np.ones((5, 7))).astype(dtype)
        if image.dtype.kind == "f":
            image[9:12, 9:14] = np.nan
            image[20, 20] = -2.5
        yield case(image.dtype.name, image, "image")
    for name, drawing in shapes(9).items():
        yield case(name, drawing.astype(np.uint8) * 255, "mask")
    for shape in ((1, 1), (1, 70), (70, 1), (2, 2), (1, 1024), (3, 1025)):
        yield case(f"{shape[0]}x{shape[1]}", np.full(shape, 255, np.uint8), "mask")
