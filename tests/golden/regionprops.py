# SPDX-License-Identifier: MIT
"""regionprops: skimage.measure.regionprops_table, marching_cubes and mesh_surface_area, and numbers that ImageJ printed."""
import dataclasses

import numpy as np
from make import Case
from skimage.measure import label, marching_cubes, mesh_surface_area, regionprops_table

SHAPE = ("label num_pixels area area_bbox area_convex area_filled axis_major_length axis_minor_length bbox centroid "
         "centroid_local eccentricity equivalent_diameter_area euler_number extent feret_diameter_max inertia_tensor "
         "inertia_tensor_eigvals moments moments_central moments_hu moments_normalized orientation perimeter "
         "perimeter_crofton solidity").split()
INTENSITY = ("centroid_weighted centroid_weighted_local intensity_max intensity_mean intensity_median intensity_min "
             "intensity_std moments_weighted moments_weighted_central moments_weighted_hu "
             "moments_weighted_normalized").split()
PLANAR = "eccentricity moments_hu moments_weighted_hu orientation perimeter perimeter_crofton".split()
ISOTROPIC = "moments_hu moments_weighted_hu perimeter perimeter_crofton".split()

# ImageJ 1.54u7 of single shapes
IMAGEJ = "area perimeter_imagej circularity major_axis_imagej minor_axis_imagej feret_imagej feret_min solidity_imagej"
SINGLE = {
    "1x1": (np.ones((1, 1)), "1 2.8284 1 1.1284 1.1284 1.4142 1 1"),
    "2x1": (np.ones((1, 2)), "2 4.2426 1 2.2568 1.1284 2.2361 1 1"),
    "2x2": (np.ones((2, 2)), "4 5.6569 1 2.2568 2.2568 2.8284 2 1"),
    "3x3": (np.ones((3, 3)), "9 9.6569 1 3.3851 3.3851 4.2426 3 1"),
    "10x10": (np.ones((10, 10)), "100 37.6569 0.8862 11.2838 11.2838 14.1421 10 1"),
    "20x10": (np.ones((10, 20)), "200 57.6569 0.7560 22.5676 11.2838 22.3607 10 1"),
    "diagonal": (np.eye(3), "3 8.4853 0.5236 3.9685 0.9625 4.2426 1.4142 0.6"),
    "plus": (np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]]), "5 8.4853 0.8727 2.5231 2.5231 3.1623 2.8284 0.7143"),
}
DISCS = {2: "13 14.1421 0.8168 5.0990 4.2426 0.7647", 5: "81 34.0416 0.8784 11.4018 10.7517 0.8526",
         10: "317 67.0122 0.8871 21.4009 20.6155 0.9188", 50: "7845 330.7767 0.9010 101.4002 100.4092 0.9820"}

# ImageJ 1.53t, Analyze Particles on blobs(), redirected to values(): pixels of 0.5 x 0.5
SQUARE_KEYS = ("area intensity_std_imagej intensity_mode perimeter_imagej major_axis_imagej minor_axis_imagej "
               "angle_imagej circularity feret_imagej integrated_density intensity_median_imagej intensity_skewness "
               "intensity_kurtosis raw_integrated_density feret_angle feret_min aspect_ratio roundness solidity_imagej")
SQUARE = """
    7 14.25282 39 14.77817 4.360483 2.043965 108.1303 0.4027785 5.385165 213 33 0.3020326 0.2602048 852 111.8014 3 2.133345 0.4687475 0.6363636
    13.5 20.22491 24 17.89949 7.686447 2.236239 88.16601 0.5294953 7.648529 443.25 27 1.125312 1.218164 1773 78.69007 2.5 3.43722 0.2909328 0.7941176
    1.25 30.10482 15 4.242641 1.261566 1.261566 0 0.8726646 1.581139 30.75 15 1.43701 0.1681807 123 108.4349 1.414214 1 1 0.7142857
    4.5 20.11145 15 7.656854 3.070578 1.865961 134.9998 0.9645431 3.535534 171 39 0.2404193 -1.278748 684 135 2.12132 1.645575 0.6076903 0.8571429
    5.5 27.96751 9 8.656854 3.222889 2.172839 57.32083 0.9222578 3.605551 192 27 1.048416 -0.1992235 768 56.30993 2.459675 1.483262 0.6741897 0.8627451
    7 27.94297 39 13.6066 5.947678 1.498514 146.4067 0.4751257 6.519202 280.5 39 1.491575 2.964914 1122 147.5288 2.012461 3.969051 0.2519494 0.7567568
    10.25 24.94914 12 16.84924 7.247836 1.800635 151.517 0.4537044 7.382412 347.25 27 1.730698 3.245982 1389 151.6992 2.418677 4.025156 0.2484376 0.7130435
    5.25 18.74186 33 7.656854 2.585441 2.585441 0 1 2.915476 186.75 33 0.5084319 -0.2287747 747 120.9638 2.5 1 1 0.9130435
"""
# the same with pixels 0.4 wide and 0.3 high
OBLONG_KEYS = "area perimeter_imagej circularity feret_imagej integrated_density feret_angle feret_min solidity_imagej"
OBLONG = """
    3.36 10.2 0.4058343 3.4 102.24 118.0725 2.4 0.6363636
    6.48 11.8 0.5848182 4.657252 212.76 75.06858 2 0.7941176
    0.6 3 0.837758 1.236932 14.76 165.9638 0.9 0.7142857
    2.16 5.4 0.9308423 2.5 82.08 143.1301 1.44 0.8571429
    2.64 6 0.9215338 2.5 92.16 36.8699 1.8 0.8627451
    3.36 10 0.4222301 4.875449 134.64 154.4861 1.264044 0.7567568
    4.92 12.2 0.4153893 5.60803 166.68 158.0089 1.536285 0.7130435
    2.52 5.4 1 2.193171 89.64 155.7723 1.5 0.9130435
"""


def blobs():
    rng = np.random.default_rng(11)
    mask = np.zeros((40, 52), bool)
    yy, xx = np.mgrid[0:40, 0:52]
    for _ in range(11):
        y, x, a = rng.integers(3, 37), rng.integers(3, 49), rng.uniform(0, np.pi)
        u, v = (xx - x) * np.cos(a) + (yy - y) * np.sin(a), -(xx - x) * np.sin(a) + (yy - y) * np.cos(a)
        mask |= (u / rng.uniform(1, 7)) ** 2 + (v / rng.uniform(1, 3)) ** 2 < 1
    mask &= ~((yy % 9 == 4) & (xx % 7 == 3))
    return label(mask, connectivity=2).astype(np.int32)


def values():
    return (np.random.default_rng(12).gamma(3, 12, (40, 52)) // 3 * 3).clip(0, 255).astype(np.uint8)


def printed(keys, text):
    return dict(zip(keys.split(), np.array(text.split(), float).reshape(-1, len(keys.split())).T))


def touching():
    """Objects that touch, with holes, in several parts, of one pixel and one line; gaps among the labels."""
    rng = np.random.default_rng(4)
    yy, xx = np.mgrid[0:31, 0:37]
    points = rng.random((9, 2)) * (31, 37)
    labels = np.argmin((yy[..., None] - points[:, 0]) ** 2 + (xx[..., None] - points[:, 1]) ** 2, -1)
    labels[(yy - 11) ** 2 + (xx - 14) ** 2 < 9] = 0
    labels[rng.random(labels.shape) < .04] = 0
    labels[3, 5], labels[20, 4:11], labels[27:30, 30] = 12, 13, 14
    return labels * 3


def volume():
    zz, yy, xx = np.mgrid[0:9, 0:13, 0:14]
    labels = np.zeros(zz.shape, int)
    for i, (z, y, x, r, hole) in enumerate([(4, 4, 4, 4.2, 1.5), (4, 9, 9, 3.6, 0), (2, 3, 11, 2.3, 0), (7, 10, 2, 1.5, 0)]):
        d = (zz - z) ** 2 + (yy - y) ** 2 + 1.3 * (xx - x) ** 2
        labels[(d < r * r) & (d >= hole * hole)] = 2 * i + 1
    labels[4, 4, :3] = 0  # a tunnel from outside into the hole
    return labels


def surfaces(labels, spacing):
    """surface_area and sphericity of each object."""
    areas = [mesh_surface_area(*marching_cubes(np.pad(labels == n, 1).astype(np.float32), 0.5, spacing=spacing)[:2])
             for n in np.unique(labels[labels > 0])]
    volumes = [np.count_nonzero(labels == n) * np.prod(spacing) for n in np.unique(labels[labels > 0])]
    return {"surface_area": areas, "sphericity": [np.pi ** (1 / 3) * (6 * v) ** (2 / 3) / a for v, a in zip(volumes, areas)]}


def surface_case(name, labels, spacing=(1, 1, 1), unit=""):
    return Case(name, "regionprops properties=label,surface_area,sphericity volume=yes", {"image": labels.astype(np.int32)},
                table={"label": np.unique(labels[labels > 0]), **surfaces(labels, spacing)}, spacing=spacing, unit=unit)


def every_cell():
    """Noise, in which all 256 kinds of cells occur, cut into objects that touch; one voxel; what reaches all borders."""
    rng = np.random.default_rng(21)
    labels = (rng.random((14, 15, 16)) < .5) * (1 + (np.mgrid[0:14, 0:15, 0:16][2] > 8))
    labels[0, 0, 0] = 7
    labels[:, 7:9, 12] = 300
    return labels


def case(name, labels, intensity=None, spacing=(1, 1, 1), unit="", keys=None):
    """All properties against scikit-image; intensity: (c, ...)."""
    in_volume = labels.ndim == 3
    spacing_here = spacing if in_volume else spacing[1:]
    keys = keys or SHAPE + (INTENSITY if intensity is not None else [])
    skip = (PLANAR if in_volume else []) + (ISOTROPIC if len(set(spacing_here)) > 1 else [])
    keys = sorted(k for k in keys if k not in skip)
    last = None if intensity is None else np.moveaxis(intensity, 0, -1).astype(np.float64)
    if last is not None and last.shape[-1] == 1:
        last = last[..., 0]
    plain = [k for k in keys if not k.endswith("_hu")]
    hu = [k for k in keys if k.endswith("_hu")]
    table = regionprops_table(labels.astype(np.int64), last, properties=plain, spacing=spacing_here)
    if hu:
        table.update(regionprops_table(labels.astype(np.int64), last, properties=hu))
    if in_volume:
        table = {"volume" if key == "area" else key: values for key, values in table.items()}
    inputs = {"image": labels}
    if intensity is not None:
        inputs["intensity"] = intensity if len(intensity) > 1 else intensity[0]
        if in_volume is False and len(intensity) > 1:
            inputs["intensity"] = intensity[:, None]
    step = f"regionprops properties={','.join(keys)}" + (" volume=yes" if in_volume else "")
    return Case(name, step, inputs, table=table, spacing=spacing, unit=unit)


def cases():
    rng = np.random.default_rng(7)
    labels = touching()
    noise = rng.random((2,) + labels.shape)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        yield case(f"shape-{np.dtype(dtype).name}", labels.astype(dtype))
    mask = labels % 2 == 1
    whole = case("mask", mask.astype(np.uint8), keys=[k for k in SHAPE if k != "orientation"])
    yield dataclasses.replace(whole, inputs={"image": mask * np.uint8(255)}, roles={"image": "mask"})
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (noise[:1] * 90 + 1).astype(dtype)
        yield case(f"intensity-{np.dtype(dtype).name}", labels.astype(np.int32), image, keys=["label"] + INTENSITY)
    image = (noise * 60).astype(np.float32)
    yield case("channels", labels.astype(np.int32), image, keys=["label"] + INTENSITY)
    yield case("spacing-equal", labels.astype(np.int32), image[:1], (1, .5, .5), "µm")
    yield case("spacing-unequal", labels.astype(np.int32), image[:1], (1, .3, .4), "µm")
    yield case("most-default-keys", labels.astype(np.uint16),
               keys=["label", "area", "axis_major_length", "axis_minor_length", "bbox", "centroid", "solidity"])

    for shape in ((1, 1), (1, 7), (7, 1), (2, 2)):
        keys = [k for k in SHAPE if k != "orientation"]
        yield case(f"full-{shape[0]}x{shape[1]}", np.full(shape, 5, np.int32), keys=keys)
    scattered = np.zeros((23, 29), np.int32)
    scattered[2, 3] = scattered[19, 25] = scattered[11, 1] = 4
    scattered[5:9, 11:17], scattered[7, 13], scattered[14, 13] = 9, 4, 9
    yield case("parts", scattered)
    yield Case("empty", "regionprops properties=label,area,centroid", {"image": np.zeros((5, 6), np.int32)},
               table={"label": [], "area": [], "centroid-0": [], "centroid-1": []})
    sparse = np.zeros((9, 11), np.int32)
    sparse[1:3, 1:4], sparse[5, 5], sparse[7:, 8:] = 2**31 - 1, 70000, -3
    yield Case("large-and-negative-labels", "regionprops properties=label,area", {"image": sparse},
               table={"label": [70000, 2**31 - 1], "area": [1, 6]}, roles={"image": "labels"})

    stack = np.stack([labels, np.zeros_like(labels), labels[::-1]]).astype(np.uint8)
    top, bottom = (regionprops_table(p.astype(np.int64), properties=["label", "area", "bbox"]) for p in (stack[0], stack[2]))
    table = {"z": np.repeat([1, 3], [len(top["label"]), len(bottom["label"])])}
    table.update({k: np.concatenate([top[k], bottom[k]]) for k in top})
    yield Case("planes", "regionprops properties=label,area,bbox", {"image": stack}, table=table)

    solid = volume()
    values_3d = (rng.random((2,) + solid.shape) * 60).astype(np.float32)
    yield case("volume", solid.astype(np.int32))
    yield surface_case("surface", solid)
    yield surface_case("surface-spacing", solid, (.8, .5, .4), "µm")
    yield surface_case("surface-cells", every_cell())
    yield surface_case("surface-cells-spacing", every_cell(), (2.5, .7, .5), "µm")
    yield surface_case("surface-row", np.ones((1, 1, 9), int))
    yield case("volume-u8", solid.astype(np.uint8), keys=["label", "area", "solidity", "feret_diameter_max"])
    yield case("volume-spacing", solid.astype(np.int32), values_3d[:1], (.8, .5, .4), "µm")
    yield case("volume-channels", solid.astype(np.int32), values_3d,
               keys=["label", "intensity_mean", "intensity_median", "centroid_weighted"])

    spoilt = np.arange(24, dtype=np.float32).reshape(4, 6)
    spoilt[1, 1] = np.nan
    halves = np.repeat([[1, 1, 1, 2, 2, 2]], 4, 0).astype(np.uint8)
    keys = ["label", "intensity_max", "intensity_mean", "intensity_median", "intensity_min", "intensity_std"]
    yield case("nan", halves, spoilt[None], keys=keys)

    yield from imagej()


def imagej():
    for name, (shape, text) in SINGLE.items():
        yield Case(f"imagej-{name}", f"regionprops properties={IMAGEJ.replace(' ', ',')}",
                   {"image": np.pad(shape, 1).astype(np.uint8)}, table=printed(IMAGEJ, text), table_tolerance=6e-5)
    keys = "area perimeter_imagej circularity feret_imagej feret_min solidity_imagej"
    for r, text in DISCS.items():
        yy, xx = np.mgrid[-r:r + 1, -r:r + 1]
        yield Case(f"imagej-disc-{r}", f"regionprops properties={keys.replace(' ', ',')}",
                   {"image": (yy * yy + xx * xx <= r * r).astype(np.uint8)}, table=printed(keys, text), table_tolerance=6e-5)
    inputs = {"image": blobs(), "intensity": values()}
    for name, names, text, spacing in (("square", SQUARE_KEYS, SQUARE, (1, .5, .5)), ("oblong", OBLONG_KEYS, OBLONG, (1, .3, .4))):
        yield Case(f"imagej-{name}-pixels", f"regionprops properties={names.replace(' ', ',')}", inputs,
                   table=printed(names, text), table_tolerance=6e-5, spacing=spacing, unit="µm")
