# SPDX-License-Identifier: MIT
"""percentile: scipy.ndimage.percentile_filter."""
import numpy as np
from make import Case
from median import over
from skimage import morphology


def cases():
    rng = np.random.default_rng(22)
    for dtype, top in ((np.uint8, 256), (np.uint16, 65536), (np.int32, 2**31), (np.float32, 1), (np.float64, 1)):
        image = (rng.random((23, 31)) * top).astype(dtype)
        for percentile in (0, 1, 30, 50, 99.9, 100):
            for radius in (1, 3, 8):
                footprint = morphology.disk(radius)
                for border in ("nearest", "constant") if radius == 3 else ("reflect",):
                    expect = over("percentile", image, footprint, border, 0, percentile)
                    yield Case(f"{image.dtype.name}-{percentile}-{radius}-{border}",
                               f"percentile percentile={percentile} radius={radius} border={border}", {"image": image}, {"image": expect})
