# SPDX-License-Identifier: MIT
"""contrast: skimage.exposure.rescale_intensity from the limits of ImageJ's Enhance Contrast, by counting as it does."""
import numpy as np
from make import Case
from skimage.exposure import rescale_intensity


def limits(values, saturated):
    """As ij.plugin.ContrastEnhancer.getMinAndMax() finds them, with a bin for each value."""
    levels, counts = np.unique(values, return_counts=True)
    threshold = int(values.size * saturated / 200)
    low = levels[np.argmax(np.cumsum(counts) > threshold)]
    high = levels[::-1][np.argmax(np.cumsum(counts[::-1]) > threshold)]
    return float(low), float(high)


def case(name, image, saturated=0.35, over="plane", output="same"):
    parts = [image] if over != "plane" or image.ndim == 2 else list(image)
    full = {"uint8": 255, "uint16": 65535, "int32": 2**31 - 1}.get(image.dtype.name, 1)
    found, scalars = [], []
    for part in parts:
        low, high = limits(part[np.isfinite(part)], saturated)
        stretched = rescale_intensity(part.astype(np.float64), (low, high), (0, 1))
        found.append(stretched if output == "float" else stretched * full)
        scalars.append((low, high))
    found = np.stack(found).reshape(image.shape)
    kind = image.dtype if output == "same" else np.float32 if image.dtype in (np.uint8, np.uint16, np.float32) else np.float64
    low, high = zip(*scalars)
    return Case(name, f"contrast saturated={saturated} over={over} output={output}", {"image": image},
                {"image": found.astype(kind)}, scalars={"low": low, "high": high})


def cases():
    rng = np.random.default_rng(3)
    for dtype, top in ((np.uint8, 200), (np.uint16, 9000), (np.int32, 100000), (np.float32, 2), (np.float64, 1e6)):
        image = (rng.gamma(2, 0.1, (2, 17, 23)) * top).astype(dtype)
        name = np.dtype(dtype).name
        yield case(name, image)
        yield case(f"{name}-5", image, saturated=5)
        yield case(f"{name}-0", image, saturated=0, over="stack")
        yield case(f"{name}-float", image, saturated=1.3, output="float", over="series")
    negative = rng.normal(0, 3, (17, 33)).astype(np.float32)
    negative[3, 5:9] = np.nan, np.inf, -np.inf, np.nan
    yield case("negative", negative, saturated=2)
    yield case("int32-negative", (rng.normal(0, 1e6, (17, 33))).astype(np.int32), saturated=2, output="float")
    yield case("ties", np.repeat(np.arange(5, dtype=np.uint16), 20).reshape(10, 10), saturated=40)
