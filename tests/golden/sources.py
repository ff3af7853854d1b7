# SPDX-License-Identifier: MIT
"""sources: sep.extract without deblending and cleaning, sep.kron_radius, sep.sum_ellipse and sep.sum_circle."""
import importlib.metadata

import numpy as np
import sep
from make import Case
from sigma_clip import clip, sky

VERSION = importlib.metadata.version("sep")  # 1.4.1 made what is stored
PYRAMID = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]], float)


def first_pixels(labels, n):
    """Where each object's first pixel is: sources are numbered by it."""
    places = np.full(n + 1, labels.size)
    np.minimum.at(places, labels.ravel(), np.arange(labels.size))
    return places[1:]


def cut(image, x, y, dx, dy):
    """The flag of what reaches so far from x, y and over the border. SEP lets a pixel pass at the first row and column."""
    rows, columns = image.shape
    return np.where((x - dx < -.5) | (y - dy < -.5) | (x + dx > columns - .5) | (y + dy > rows - .5), sep.APER_TRUNC, 0)


def reach(a, b, theta):
    return np.hypot(a * np.cos(theta), b * np.sin(theta)), np.hypot(a * np.sin(theta), b * np.cos(theta))


def measure(image, sigma, threshold=1.5, min_area=5, kernel=PYRAMID, radii=(3,), mask=None, kron=(2.5, 1.75)):
    """Labels and columns of one plane."""
    image = image.astype(np.float64)
    found, labels = sep.extract(image, threshold, err=sigma, mask=mask, minarea=min_area, filter_kernel=kernel,
                                filter_type="conv", deblend_cont=1.0, clean=False, segmentation_map=True)
    order = np.argsort(first_pixels(labels, len(found)))
    found = found[order]
    labels = np.concatenate([[0], np.argsort(order) + 1])[labels].astype(np.int32)
    noise = np.broadcast_to(sigma, image.shape).astype(np.float64)
    error = np.sqrt(np.bincount(labels.ravel(), (noise ** 2).ravel(), len(found) + 1)[1:])
    shape = [found[key] for key in ("x", "y", "a", "b")] + [found["theta"].clip(-np.pi / 2, np.pi / 2)]
    radius, kron_flags = sep.kron_radius(image, *shape, 6.0, mask=mask)
    flux, flux_error, flags = sep.sum_ellipse(image, *shape, kron[0] * radius, err=noise, mask=mask, subpix=1)
    round_ = radius * np.sqrt(shape[2] * shape[3]) < kron[1]
    circle = sep.sum_circle(image, shape[0], shape[1], kron[1], err=noise, mask=mask, subpix=1)
    flux, flux_error, flags = (np.where(round_, b, a) for a, b in zip((flux, flux_error, flags), circle))
    flags = flags | kron_flags | found["flag"]
    dx, dy = reach(*shape[2:])
    cuts = cut(image, *shape[:2], 6 * dx, 6 * dy)
    cuts |= np.where(round_, cut(image, *shape[:2], kron[1], kron[1]),
                     cut(image, *shape[:2], kron[0] * radius * dx, kron[0] * radius * dy))
    columns = {"label": np.arange(1, len(found) + 1), "x": found["x"], "y": found["y"], "flux": found["flux"],
               "flux_err": error, "snr": found["flux"] / error, "peak": found["peak"], "area": found["npix"], "a": found["a"],
               "b": found["b"], "theta": found["theta"], "kron_radius": radius, "flux_kron": flux,
               "flux_kron_err": flux_error}
    for i, r in enumerate(radii):
        flux, flux_error, circle_flags = sep.sum_circle(image, shape[0], shape[1], r, err=noise, mask=mask, subpix=5)
        columns |= {f"flux_aperture-{i}": flux, f"flux_aperture_err-{i}": flux_error}
        flags, cuts = flags | circle_flags, cuts | cut(image, *shape[:2], r, r)
    return labels, columns | {"flags": flags & ~sep.APER_TRUNC | cuts}


def case(name, image, options="", sigma=9., rms=None, mask=None, given=True, **arguments):
    labels, columns = measure(image, sigma if rms is None else rms, mask=mask, **arguments)
    inputs = {"image": image}
    if rms is not None:
        inputs["rms"] = rms
    if mask is not None:
        inputs["mask"] = mask.astype(np.uint8) * 255
    noise = f" sigma={sigma!r}" if rms is None and given else ""
    return Case(name, f"sources{noise}{options}", inputs, {"labels": labels}, table=columns, table_tolerance=1e-5)


def stars(dtype=np.float32, shape=(120, 150), seed=1):
    image = sky(np.float64, shape, seed, 0.)
    image[50:53, :3] += 100       # at the border
    image[100, 100:106] += 300    # a line
    image[:2, 80:84] += 200
    image[40:60, 90:120] += 40    # a large one
    if np.dtype(dtype).kind != "f":
        image = np.rint(image.clip(0 if np.dtype(dtype).kind == "u" else None, np.iinfo(dtype).max))
    return image.astype(dtype)


def cases():
    for dtype in np.uint8, np.uint16, np.int32, np.float32, np.float64:
        yield case(f"sky-{np.dtype(dtype).name}", stars(dtype))
    image = stars()
    yield case("no-filter", image, " filter=none min_area=3 threshold=3", kernel=None, min_area=3, threshold=3)
    kernel = np.array([[1, 2, 3, 1], [2, 4, 2, 0], [1, 5, 1, 0]], float)
    yield case("matrix", image, " filter=matrix matrix='1 2 3 1; 2 4 2 0; 1 5 1 0'", kernel=kernel)
    yield case("sharpening", image, " filter=matrix matrix='-1 -1 -1; -1 12 -1; -1 -1 -1'",
               kernel=np.array([[-1, -1, -1], [-1, 12, -1], [-1, -1, -1]], float))
    yield case("apertures", image, " apertures=1,2.5,7,12", radii=(1, 2.5, 7, 12))
    yield case("kron", image, " kron_factor=1.2 kron_least=4", kron=(1.2, 4))
    yield case("rms", image, rms=(9 + 4 * np.sin(np.mgrid[:120, :150].sum(0) / 20)).astype(np.float32))
    mask = np.zeros(image.shape, bool)
    mask[60:90, 60:64] = mask[110:114] = mask[50, 1] = True
    yield case("mask", image, mask=mask)
    yield case("measured-sigma", image, sigma=clip(image)["sigma"], given=False)
    yield case("nothing", image, " threshold=1000", threshold=1000)
    planes = np.stack([stars(seed=2), stars(seed=3)])
    parts = [measure(plane, 9.) for plane in planes]
    counts = [len(columns["label"]) for _, columns in parts]
    table = {key: np.concatenate([columns[key] for _, columns in parts]) for key in parts[0][1]}
    yield Case("planes", "sources sigma=9", {"image": planes}, {"labels": np.stack([labels for labels, _ in parts])},
               table={"z": np.repeat([1, 2], counts), **table}, table_tolerance=1e-5)
