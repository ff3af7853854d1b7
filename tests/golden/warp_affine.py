# SPDX-License-Identifier: MIT
"""warp_affine: scipy.ndimage.affine_transform() with the inverse of the map, of which the parts are put together as matrices."""
import numpy as np
from make import Case
from rotate import BORDERS, to_type
from scipy.ndimage import affine_transform


def warped(image, forward, size, order, mode, value):
    """forward: 2 x 3 of x and y."""
    matrix, offset = np.asarray(forward)[:, :2], np.asarray(forward)[:, 2]
    back = np.linalg.inv(matrix)
    swapped, shift = back[::-1, ::-1], (-back @ offset)[::-1]
    return np.stack([affine_transform(plane, swapped, shift, size, order=order, mode=mode, cval=value) for plane in image.astype(np.float64)])


def put_together(shape, size, scale=(1, 1), shear=0, angle=0, move=(0, 0)):
    turn, lean = np.deg2rad(angle), np.tan(np.deg2rad(shear))
    linear = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ [[1, lean], [0, 1]] @ np.diag(scale)
    before, after = ((np.array(s)[::-1] - 1) / 2 for s in (shape, size))
    return np.column_stack([linear, after + move - linear @ before])


def case(name, step, image, forward, size=None, order=1, mode="grid-constant", value=0):
    found = warped(image, forward, size or image.shape[1:], order, mode, value)
    options = {"tolerance": 1e-6} if image.dtype.kind == "f" else {}
    return Case(name, step, {"image": image}, {"image": to_type(found, image.dtype)}, **options)


MATRIX = [[0.9137, 0.2719, -2.713], [-0.1931, 1.2357, 1.391]]
TEXT = "; ".join(" ".join(map(str, row)) for row in MATRIX)


def cases():
    rng = np.random.default_rng(37)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image, name = (rng.random((2, 21, 30)) * 250 - (100 if np.dtype(dtype).kind in "if" else 0)).astype(dtype), np.dtype(dtype).name
        shape = image.shape[1:]
        yield case(f"{name}-matrix", f"warp_affine matrix='{TEXT}'", image, MATRIX)
        yield case(f"{name}-nearest", f"warp_affine matrix='{TEXT}' interpolation=nearest", image, MATRIX, order=0)
        yield case(f"{name}-parts", "warp_affine scale_x=1.31 scale_y=0.83 shear=11.3 angle=23.7 x=2.37 y=-1.71", image,
                   put_together(shape, shape, (1.31, 0.83), 11.3, 23.7, (2.37, -1.71)))
    image = rng.random((1, 21, 30)).astype(np.float32)
    for border, mode in BORDERS.items():
        yield case(border, f"warp_affine matrix='{TEXT}' border={border} value=0.3", image, MATRIX, mode=mode, value=0.3)
    yield case("larger", "warp_affine angle=-31.3 width=47 height=39", image, put_together((21, 30), (39, 47), angle=-31.3), (39, 47))
    yield case("as-it-is", "warp_affine", image, np.eye(3)[:2])
