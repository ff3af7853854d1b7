# SPDX-License-Identifier: MIT
"""convex_hull: skimage.morphology.convex_hull_object and convex_hull_image."""
import numpy as np
from erosion import blobs
from label import AXES, shapes
from make import Case
from skimage.morphology import convex_hull_image, convex_hull_object


def one(mask, method, connectivity):
    if not mask.any():
        return mask
    if method == "all":
        return convex_hull_image(mask)
    return convex_hull_object(mask, connectivity=AXES.get(connectivity, 2))


def case(name, image, method="objects", connectivity="auto", **more):
    planes = [image] if image.ndim == 2 else list(image)
    results = [one(plane != 0, method, connectivity).astype(np.uint8) * 255 for plane in planes]
    step = "convex_hull" + (f" method={method}" if method != "objects" else "")
    step += f" connectivity={connectivity}" if connectivity != "auto" else ""
    return Case(name, step, {"image": image}, {"image": results[0] if len(planes) == 1 else np.stack(results)}, **more)


def cases():
    rng = np.random.default_rng(43)
    mask = blobs(rng, (61, 131), 0.4)
    for connectivity in ("auto", "4", "8"):
        yield case(f"blobs-{connectivity}", mask, "objects", connectivity, roles={"image": "mask"})
    yield case("blobs-all", mask, "all", roles={"image": "mask"})
    few = (rng.random((4, 57, 83)) < 0.002).astype(np.uint8)
    few[2] = 0
    yield case("few-all", few, "all")
    yield case("noise", (rng.random((3, 33, 67)) < 0.3).astype(np.uint8), "objects", "4")
    for name, drawing in shapes(27).items():
        yield case(name, drawing.astype(np.uint8), "objects", "4")
    y, x = np.mgrid[-60:61, -55:70]
    yield case("crescent", ((x * x + y * y < 2500) & ((x - 20) ** 2 + y * y > 1600)).astype(np.uint16) * 9)
    yield case("tall", (np.abs(np.arange(9)[None] - 4 - 4 * np.sin(np.arange(1500) / 90)[:, None]) < 1).astype(np.uint8))
    for shape in ((1, 1), (1, 70), (70, 1), (2, 2)):
        yield case(f"{shape[0]}x{shape[1]}", np.ones(shape, np.uint8))
    yield case("nothing", np.zeros((5, 6), np.uint8), "all")
