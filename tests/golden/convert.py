# SPDX-License-Identifier: MIT
"""convert: NumPy, rounded half to even and clipped; ranges as scikit-image's rescale_intensity() has them in floats."""
import numpy as np
from imagej.lines import golden
from make import Case
from skimage.exposure import rescale_intensity

NAMES = {"u8": np.uint8, "u16": np.uint16, "i32": np.int32, "f32": np.float32, "f64": np.float64}


def to_type(values, dtype):
    if np.dtype(dtype).kind == "f":
        with np.errstate(over="ignore"):
            return values.astype(dtype)
    ends = np.iinfo(dtype)
    return np.clip(np.rint(np.where(np.isnan(values), 0, values)), ends.min, ends.max).astype(dtype)


def image_of(dtype, rng):
    image = (rng.random((2, 9, 13)) * 300 - 20)
    if np.dtype(dtype).kind == "f":
        image[0, 0, :10] = 0.5, 1.5, 254.5, 255.5, np.nan, np.inf, -np.inf, -0.5, 1e10, 65535.5
    return to_type(image, dtype)


def imagej_cases():
    for kind, bits in (("16", 8), ("32", 8), ("32", 16)):
        image, made = next((image, made) for its, _, image, made in golden(f"{bits}-bit") if its == kind)
        yield Case(f"imagej-{kind}-{bits}", f"convert type=u{bits} scale=imagej low={float(image.min())!r} high={float(image.max())!r}", {"image": image}, {"image": made})


def cases():
    yield from imagej_cases()
    rng = np.random.default_rng(3)
    for source, dtype in NAMES.items():
        image = image_of(dtype, rng)
        values = image.astype(np.float64)
        for name, wanted in NAMES.items():
            yield Case(f"{source}-{name}", f"convert type={name}", {"image": image}, {"image": to_type(values, wanted)})
            full = np.iinfo(wanted).max if np.dtype(wanted).kind != "f" else 1
            scaled = rescale_intensity(values, in_range=(10.5, 200.0), out_range=(0.0, float(full)))
            yield Case(f"{source}-{name}-range", f"convert type={name} scale=range low=10.5 high=200", {"image": image},
                       {"image": to_type(scaled, wanted)}, tolerance=1e-7 if full == 1 else 0)

    channels = rng.integers(0, 4000, (3, 2, 9, 13)).astype(np.uint16)
    limits = ((100, 3000), (0, 4000), (1500.5, 1600))
    scaled = np.stack([rescale_intensity(c.astype(np.float64), in_range=(low, high), out_range=(0.0, 255.0))
                       for c, (low, high) in zip(channels, limits)])
    rows = ";".join(f"{low} {high}" for low, high in limits)
    yield Case("channels", f"convert type=u8 scale=range limits='{rows}'", {"image": channels}, {"image": to_type(scaled, np.uint8)})
    frames = np.stack([channels, channels[:, ::-1]])
    yield Case("channels-frames", f"convert type=u8 scale=range limits='{rows}'", {"image": frames},
               {"image": to_type(np.stack([scaled, scaled[:, ::-1]]), np.uint8)}, frames=2)
    one = to_type(rescale_intensity(channels.astype(np.float64), in_range=(100.0, 3000.0), out_range=(0.0, 255.0)), np.uint8)
    yield Case("channels-one", "convert type=u8 scale=range limits='100 3000'", {"image": channels}, {"image": one})
