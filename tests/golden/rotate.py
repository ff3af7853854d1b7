# SPDX-License-Identifier: MIT
"""rotate: scipy.ndimage.rotate(), which turns counter-clockwise, and shift(); the cubic one by its weights as Keys has them, in matrices."""
import numpy as np
from make import Case
from scipy import ndimage

BORDERS = {"nearest": "nearest", "reflect": "reflect", "mirror": "mirror", "wrap": "grid-wrap", "constant": "grid-constant"}


def to_type(values, dtype):
    if np.dtype(dtype).kind == "f":
        return values.astype(dtype)
    ends = np.iinfo(dtype)
    return np.clip(np.rint(values), ends.min, ends.max).astype(dtype)


def keys(distance):
    """Keys' kernel with a = -1/2."""
    x = np.abs(distance)
    return np.where(x <= 1, 1.5 * x**3 - 2.5 * x**2 + 1, np.where(x < 2, -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2, 0))


def cubic_shift(image, y, x, value):
    """Moved by y, x: a matrix along each axis; what lies outside is one value."""
    rows, columns = image.shape
    down = keys(np.arange(rows)[:, None] - y - np.arange(rows))
    across = keys(np.arange(columns)[:, None] - x - np.arange(columns))
    return down @ (image - value) @ across.T + value


def cases():
    rng = np.random.default_rng(21)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 21, 40)) * 250 - (100 if np.dtype(dtype).kind in "if" else 0)).astype(dtype)
        exact, name = image.astype(np.float64), np.dtype(dtype).name
        off = {"tolerance": 1e-6} if np.dtype(dtype).kind == "f" else {}
        for border, mode in BORDERS.items():
            for how, order in (("nearest", 0), ("linear", 1)):
                turned = ndimage.rotate(exact, -31.7, axes=(2, 1), reshape=False, order=order, mode=mode, cval=17)
                yield Case(f"{name}-{how}-{border}", f"rotate angle=31.7 interpolation={how} border={border} value=17",
                           {"image": image}, {"image": to_type(turned, dtype)}, **off)
        larger = ndimage.rotate(exact, 110.3, axes=(2, 1), order=1, mode="grid-constant")
        yield Case(f"{name}-enlarged", "rotate angle=-110.3 enlarge=yes", {"image": image}, {"image": to_type(larger, dtype)}, **off)
        moved = ndimage.shift(exact, (0, -3.7291, 8.2137), order=1, mode="nearest")
        yield Case(f"{name}-moved", "rotate x=8.2137 y=-3.7291 border=nearest", {"image": image}, {"image": to_type(moved, dtype)}, **off)
        cubic = np.stack([cubic_shift(plane, 2.3171, -5.6093, 17) for plane in exact])
        yield Case(f"{name}-cubic", "rotate x=-5.6093 y=2.3171 interpolation=cubic value=17", {"image": image},
                   {"image": to_type(cubic, dtype)}, **off)
        yield Case(f"{name}-right", "rotate angle=90 enlarge=yes interpolation=cubic", {"image": image},
                   {"image": np.rot90(image, -1, (1, 2))})
        yield Case(f"{name}-whole", "rotate angle=180 x=3 y=2 interpolation=nearest", {"image": image},
                   {"image": np.pad(image[:, ::-1, ::-1], ((0, 0), (2, 0), (3, 0)))[:, :21, :40]})
