# SPDX-License-Identifier: MIT
"""Fields: an image with the labels of its nuclei, and how an image is scaled for the network."""
import dataclasses

import numpy as np

LOW, HIGH = 0.5, 99.9  # percentiles that become 0 and 1


@dataclasses.dataclass
class Field:
    """One image of nuclei. `image` has the values of the file, `labels` is uint16 with 0 for the background.

    source: what kind of image it is, such as dsb256x256, tissue or mnfinder.
    split: train, validation, test, tissue (17 fields that train, in the shipped model alone),
    tissue_test (10 that never train) or never.
    group: fields of one mosaic or one date have the same.
    """
    name: str
    source: str
    split: str
    group: str
    image: np.ndarray
    labels: np.ndarray

    @property
    def diameter(self):
        """The median diameter in pixels of circles with the areas of the nuclei, or 20 without nuclei."""
        areas = np.bincount(self.labels.ravel())[1:]
        areas = areas[areas > 0]
        return float(np.median(np.sqrt(4 * areas / np.pi))) if len(areas) else 20.0


def normalize(image):
    """float32, percentile 0.5 of the finite pixels is 0 and percentile 99.9 is 1. A constant image is 0 everywhere."""
    image = image.astype(np.float32)
    finite = np.isfinite(image)
    if not finite.any():
        return np.zeros_like(image)
    low, high = np.percentile(image[finite], [LOW, HIGH])
    if high - low < 1e-6:
        return np.zeros_like(image)
    return np.where(finite, (image - low) / (high - low), 0).astype(np.float32)


def save(path, fields):
    """Writes fields into one compressed .npz."""
    arrays = {}
    for number, field in enumerate(fields):
        arrays["image%d" % number] = field.image
        arrays["labels%d" % number] = field.labels
    texts = {key: np.array([getattr(field, key) for field in fields]) for key in ("name", "source", "split", "group")}
    np.savez_compressed(path, **arrays, **texts)


def load(path, splits=None):
    """The fields of a file of save(), of these splits or all."""
    file = np.load(path)
    texts = [file[key].tolist() for key in ("name", "source", "split", "group")]
    return [Field(*text, file["image%d" % number], file["labels%d" % number])
            for number, text in enumerate(zip(*texts)) if splits is None or text[2] in splits]
