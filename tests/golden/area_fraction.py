# SPDX-License-Identifier: MIT
"""area_fraction: NumPy, plane by plane."""
import numpy as np
from make import Case


def measure(mask, inside, pixel):
    taken, counted = int((mask & inside).sum()), int(inside.sum())
    return {"area": taken * pixel, "percent": 100 * taken / counted if counted else np.nan, "taken": taken, "pixels": counted}


def case(name, mask, inside=None, pixel=(1, 1), unit=""):
    """mask: (c, z, y, x). pixel: its height and width."""
    c, z = mask.shape[:2]
    inputs, rows = {"mask": mask}, []
    whole = np.broadcast_to(True if inside is None else inside != 0, mask.shape)
    if inside is not None:
        inputs["inside"] = inside if inside.shape[0] > 1 else inside[0]
    for position in np.ndindex(c, z):
        at = {key: i + 1 for key, i, n in zip(("channel", "z"), position, (c, z)) if n > 1}
        rows.append(at | measure(mask[position] != 0, whole[position], pixel[0] * pixel[1]))
    return Case(name, "area_fraction", inputs, table={key: [row[key] for row in rows] for key in rows[0]}, table_tolerance=1e-12,
                scalars={"percent": measure(mask != 0, whole, 1)["percent"]}, scalar_tolerance=1e-12, spacing=(3, *pixel), unit=unit)


def cases():
    rng = np.random.default_rng(8)

    def some(shape, share):
        return (rng.random(shape) < share).astype(np.uint8) * 255
    yield case("plane", some((1, 1, 13, 17), .3))
    yield case("micrometres", some((1, 2, 13, 17), .3), pixel=(.5, .25), unit="µm")
    yield case("wide", some((1, 1, 3, 1031), .7))
    yield case("stack", some((2, 3, 9, 70), .5))
    yield case("inside", some((2, 3, 9, 11), .5), some((2, 3, 9, 11), .4))
    yield case("inside-slices", some((2, 3, 9, 11), .5), some((1, 3, 9, 11), .4))
    yield case("inside-one", some((2, 3, 9, 11), .5), some((1, 1, 9, 11), .4))
    yield case("nothing-inside", some((1, 1, 9, 11), .5), np.zeros((1, 1, 9, 11), np.uint8))
    yield case("nothing", np.zeros((1, 1, 5, 6), np.uint8))
