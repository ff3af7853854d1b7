# SPDX-License-Identifier: MIT
"""profile: skimage.measure.profile_line of each part, with mode nearest, and scipy.ndimage.map_coordinates of order 1. Where pixels are not finite both
multiply them by shares of 0, too; there the definition is written out."""
import numpy as np
from make import Case
from scipy import ndimage
from skimage.measure import profile_line


def by_lines(plane, points, width):
    """The end of a part is the beginning of the next."""
    values = []
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        part = profile_line(plane, (y1, x1), (y2, x2), linewidth=width, mode="nearest", reduce_func=np.mean)
        values += list(part[1:] if values else part)
    return np.array(values)


def written_out(plane, x, y):
    """Of the four pixels around a point those that have a share."""
    values = []
    for at_x, at_y in zip(x, y):
        corners = [(row, column, (1 - abs(at_y - row)) * (1 - abs(at_x - column)))
                   for row in range(plane.shape[0]) for column in range(plane.shape[1]) if abs(at_y - row) < 1 and abs(at_x - column) < 1]
        values.append(sum(plane[row, column] * share for row, column, share in corners))
    return np.array(values)


def samples(points, spacing):
    """Of one part after the other: x, y and the distance."""
    x, y = [points[0][0]], [points[0][1]]
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        n = int(np.ceil(np.hypot(x2 - x1, y2 - y1) + 1))
        x += list(np.linspace(x1, x2, n)[1:])
        y += list(np.linspace(y1, y2, n)[1:])
    steps = np.hypot(np.diff(x) * spacing[1], np.diff(y) * spacing[0])
    return x, y, np.concatenate([[0], np.cumsum(steps)])


def case(name, image, points, width=1, spacing=(1, 1), frames=1):
    """image: (t, c, z, y, x)."""
    shape, columns = image.shape, {}
    x, y, distance = samples(points, spacing)
    for position in np.ndindex(shape[:3]):
        at = {key: i + 1 for key, i, n in zip(("frame", "channel", "z"), position, shape[:3]) if n > 1}
        plane = image[position].astype(np.float64)
        values = by_lines(plane, points, width) if np.isfinite(plane).all() else written_out(plane, x, y)
        if width == 1 and np.isfinite(plane).all():
            assert np.allclose(values, ndimage.map_coordinates(plane, [y, x], order=1, mode="nearest"))
        for key, column in ({key: np.full(len(x), i) for key, i in at.items()} | {"distance": distance, "value": values}).items():
            columns.setdefault(key, []).append(column)
    step = "profile points='" + "; ".join(f"{a} {b}" for a, b in points) + "'" + (f" width={width}" if width > 1 else "")
    return Case(name, step, {"image": image if frames > 1 else image[0]}, table={key: np.concatenate(v) for key, v in columns.items()},
                table_tolerance=1e-9, spacing=(1,) + spacing, unit="um" if spacing != (1, 1) else "", frames=frames)


def cases():
    rng = np.random.default_rng(12)
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        image = rng.integers(0, 250, (1, 1, 1, 21, 34)).astype(dtype)
        yield case(np.dtype(dtype).name, image, [(2, 1.5), (30.25, 17)])
    yield case("across", image, [(0, 4), (33, 4)], 3)
    yield case("upright", image, [(7, 20), (7, 0)], 4)
    yield case("outside", image, [(-6, 3), (40, 25), (50, -4)], 2)
    yield case("point", image, [(3, 5.5), (3, 5.5)])
    yield case("corners", image, [(1, 1), (20.5, 3), (24, 18), (5, 12.25), (5, 2)])
    yield case("wide-corners", image, [(1, 1), (20.5, 3), (24, 18), (5, 12.25)], 5)
    yield case("twice-a-point", image, [(1, 1), (1, 1), (20, 3), (20, 3), (20, 3), (4, 9), (4, 9)])
    yield case("short-parts", image, [(1 + 0.3 * i, 10 + 8 * np.sin(i / 9).round(6)) for i in range(100)])
    yield case("spacing", image, [(2, 3), (17, 12), (30, 1)], spacing=(.5, .25))
    yield case("frames", rng.integers(0, 4000, (2, 2, 3, 9, 8)).astype(np.uint16), [(0, 1), (6, 7), (7, 2)], 2, frames=2)
    odd = rng.normal(0, 1, (1, 1, 1, 13, 19)).astype(np.float32)
    odd[..., 4, 5], odd[..., 9, :] = np.nan, np.inf
    yield case("odd", odd, [(1, 4), (9, 4), (9.5, 8.5)])
