# SPDX-License-Identifier: MIT
"""normalize: NumPy's definitions, on 64-bit floats."""
import numpy as np
from make import Case


def limits(part, method, low, high):
    v = part[np.isfinite(part)].astype(np.float64)
    if method == "range":
        return v.min(), v.max()
    return (v.mean(), v.mean() + v.std()) if method == "zscore" else tuple(np.percentile(v, (low, high)))


def case(name, image, method, over="plane", low=1, high=99.8, clip=False):
    parts = [image] if over != "plane" or image.ndim == 2 else list(image)
    found, scalars = [], []
    for part in parts:
        a, b = limits(part, method, low, high)
        v = (part.astype(np.float64) - a) / (b - a)
        found.append(np.clip(v, 0, 1) if clip else v)
        scalars.append((a, b))
    single = image.dtype in (np.uint8, np.uint16, np.float32)
    step = f"normalize method={method} over={over}"
    step += f" low={low} high={high} clip={'yes' if clip else 'no'}" if method == "percentile" else ""
    a, b = zip(*scalars)
    return Case(name, step, {"image": image},
                {"image": np.stack(found).reshape(image.shape).astype(np.float32 if single else np.float64)},
                tolerance=1e-7 if single else 1e-12, scalars={"low": a, "high": b}, scalar_tolerance=1e-12)


def cases():
    rng = np.random.default_rng(6)
    for dtype, top in ((np.uint8, 200), (np.uint16, 9000), (np.int32, 100000), (np.float32, 2), (np.float64, 1e6)):
        image = (rng.gamma(2, 0.1, (2, 17, 23)) * top).astype(dtype)
        for method in ("range", "percentile", "zscore"):
            yield case(f"{np.dtype(dtype).name}-{method}", image, method)
        yield case(f"{np.dtype(dtype).name}-stack", image, "zscore", over="stack")
        yield case(f"{np.dtype(dtype).name}-clip", image, "percentile", over="series", low=5, high=90, clip=True)
    odd = rng.normal(5, 1e-3, (23, 17))
    odd[3, 5:8] = np.nan
    yield case("odd-range", odd, "range")
    yield case("odd-zscore", odd, "zscore")
    yield case("odd-percentile", odd, "percentile", low=0, high=100)
