# SPDX-License-Identifier: MIT
"""zoom: scipy.ndimage.zoom on float64, with the factor new size / old size.

Two corners are left out, where SciPy departs from its documentation. At some sizes rounding puts the last sample outside (it becomes the constant, or
wraps). On short axes with the border reflect the filter starts from a wrong value."""
import numpy as np
from make import Case
from scipy.ndimage import zoom

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)
BORDERS = ("constant", "nearest", "mirror", "reflect", "wrap", "grid-constant", "grid-mirror", "grid-wrap")


def falls_outside(old, new):
    return new > 1 and (new - 1) * ((old - 1) / (new - 1)) > old - 1


def scaled(name, step, image, size, dtype, spacing=(1, 1, 1), role="image", **options):
    """size: of the result, z, y, x."""
    image = image.reshape((-1,) + image.shape[-2:])
    if not options.get("grid_mode") and options.get("mode", "constant") in ("constant", "wrap"):
        assert not any(map(falls_outside, image.shape, size)), name
    exact = zoom(image.astype(np.float64), [new / old for new, old in zip(size, image.shape)], **options)
    assert exact.shape == tuple(size), name
    given = dict(inputs={"image": image}, spacing=spacing, roles={} if role == "image" else {"image": role})
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        expect = np.clip(np.rint(exact), limits.min, limits.max).astype(dtype)
        return Case(name, step, expect={"image": expect}, absolute=1 if options.get("order", 3) else 0, **given)
    tolerance = 1e-10 if dtype == np.float64 else 1e-5
    return Case(name, step, expect={"image": exact.astype(dtype)}, tolerance=tolerance, **given)


def cases():
    rng = np.random.default_rng(3)
    noise = rng.random((19, 23)) * 240
    stack = rng.random((5, 11, 13)) * 240
    for dtype in TYPES:
        name, result = np.dtype(dtype).name, np.float64 if dtype == np.float64 else np.float32
        scale = 1000 if dtype == np.int32 else 1
        image, volume = (noise * scale).astype(dtype), (stack * scale).astype(dtype)
        yield scaled(f"{name}-same", "zoom factor=1.5", image, (1, 28, 34), dtype)
        yield scaled(f"{name}-float", "zoom factor=1.5 output=float", image, (1, 28, 34), result)
        yield scaled(f"{name}-order-0", "zoom factor=1.7,0.6 order=0", image, (1, 32, 14), dtype, order=0)
        yield scaled(f"{name}-volume", "zoom factor=0.8,1.25,1.25 volume=yes", volume, (4, 14, 16), dtype)

    image, volume = noise.astype(np.float32), stack.astype(np.float32)
    for order in range(6):
        yield scaled(f"order-{order}-up", f"zoom factor=1.6 order={order}", image, (1, 30, 37), np.float32, order=order)
        yield scaled(f"order-{order}-down", f"zoom factor=0.5 order={order}", image, (1, 10, 12), np.float32,
                     order=order)
        yield scaled(f"order-{order}-f64", f"zoom factor=1.3,0.7 order={order}", noise, (1, 25, 16), np.float64,
                     order=order)
        yield scaled(f"order-{order}-no-prefilter", f"zoom factor=1.3 order={order} prefilter=no", image, (1, 25, 30),
                     np.float32, order=order, prefilter=False)
    for border in BORDERS:
        for grid in (False, True):
            text = f"border={border} value=70 grid_mode={'yes' if grid else 'no'} output=float"
            options = dict(mode=border, cval=70, grid_mode=grid)
            for order in (0, 1, 3, 4):
                yield scaled(f"{border}-{int(grid)}-{order}", f"zoom factor=1.4,0.7 order={order} {text}", noise,
                             (1, 27, 16), np.float64, order=order, **options)
        if border not in ("reflect", "grid-mirror"):
            yield scaled(f"{border}-volume", f"zoom factor=1.6 volume=yes border={border} value=70 grid_mode=yes",
                         volume, (8, 18, 21), np.float32, mode=border, cval=70, grid_mode=True)
            yield scaled(f"{border}-short", f"zoom factor=3,2.5 border={border} value=70", noise[:2, :4], (1, 6, 10),
                         np.float64, mode=border, cval=70)
    yield scaled("factor-1", "zoom factor=1", image, (1, 19, 23), np.float32)
    yield scaled("factor-1-no-prefilter", "zoom factor=1 prefilter=no", image, (1, 19, 23), np.float32, prefilter=False)
    yield scaled("factor-y", "zoom factor=2,1", image, (1, 38, 23), np.float32)
    yield scaled("factor-x", "zoom factor=1,2", image, (1, 19, 46), np.float32)
    yield scaled("factor-z", "zoom factor=2,1,1 volume=yes", volume, (10, 11, 13), np.float32)
    yield scaled("factor-y-x-of-volume", "zoom factor=1.5,0.5 volume=yes", volume, (5, 16, 6), np.float32)
    yield scaled("factor-small", "zoom factor=0.0001", image, (1, 1, 1), np.float32)
    yield scaled("half-to-even", "zoom factor=0.5", noise[:5, :7], (1, 2, 4), np.float64)
    yield scaled("size", "zoom by=size width=31 height=17", image, (1, 17, 31), np.float32)
    yield scaled("size-and-factor", "zoom by=size width=31 factor=2", image, (1, 38, 31), np.float32)
    yield scaled("size-of-volume", "zoom by=size width=20 height=8 depth=9 volume=yes", volume, (9, 8, 20), np.float32)
    edges = dict(grid_mode=True, mode="nearest")
    yield scaled("spacing", "zoom by=spacing spacing=0.4", image, (1, 24, 29), np.float32, (1, 0.5, 0.5), **edges)
    yield scaled("spacing-down", "zoom by=spacing spacing=1.3", image, (1, 7, 9), np.float32, (1, 0.5, 0.5), **edges)
    yield scaled("spacing-volume", "zoom by=spacing spacing=0.5 volume=yes", volume, (20, 11, 6), np.float32,
                 (2, 0.5, 0.25), **edges)
    yield scaled("spacing-constant", "zoom by=spacing spacing=0.4 border=constant value=7", image, (1, 24, 29),
                 np.float32, (1, 0.5, 0.5), grid_mode=True, mode="constant", cval=7)
    yield scaled("spacing-centres", "zoom by=spacing spacing=0.4 grid_mode=no", image, (1, 24, 29), np.float32,
                 (1, 0.5, 0.5))
    yield scaled("factor-edges", "zoom factor=1.5 grid_mode=yes", image, (1, 28, 34), np.float32, **edges)
    yield scaled("spacing-isotropic", "zoom by=spacing spacing=1 volume=yes grid_mode=yes border=mirror", volume,
                 (10, 6, 6), np.float32, spacing=(2, 0.5, 0.5), grid_mode=True, mode="mirror")
    for rows, columns in ((1, 1), (1, 29), (29, 1), (2, 2), (3, 1)):
        small = noise.reshape(-1)[:rows * columns].reshape(rows, columns)
        for grid in (False, True):
            yield scaled(f"size-{rows}-{columns}-{int(grid)}", "zoom factor=3 border=nearest grid_mode="
                         + ("yes" if grid else "no"), small, (1, 3 * rows, 3 * columns), np.float64, mode="nearest",
                         grid_mode=grid)
    labels = (rng.integers(0, 4, (9, 12)).repeat(2, 0) * 70000001 // 2).astype(np.int32)
    yield scaled("labels", "zoom factor=1.5,2.5 order=0", labels, (1, 27, 30), np.int32, role="labels", order=0)
