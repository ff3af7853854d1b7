# SPDX-License-Identifier: MIT
"""Files of selections: objects written as GeoJSON, against Shapely, and GeoJSON and ImageJ's files taken by steps."""
import csv
import json

import numpy as np
import shapely.geometry
import shapely.ops
import shapely.prepared
import shapely.validation
import tifffile
from scipy import ndimage

from batches import batch, good
from command import fails, fovea, main, same

RNG = np.random.default_rng(3)
MANY = (RNG.random((40, 60)) > 0.5).astype(np.uint8) * 255  # holes, parts, corners that touch
DISKS = ndimage.gaussian_filter(RNG.random((70, 90)), 3)


def features(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["features"]


def write_features(path, *shapes, planes=None):
    """As QuPath writes them."""
    made = []
    for n, shape in enumerate(shapes):
        geometry = shapely.geometry.mapping(shape)
        if planes and planes[n]:
            geometry["plane"] = {"c": -1, "z": planes[n][0], "t": planes[n][1]}
        made.append({"type": "Feature", "id": f"0-{n}", "geometry": geometry, "properties": {"objectType": "annotation", "name": f"cell {n}"}})
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"type": "FeatureCollection", "features": made}, file)


def inside(shape, rows, columns):
    """The pixels whose centers it contains."""
    prepared = shapely.prepared.prep(shape)
    return np.array([[prepared.contains(shapely.geometry.Point(x + 0.5, y + 0.5)) for x in range(columns)] for y in range(rows)])


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(*arguments):
    done = fovea("run", "-q", "--device", "cpu", *arguments)
    same((done.returncode, done.stderr), (0, b""), "status and errors")


def test_written():
    """Each object is one valid geometry of exactly its pixels, and steps take them back."""
    tifffile.imwrite("many.tif", MANY)
    run("label", "many.tif", "-o", "cells.tif", "-o", "cells.geojson", "-o", "cells.zip")
    labels = tifffile.imread("cells.tif")
    made = features("cells.geojson")
    same(len(made), labels.max(), "features")
    parts = [part for feature in made if feature["geometry"]["type"] == "MultiPolygon" for part in feature["geometry"]["coordinates"]]
    assert any(len(rings) > 1 for rings in parts), "no part has a hole"
    for n, feature in enumerate(made, 1):
        shape = shapely.geometry.shape(feature["geometry"])
        assert shape.is_valid, f"object {n}: {shapely.validation.explain_validity(shape)}"
        same(shape.area, (labels == n).sum(), "area")
        np.testing.assert_array_equal(inside(shape, *labels.shape), labels == n)
        assert feature["properties"]["name"].startswith(f"{n:04}-"), feature["properties"]["name"]
    run("label | regionprops", "many.tif", "-t", "own.csv")
    for name in ("cells.geojson", "cells.zip"):
        run(f"regionprops from=file:{name}", "many.tif", "-t", "back.csv")
        same(rows_of("back.csv"), rows_of("own.csv"), f"rows of {name}")


def test_mask():
    """A mask is one object, and comes back as the same mask."""
    tifffile.imwrite("many.tif", MANY)
    run("threshold method=manual lower=100", "many.tif", "-o", "mask.geojson")
    same(len(features("mask.geojson")), 1, "features")
    run("keep inside=file:mask.geojson", "many.tif", "-o", "kept.tif")
    np.testing.assert_array_equal(tifffile.imread("kept.tif"), MANY)


def test_taken():
    """Polygons with holes and parts, measured on an image; where they overlap the later one counts."""
    tifffile.imwrite("in.tif", (DISKS * 60000).astype(np.uint16), imagej=True, resolution=(2, 2), metadata={"unit": "um"})
    pixels = tifffile.imread("in.tif")
    disk = shapely.geometry.Point(30.3, 20.2).buffer(15.1)
    shapes = (disk.difference(shapely.geometry.box(25.25, 15.25, 33.75, 22.75)),
              shapely.ops.unary_union([shapely.geometry.box(50.2, 40.2, 60.7, 55.3), shapely.geometry.Point(75.4, 50.4).buffer(9.3)]),
              shapely.geometry.Polygon([(35.2, 5.1), (80.6, 9.3), (52.1, 30.4)]))
    write_features("cells.geojson", *shapes)
    run("regionprops from=file:cells.geojson intensity=source properties=label,num_pixels,area,intensity_mean", "in.tif", "-t", "t.csv")
    labels = np.zeros(pixels.shape, int)
    for n, shape in enumerate(shapes, 1):
        labels[inside(shape, *pixels.shape)] = n
    assert (labels == 1).sum() < inside(shapes[0], *pixels.shape).sum(), "nothing overlaps"
    for n, row in enumerate(rows_of("t.csv"), 1):
        same((int(row["label"]), int(row["num_pixels"])), (n, (labels == n).sum()), "pixels")
        np.testing.assert_allclose(float(row["area (µm²)"]), (labels == n).sum() / 4)
        np.testing.assert_allclose(float(row["intensity_mean"]), pixels[labels == n].mean())
    run("keep inside=file:cells.geojson", "in.tif", "-o", "kept.tif")
    np.testing.assert_array_equal(tifffile.imread("kept.tif"), np.where(labels > 0, pixels, 0))


def test_planes():
    """Those of a slice are there alone, those of none in all; written objects know their slice and frame."""
    stack = RNG.integers(1, 200, (2, 3, 20, 30), dtype=np.uint8)
    tifffile.imwrite("in.tif", stack, imagej=True, metadata={"axes": "TZYX"})
    shapes = [shapely.geometry.box(2, 3, 9, 8), shapely.geometry.box(12, 3, 19, 8), shapely.geometry.box(22, 3, 28, 8)]
    write_features("cells.geojson", *shapes, planes=[None, (2, 1), (0, 0)])
    run("keep inside=file:cells.geojson", "in.tif", "-o", "kept.tif")
    mask = np.zeros(stack.shape, bool)
    mask[:, :, 3:8, 2:9] = mask[1, 2, 3:8, 12:19] = mask[0, 0, 3:8, 22:28] = True
    np.testing.assert_array_equal(tifffile.imread("kept.tif"), np.where(mask, stack, 0))
    run("threshold method=manual lower=100 | label", "in.tif", "-o", "cells.tif", "-o", "all.geojson")
    labels = tifffile.imread("cells.tif")
    areas = np.zeros(stack.shape[:2])
    for feature in features("all.geojson"):
        plane = feature["geometry"]["plane"]
        areas[plane["t"], plane["z"]] += shapely.geometry.shape(feature["geometry"]).area
    np.testing.assert_array_equal(areas, (labels > 0).sum((2, 3)))


def test_batch():
    """Every image has its file, and other selections mean that all is done again."""
    for name in "ab":
        tifffile.imwrite(f"{name}.tif", MANY)
    write_features("part.geojson", shapely.geometry.box(0, 0, 60, 20))
    steps = "keep inside=file:part.geojson | threshold method=manual lower=100 | label as=cells"
    arguments = (steps, "a.tif", "b.tif", "--out", "out", "-o", "cells={name}.geojson")
    good(batch(*arguments))
    for name in "ab":
        area = sum(shapely.geometry.shape(feature["geometry"]).area for feature in features(f"out/{name}.geojson"))
        same(area, (MANY[:20] > 0).sum(), "area")
    write_features("part.geojson", shapely.geometry.box(0, 0, 60, 10))
    good(batch(*arguments, "--resume"))
    same(sum(shapely.geometry.shape(feature["geometry"]).area for feature in features("out/b.geojson")), (MANY[:10] > 0).sum(), "area")


def test_macro():
    """A macro saves objects, as the app records it."""
    tifffile.imwrite("in.tif", MANY)
    run("label", "in.tif", "-o", "expected.geojson")
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('open("in.tif") run("label") run("Save...", "path=cells.geojson")')
    good(fovea("macro", "m.lua"))
    same(features("cells.geojson"), features("expected.geojson"), "features")


def test_left_out():
    """What cannot be drawn is named."""
    tifffile.imwrite("in.tif", MANY)
    write_features("cells.geojson", shapely.geometry.box(2, 3, 9, 8), shapely.geometry.GeometryCollection())
    done = fovea("run", "keep inside=file:cells.geojson", "in.tif", "-o", "kept.tif")
    same(done.returncode, 0, "status")
    assert b"1 of the 2 selections of 'cells.geojson' is left out" in done.stdout + done.stderr, (done.stdout, done.stderr)


def test_wrong():
    tifffile.imwrite("in.tif", MANY)
    write_features("cells.geojson", shapely.geometry.box(2, 3, 9, 8))
    with open("damaged.geojson", "w", encoding="utf-8") as file:
        file.write('{"type": "Feature')
    for steps, output, status, *words in (
            ("keep inside=file:none.geojson", "o.tif", 1, "keep: inside", "'none.geojson' does not exist"),
            ("keep inside=file:damaged.geojson", "o.tif", 1, "'damaged.geojson' is not GeoJSON"),
            ("label | regionprops | filter_objects table=file:cells.geojson", "o.tif", 2, "cells.geojson", "table"),
            ("gaussian", "o.geojson", 1, "'o.geojson'", "end with label"),
            ("label", "o.roi", 1, "one selection"),
            ("label from=file:in.tif", "o.tif", 2, "from=", "open the file")):
        fails(fovea("run", "-q", steps, "in.tif", "-o", output), *words, status=status)
    fails(fovea("run", "-q", "regionprops from=file:cells.geojson", "-t", "t.csv"), "INPUT", status=2)


main([test_written, test_mask, test_taken, test_planes, test_batch, test_macro, test_left_out, test_wrong])
