# SPDX-License-Identifier: MIT
"""skeleton: skimage.morphology.skeletonize (method="lee")."""
import numpy as np
from erosion import blobs
from imagej.lines import golden
from label import shapes
from make import Case
from skimage.morphology import skeletonize


def case(name, image, volume=False, **more):
    planes = [image] if volume or image.ndim == 2 else list(image)
    results = [skeletonize(plane != 0, method="lee").astype(bool).astype(np.uint8) * 255 for plane in planes]
    step = "skeleton" + (" volume=yes" if volume else "")
    return Case(name, step, {"image": image}, {"image": results[0] if len(planes) == 1 else np.stack(results)}, **more)


def cases():
    for kind, _, image, made in golden("Skeletonize"):
        yield Case(f"imagej-{kind}", "skeleton method=imagej", {"image": image}, {"image": made}, roles={"image": "mask"})
    rng = np.random.default_rng(37)
    yield case("blobs", blobs(rng, (61, 131), 0.6), roles={"image": "mask"})
    coarse = np.kron(rng.random((9, 15)) < 0.6, np.ones((11, 13))).astype(np.uint8) * 255
    yield case("coarse", coarse, roles={"image": "mask"})
    for share in (0.5, 0.7, 0.9, 0.99):
        yield case(f"noise-{share}", (rng.random((3, 43, 200)) < share).astype(np.uint8))
    for name, drawing in shapes(27).items():
        yield case(name, drawing.astype(np.uint8))
        yield case(f"{name}-thick", np.kron(drawing, np.ones((3, 2))).astype(np.uint8))
    for shape in ((1, 1), (1, 70), (70, 1), (2, 64), (3, 65), (2, 2), (40, 128)):
        yield case(f"{shape[0]}x{shape[1]}", np.ones(shape, np.uint8))
    y, x = np.mgrid[-40:41, -40:41]
    yield case("disk", (x * x + y * y < 1500).astype(np.uint16) * 9)
    yield case("diagonal", (abs(x - y) < 2).astype(np.uint8))
    for share in (0.3, 0.6, 0.9, 0.98):
        yield case(f"volume-{share}", (rng.random((7, 17, 23)) < share).astype(np.uint8), True)
    solid = np.kron(rng.random((4, 4, 5)) < 0.6, np.ones((5, 6, 7))).astype(np.uint8)
    yield case("volume-coarse", solid, True)
    yield case("volume-block", np.ones((9, 12, 31), np.uint8), True)
    z, y, x = np.mgrid[-12:13, -12:13, -12:13]
    shell = x * x + y * y + z * z
    yield case("volume-ball", (shell < 140).astype(np.uint8), True)
    yield case("volume-shell", ((shell < 140) & (shell > 60)).astype(np.uint8), True)
    yield case("volume-torus", ((np.hypot(x, y) - 8) ** 2 + z * z < 12).astype(np.uint8), True)
    yield case("volume-one-slice", blobs(rng, (1, 30, 40), 0.6), True)
    wide = np.kron(rng.random((4, 48)) < 0.6, np.ones((31, 43))).astype(np.uint8) * 255
    yield case("wide", wide, roles={"image": "mask"})
