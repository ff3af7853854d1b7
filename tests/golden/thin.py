# SPDX-License-Identifier: MIT
"""thin: skimage.morphology.thin."""
import numpy as np
from erosion import blobs
from label import shapes
from make import Case
from skimage.morphology import thin


def case(name, image, iterations=0, **more):
    planes = [image] if image.ndim == 2 else list(image)
    results = [thin(plane != 0, max_num_iter=iterations or None).astype(np.uint8) * 255 for plane in planes]
    step = "thin" + (f" iterations={iterations}" if iterations else "")
    return Case(name, step, {"image": image}, {"image": results[0] if len(planes) == 1 else np.stack(results)}, **more)


def cases():
    rng = np.random.default_rng(31)
    mask, coarse = blobs(rng, (61, 131), 0.6), np.kron(rng.random((9, 15)) < 0.6, np.ones((11, 13))).astype(np.uint8) * 255
    for iterations in (0, 1, 2, 3):
        yield case(f"blobs-{iterations}", mask, iterations, roles={"image": "mask"})
        yield case(f"coarse-{iterations}", coarse, iterations, roles={"image": "mask"})
    yield case("noise", (rng.random((3, 43, 200)) < 0.7).astype(np.uint8))
    for name, drawing in shapes(27).items():
        yield case(name, drawing.astype(np.uint8))
        yield case(f"{name}-thick", np.kron(drawing, np.ones((3, 3))).astype(np.uint8))
    for shape in ((1, 1), (1, 70), (70, 1), (2, 64), (3, 65), (40, 128)):
        yield case(f"{shape[0]}x{shape[1]}", np.ones(shape, np.uint8))
    y, x = np.mgrid[-40:41, -40:41]
    yield case("disk", (x * x + y * y < 1500).astype(np.uint16) * 9)
    wide = np.kron(rng.random((4, 48)) < 0.6, np.ones((31, 43))).astype(np.uint8) * 255
    for iterations in (0, 7):
        yield case(f"wide-{iterations}", wide, iterations, roles={"image": "mask"})
