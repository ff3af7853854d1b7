# SPDX-License-Identifier: MIT
"""label2rgb: skimage.color.label2rgb and skimage.segmentation.find_boundaries."""
import dataclasses
import warnings

import numpy as np
from make import Case
from skimage import color
from skimage.segmentation import find_boundaries

TYPES = (np.uint8, np.uint16, np.int32, np.float32, np.float64)


def to_u8(rgb):
    return np.floor(np.clip(rgb, 0, 1) * 255 + 0.5).astype(np.uint8)


def underlay(image, contrast="type"):
    """(c, z, y, x) as scikit-image takes it: (z, y, x) or (z, y, x, 3), floats within 0 ... 1, NaN black."""
    kind = image.dtype.kind
    finite = image[np.isfinite(image)] if kind == "f" else image
    if finite.size and finite.min() < finite.max() and (
            contrast == "range" or (kind == "f" and (finite.min() < 0 or finite.max() > 1))):
        low, high = float(finite.min()), float(finite.max())
        image = np.clip((image.astype(np.float64) - low) / (high - low), 0, 1)
    elif kind == "i":
        image = np.maximum(image, 0)
    elif kind == "f":
        image = np.clip(image, 0, 1)
    if image.dtype.kind == "f":
        image = np.where(np.isnan(image), 0, image)
    return image[0] if len(image) == 1 else np.moveaxis(image, 0, -1)


def distinct(labels):
    colours = []
    for label in labels.ravel():
        if label <= 0:
            colours.append((0, 0, 0))
            continue
        hue = ((int(label) * 2654435769) % 2**32 // 65536) * 6
        fraction, v = hue % 65536 // 256, (255, 190, 255)[label % 3]
        low = v * (25, 25, 115)[label % 3] // 255
        up, down = low + (v - low) * fraction // 255, v - (v - low) * fraction // 255
        colours.append([(v, up, low), (down, v, low), (low, v, up), (low, down, v), (up, low, v), (v, low, down)]
                       [hue // 65536])
    return np.array(colours, float).reshape(labels.shape + (3,)) / 255


def label2rgb(labels, image=None, mode="overlay", palette="classic", alpha=0.3, background="black", boundary="thick",
              contrast="type"):
    """labels (z, y, x); image (c, z, y, x); gives (3, z, y, x)."""
    labels = np.maximum(labels.astype(np.int64), 0)
    seen = np.unique(labels)
    if palette == "distinct":
        colours = [tuple(distinct(np.array([v]))[0]) for v in seen if v] or [(0, 0, 0)]
    else:
        colours = None
    if mode == "plain" or (mode == "overlay" and image is None):
        rgb = color.label2rgb(labels, colors=colours, bg_label=0)
    elif mode == "overlay":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rgb = color.label2rgb(labels, image=underlay(image, contrast), colors=colours, alpha=alpha, bg_label=0,
                                  bg_color=(0, 0, 0) if background == "black" else None)
    else:
        plain = color.label2rgb(labels, colors=colours, bg_label=0)
        rgb = np.zeros(labels.shape + (3,))
        if image is not None:
            below = underlay(image, contrast)
            below = below / np.iinfo(below.dtype).max if below.dtype.kind != "f" else below
            rgb[:] = below[..., None] if below.ndim == 3 else below
        for z, plane in enumerate(labels):
            # A boundary in the background has the color of the largest label beside it.
            padded = np.pad(plane, 1, mode="edge")
            beside = np.max([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]], axis=0)
            shown = np.where(plane > 0, plane, beside)
            of = {int(v): plain[np.argwhere(labels == v)[0][0], np.argwhere(labels == v)[0][1],
                                np.argwhere(labels == v)[0][2]] for v in seen}
            edge = find_boundaries(plane.astype(np.int32), mode=boundary)  # i64: its 'outer' overflows
            for y, x in np.argwhere(edge):
                rgb[z, y, x] = of[int(shown[y, x])]
    return np.moveaxis(to_u8(rgb), -1, 0)


def objects(shape, count, seed, dtype=np.int32, gaps=True):
    rng = np.random.default_rng(seed)
    labels = np.zeros(shape, dtype)
    for v in range(1, count + 1):
        z, y, x = (rng.integers(0, n) for n in shape)
        labels[z, y:y + rng.integers(1, 9), x:x + rng.integers(1, 9)] = 3 * v + 1 if gaps else v
    return labels


def cases():
    rng = np.random.default_rng(1)
    labels = objects((2, 21, 27), 30, 2)
    images = {}
    for dtype in TYPES:
        field = rng.random((3, 2, 21, 27))
        scale = 1 if np.dtype(dtype).kind == "f" else np.iinfo(dtype).max
        images[np.dtype(dtype).name] = (field * scale).astype(dtype)
    grey = {name: image[:1] for name, image in images.items()}

    def case(name, step="", image=None, shown=labels, **arguments):
        text = " ".join(f"{k}={v}" for k, v in arguments.items())
        inputs = {"image": shown, **({} if image is None else {"overlay": image})}
        return Case(name, f"label2rgb {text}".strip(), inputs, {"image": label2rgb(shown, image, **arguments)}, absolute=1)

    for palette in ("classic", "distinct"):
        yield case(f"plain-{palette}", mode="plain", palette=palette)
    for name in images:
        yield case(f"overlay-{name}", image=grey[name])
        yield case(f"overlay-rgb-{name}", image=images[name], alpha=0.6)
    yield case("overlay-background", image=grey["uint8"], background="image")
    yield case("overlay-range", image=grey["uint16"] // 9, contrast="range")
    yield case("overlay-floats-outside", image=grey["float32"] * 7 - 2)
    for alpha in (0, 1):
        yield case(f"overlay-alpha-{alpha}", image=grey["uint8"], alpha=alpha)
    for boundary in ("thick", "inner", "outer"):
        yield case(f"outlines-{boundary}", mode="outlines", boundary=boundary)
        yield case(f"outlines-{boundary}-rgb", image=images["uint8"], mode="outlines", boundary=boundary)
    for dtype in (np.uint8, np.uint16, np.float32, np.float64):
        as_integers = case(f"labels-{np.dtype(dtype).name}", shown=labels.astype(np.uint16))
        yield dataclasses.replace(as_integers, inputs={"image": labels.astype(dtype)})
    yield dataclasses.replace(case("negative", shown=labels - np.int32(20)), roles={"image": "labels"})
    yield case("far-apart", shown=np.array([[[0, 7, 1_000_000, 7, 500_000, 0]]], np.int32))
    yield case("empty", shown=np.zeros((1, 3, 5), np.int32))
    for shape in ((1, 1, 1), (1, 1, 13), (1, 11, 1)):
        small = objects(shape, 4, 5)
        for boundary in ("thick", "inner", "outer"):
            yield case(f"{shape[1]}x{shape[2]}-{boundary}", shown=small, mode="outlines", boundary=boundary)
