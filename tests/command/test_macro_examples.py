# SPDX-License-Identifier: MIT
"""The macros of data/macros give what NumPy and SciPy give."""
import csv
import os
import shutil

import numpy
import tifffile
from scipy import ndimage

from command import SOURCE, fovea, main, same

FOLDER = os.path.join(SOURCE, "data", "macros")
EIGHT = numpy.ones((3, 3))


def example(name, *arguments):
    """The lines that it prints, run where this test is."""
    shutil.copy(os.path.join(FOLDER, name), ".")
    done = fovea("macro", name, *arguments)
    same((done.returncode, done.stderr.decode()), (0, ""), name)
    return done.stdout.decode().splitlines()


def table(name):
    with open(name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def numbers(rows, key):
    return numpy.array([float(row[key]) for row in rows])


def squares(shape=(60, 80), seed=0):
    """Bright squares on a dark ground: any sensible threshold finds them."""
    random = numpy.random.default_rng(seed)
    image = random.integers(0, 20, shape).astype("u1")
    for row in range(5, shape[0] - 10, 15):
        for column in range(4, shape[1] - 10, 20):
            side = random.integers(5, 9)
            image[row:row + side, column:column + side] = random.integers(150, 250, (side, side))
    return image


def close(got, expected):
    numpy.testing.assert_allclose(got, expected, rtol=1e-12)


def test_count_objects():
    image = squares()
    tifffile.imwrite("i.tif", image)
    lines = example("count_objects.lua", "i.tif")
    blurred = numpy.rint(ndimage.gaussian_filter(image.astype(float), 1, mode="nearest"))
    labels, n = ndimage.label(blurred > 60, EIGHT)
    same(lines, [f"i.tif: {n} objects"], "output")
    rows = table("i-objects.csv")
    same(len(rows), n, "rows")
    # Otsu's threshold of these lies somewhere between dark and bright: the middles of the objects are the same.
    for row, column in ndimage.center_of_mass(labels > 0, labels, range(1, n + 1)):
        assert numpy.hypot(numbers(rows, "centroid-0") - row, numbers(rows, "centroid-1") - column).min() < 0.5, (row, column)


def test_whole_folder():
    os.mkdir("many")
    expected = []
    for name, seed in (("a2.tif", 1), ("a10.tif", 2)):
        image = squares(seed=seed)
        tifffile.imwrite(os.path.join("many", name), image)
        labels, n = ndimage.label(image > 100, EIGHT)
        expected += [(name, str(i), str(int((labels == i).sum()))) for i in range(1, n + 1)]
    lines = example("whole_folder.lua", "--arg", "many")
    same([line.split()[0] for line in lines], ["a2.tif", "a10.tif"], "files")
    same([tuple(row.values()) for row in table("many/all.csv")], expected, "rows")


def test_choose_sigma():
    image = squares()
    tifffile.imwrite("i.tif", image)
    lines = example("choose_sigma.lua", "i.tif", "--arg", "sigma=0", "--arg", "threshold=150", "--arg", "keep_the_mask=yes")
    same(lines, [f"{(image >= 150).mean():.4f}"], "output")
    same(os.path.exists("mask.png"), True, "the mask")


def test_intensity_over_time():
    stack = numpy.random.default_rng(3).integers(0, 60000, (3, 4, 2, 20, 30)).astype("u2")  # t, z, c, y, x
    tifffile.imwrite("i.tif", stack, imagej=True, metadata={"axes": "TZCYX"})
    example("intensity_over_time.lua", "i.tif")
    rows = table("means.csv")
    same(len(rows), 24, "rows")
    for row in rows:
        close(float(row["mean"]), stack[int(row["frame"]) - 1, int(row["slice"]) - 1, int(row["channel"]) - 1].mean())


def test_sharpest_slice():
    stack = numpy.stack([ndimage.gaussian_filter(squares().astype(float), sigma) for sigma in (3, 2, 0.5, 1, 4)]).astype("u1")
    tifffile.imwrite("i.tif", stack, imagej=True, metadata={"axes": "ZYX"})
    same(example("sharpest_slice.lua", "i.tif"), ["3"], "slice")


def test_ratio_of_channels():
    one, two = squares(), numpy.random.default_rng(4).integers(1, 200, (60, 80)).astype("u1")
    tifffile.imwrite("i.tif", numpy.stack([one, two]), imagej=True, metadata={"axes": "CYX"})
    labels, n = ndimage.label(one > 100, EIGHT)
    same(example("ratio_of_channels.lua", "i.tif"), [str(n)], "output")
    close(numbers(table("ratios.csv"), "ratio"), ndimage.mean(one, labels, range(1, n + 1)) / ndimage.mean(two, labels, range(1, n + 1)))


def test_nearest_neighbours():
    image = squares()
    tifffile.imwrite("i.tif", image)
    example("nearest_neighbours.lua", "i.tif")
    labels, n = ndimage.label(image > 100, EIGHT)
    middles = numpy.array(ndimage.center_of_mass(labels > 0, labels, range(1, n + 1)))
    distances = numpy.hypot(*(middles[:, None] - middles[None]).T)
    numpy.fill_diagonal(distances, numpy.inf)
    close(numbers(table("neighbors.csv"), "nearest"), distances.min(0))


def test_grid_of_squares():
    image = squares((64, 96))
    tifffile.imwrite("i.tif", image)
    same(example("grid_of_squares.lua", "i.tif", "--arg", "size=32"), ["6"], "output")
    close(numbers(table("grid.csv"), "mean"), image.reshape(2, 32, 3, 32).mean((1, 3)).ravel())


def test_histogram():
    image = squares()
    tifffile.imwrite("i.tif", image)
    example("histogram.lua", "i.tif")
    values, counts = numpy.unique(image, return_counts=True)
    rows = table("histogram.csv")
    same((numbers(rows, "value").tolist(), numbers(rows, "count").tolist()), (values.tolist(), counts.tolist()), "histogram")


def test_try_thresholds():
    image = squares()
    tifffile.imwrite("i.tif", image)
    same(example("try_thresholds.lua", "i.tif"), [f"{t} {ndimage.label(image >= t, EIGHT)[1]}" for t in (50, 100, 150, 200)], "output")


def test_each_is_tested():
    same(sorted(os.listdir(FOLDER)), sorted(test.__name__.removeprefix("test_") + ".lua" for test in TESTS if test is not test_each_is_tested), "examples")


if __name__ == "__main__":
    TESTS = [test for name, test in list(globals().items()) if name.startswith("test_")]
    main(TESTS)
