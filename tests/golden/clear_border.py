# SPDX-License-Identifier: MIT
"""clear_border, remove_small, remove_large: skimage.segmentation.clear_border, and skimage.morphology.remove_small_objects on what
skimage.measure.label finds; of one value in labels."""
import numpy as np
from erosion import blobs
from label import AXES
from make import Case
from skimage.measure import label
from skimage.segmentation import clear_border


def one(operation, image, axes, size):
    ranks = np.unique(np.nan_to_num(image), return_inverse=True)[1].reshape(image.shape) + 1
    pieces = label(np.where(np.nan_to_num(image) != 0, ranks, 0), connectivity=axes)
    if operation == "clear_border":
        kept = clear_border(pieces) > 0
    else:
        counts = np.bincount(pieces.ravel())[pieces]
        kept = (pieces > 0) & (counts >= size if operation == "remove_small" else counts <= size)
    return np.where(kept, image, 0).astype(image.dtype)


def cases_of(operation, sizes=(None,)):
    rng = np.random.default_rng(13)

    def case(name, image, connectivity="auto", size=None, volume=False, **more):
        axes = AXES.get(connectivity, 3 if volume else 2)
        planes = [image] if volume or image.ndim == 2 else list(image)
        results = [one(operation, plane, axes, size) for plane in planes]
        step = operation + (f" connectivity={connectivity}" if connectivity != "auto" else "")
        step += (f" {'min' if operation == 'remove_small' else 'max'}_size={size}" if size else "")
        step += " volume=yes" if volume else ""
        return Case(name, step, {"image": image}, {"image": results[0] if len(planes) == 1 else np.stack(results)}, **more)

    mask, planes = blobs(rng, (61, 131), 0.4), (rng.random((3, 29, 67)) < 0.4).astype(np.uint8) * 255
    labels = np.kron(rng.integers(0, 5, (9, 11)), np.ones((4, 6))).astype(np.int32) * 1000
    volume = (rng.random((7, 17, 23)) < 0.2).astype(np.uint8) * 255
    for size in sizes:
        end = f"-{size}" if size else ""
        for connectivity in ("auto", "4", "8"):
            yield case(f"mask-{connectivity}{end}", mask, connectivity, size, roles={"image": "mask"})
            yield case(f"labels-{connectivity}{end}", labels, connectivity, size, roles={"image": "labels"})
        yield case(f"planes{end}", planes, "auto", size, roles={"image": "mask"})
        for connectivity in ("6", "18", "26"):
            yield case(f"volume-{connectivity}{end}", volume, connectivity, size, True, roles={"image": "mask"})
        for dtype in (np.uint8, np.uint16, np.float32, np.float64):
            image = rng.integers(0, 3, (23, 41)).astype(dtype)
            if image.dtype.kind == "f":
                image[5:9, 7:20] = np.nan
            yield case(f"{image.dtype.name}{end}", image, "4", size)
        yield case(f"nothing{end}", mask * 0, "auto", size, roles={"image": "mask"})
        yield case(f"everything{end}", mask * 0 + 255, "auto", size, roles={"image": "mask"})
        yield case(f"pixel{end}", np.full((1, 1), 255, np.uint8), "auto", size, roles={"image": "mask"})


def cases():
    yield from cases_of("clear_border")
