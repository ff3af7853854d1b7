# SPDX-License-Identifier: MIT
"""The whole workflow, from pixels to a table, against scikit-image doing the same: gaussian, Otsu, erosion, label,
regionprops. The image is made like data/samples: soft ellipses, uneven light, noise."""
import numpy as np
import scipy.ndimage as ndi
from make import Case
from skimage import filters, measure, morphology

PROPERTIES = ("label", "num_pixels", "intensity_mean", "solidity", "eccentricity", "perimeter", "euler_number")


def nuclei(rows, columns, count, seed):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:rows, :columns]
    image = np.zeros((rows, columns))
    for _ in range(count):
        cy, cx, radius, ratio, turn = *rng.uniform((0, 0), (rows, columns)), *rng.uniform((5, 0.6, 0), (10, 1, np.pi))
        u = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
        v = -(x - cx) * np.sin(turn) + (y - cy) * np.cos(turn)
        image = np.maximum(image, rng.uniform(0.6, 1) / (1 + np.exp((np.hypot(u, v / ratio) - radius) * 1.5)))
    image = image * 3000 * (0.7 + 0.6 * x / columns) + 300
    return np.clip(rng.poisson(image) + rng.normal(0, 20, image.shape), 0, 65535).astype(np.uint16)


def cases():
    for seed, sigma in ((1, 1.5), (2, 3)):
        image = nuclei(150, 170, 30, seed)
        blurred = ndi.gaussian_filter(image.astype(np.float64), sigma, mode="nearest").astype(np.float32)
        mask = morphology.erosion(blurred > filters.threshold_otsu(blurred), morphology.disk(2), mode="ignore")
        labels = measure.label(mask)
        yield Case(f"seed-{seed}",
                   f"gaussian sigma={sigma} | otsu | erosion footprint=disk radius=2 | label as=cells | "
                   f"regionprops intensity=source properties={','.join(PROPERTIES)}",
                   {"image": image}, {"image": labels.astype(np.int32)},
                   table=measure.regionprops_table(labels, image, properties=PROPERTIES))
