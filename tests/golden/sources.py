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
    firsts = np.full(n + 1, labels.size)
    np.minimum.at(firsts, labels.ravel(), np.arange(labels.size))
    return firsts[1:]


def measure(image, sigma, threshold=1.5, min_area=5, kernel=PYRAMID, radii=(3,), mask=None, kron=(2.5, 1.75),
            filter_type="conv"):
    """Labels and columns of one plane."""
    image = image.astype(np.float64)
    noise = np.broadcast_to(sigma, image.shape).astype(np.float64)
    found, labels = sep.extract(image, threshold, err=noise if filter_type == "matched" else sigma, mask=mask,
                                minarea=min_area, filter_kernel=kernel, filter_type=filter_type, deblend_cont=1.0,
                                clean=False, segmentation_map=True)
    order = np.argsort(first_pixels(labels, len(found)))
    found = found[order]
    labels = np.concatenate([[0], np.argsort(order) + 1])[labels].astype(np.int32)
    error = np.sqrt(np.bincount(labels.ravel(), (noise ** 2).ravel(), len(found) + 1)[1:])
    theta = found["theta"].clip(-np.pi / 2, np.pi / 2)
    theta[(found["cxx"] == found["cyy"]) & (found["cxy"] > 0)] = -np.pi / 4  # SEP has pi / 4 for both diagonals
    shape = [found[key] for key in ("x", "y", "a", "b")] + [theta]
    radius, kron_flags = sep.kron_radius(image, *shape, 6.0, mask=mask)
    flux, flux_error, flags = sep.sum_ellipse(image, *shape, kron[0] * radius, err=noise, mask=mask, subpix=1)
    round_ = radius * np.sqrt(shape[2] * shape[3]) < kron[1]
    circle = sep.sum_circle(image, shape[0], shape[1], kron[1], err=noise, mask=mask, subpix=1)
    flux, flux_error, flags = (np.where(round_, b, a) for a, b in zip((flux, flux_error, flags), circle))
    flags = flags | kron_flags | found["flag"]
    columns = {"label": np.arange(1, len(found) + 1), "x": found["x"], "y": found["y"], "flux": found["flux"],
               "flux_err": error, "snr": found["flux"] / error, "peak": found["peak"], "area": found["npix"], "a": found["a"],
               "b": found["b"], "theta": theta, "kron_radius": radius, "flux_kron": flux,
               "flux_kron_err": flux_error}
    for i, r in enumerate(radii):
        flux, flux_error, circle_flags = sep.sum_circle(image, shape[0], shape[1], r, err=noise, mask=mask, subpix=5)
        columns |= {f"flux_aperture-{i}": flux, f"flux_aperture_err-{i}": flux_error}
        flags = flags | circle_flags
    return labels, columns | {"flags": flags}


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


def uneven(shape, dtype=np.float32):
    """Deviations that differ by more than four, and a worn edge, without a deviation of 0."""
    y, x = np.mgrid[:shape[0], :shape[1]]
    rms = 9 + 6 * np.sin((x + y) / 20)
    rms[:, -12:] *= 3
    rms[40:44] *= 5
    return np.rint(rms).astype(dtype) if np.dtype(dtype).kind == "u" else rms.astype(dtype)


def corners(shape=(61, 77)):
    """Stars with centers at integer and fractional positions, at the border and up to eight pixels from it."""
    rng = np.random.default_rng(8)
    image = rng.normal(0, 2, shape)
    y, x = np.mgrid[:shape[0], :shape[1]]
    for i in range(8):
        for cy, cx in ((i, 8 + 8 * i), (shape[0] - 1 - 1.03 * i, 4 + 8 * i), (8 + 6 * i, .97 * i), (6 + 6 * i, shape[1] - 1 - i)):
            image += 300 * np.exp(-(y - cy) ** 2 / 2. - (x - cx) ** 2 / 3.)
    return image.astype(np.float32)


def dots(shape=(40, 50)):
    """Single pixels, pairs, lines, squares, crosses: moments that are singular, round, or along the diagonal."""
    image = np.zeros(shape, np.float32)
    at = iter((y, x) for y in range(4, shape[0] - 4, 8) for x in range(4, shape[1] - 4, 8))
    for figure in ("1", "11", "1;1", "111", "10;01", "01;10", "100;010;001", "11;11", "111;111;111", "010;111;010", "110;111;011",
                   "1111;1111", "101;010;101", "10;11", "12;21", "121;242;121", "131;393;131", "01110;11111;11111;11111;01110"):
        rows = np.array([[float(v) for v in row] for row in figure.split(";")])
        y, x = next(at)
        image[y:y + rows.shape[0], x:x + rows.shape[1]] = 100 * rows
    return image


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
    for dtype in np.uint16, np.float32, np.float64:
        yield case(f"matched-{np.dtype(dtype).name}", stars(dtype), " filter_type=matched threshold=2.03",
                   rms=uneven(image.shape, dtype), filter_type="matched", threshold=2.03)
    yield case("matched-one-sigma", image, " filter_type=matched", filter_type="matched")
    yield case("matched-matrix", image, " filter_type=matched filter=matrix matrix='1 2 3 1; 2 4 2 0; 1 -5 1 0'",
               rms=uneven(image.shape), mask=mask, filter_type="matched",
               kernel=np.array([[1, 2, 3, 1], [2, 4, 2, 0], [1, -5, 1, 0]], float))
    yield case("corners", corners(), " apertures=1,1.5,2.5,4.2", radii=(1, 1.5, 2.5, 4.2))
    yield case("single-pixels", dots(), " filter=none min_area=1 threshold=3", kernel=None, min_area=1, threshold=3)
    yield case("measured-sigma", image, sigma=clip(image)["sigma"], given=False)
    yield case("nothing", image, " threshold=1000", threshold=1000)
    planes = np.stack([stars(seed=2), stars(seed=3)])
    parts = [measure(plane, 9.) for plane in planes]
    counts = [len(columns["label"]) for _, columns in parts]
    table = {key: np.concatenate([columns[key] for _, columns in parts]) for key in parts[0][1]}
    yield Case("planes", "sources sigma=9", {"image": planes}, {"labels": np.stack([labels for labels, _ in parts])},
               table={"z": np.repeat([1, 2], counts), **table}, table_tolerance=1e-5)
