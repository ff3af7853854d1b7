# SPDX-License-Identifier: MIT
"""Text images, tables of nothing but numbers: what NumPy reads of them, what it reads of ours, and what is not taken for one."""
import json
import os
import subprocess

import numpy as np
import tifffile

from command import FOVEA, NUCLEI, fails, fovea, main, same

NUMBERS = np.array([[1, -2.5, 3e-7], [0.1, 65536, 12345.678]])
# Of NUMBERS: what a file has, and how numpy.loadtxt() reads it.
KINDS = {
    "blanks.txt": ("  1  -2.5 3e-7\n.1 65536.   12345.678", {}),
    "tabs.txt": ("1\t-2.5\t3e-7\n0.1\t65536\t12345.678\n", {}),
    "commas.csv": ("1,-2.5,3e-7\r\n0.1, 65536 ,12345.678\r\n", {"delimiter": ","}),
    "tabs.tsv": ("# made by hand\n\n1\t-2.5\t3E-7\n+0.1\t65536\t1.2345678e4\n", {}),
    "capitals.TXT": ("1 -2.5 3e-7\n0.1 65536 12345.678\n", {}),
}


def made(*arguments, **options):
    done = fovea(*arguments, **options)
    same(done.returncode, 0, f"status of {arguments}: {done.stderr.decode()}")
    return done.stdout.decode()


def read(name):
    made("convert", name, "out.tif")
    return tifffile.imread("out.tif")


def write(name, text):
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def as_numpy_reads():
    for name, (text, options) in KINDS.items():
        write(name, text)
        image = read(name)
        same(image.dtype, np.float32, name)
        np.testing.assert_array_equal(image, np.loadtxt(name, **options).astype(np.float32), name)
        np.testing.assert_array_equal(image, NUMBERS.astype(np.float32), name)


def of_spreadsheets():
    """Semicolons come with decimal commas; a separator may end each line; a mark of UTF-8 begins the file."""
    write("a.csv", "\ufeff1;-2,5;3e-7;\n0,1;65536;12345,678;\n")
    np.testing.assert_array_equal(read("a.csv"), NUMBERS.astype(np.float32))
    write("a.csv", "nan,inf,-Infinity\n-1,NaN,+INF\n")
    np.testing.assert_array_equal(read("a.csv"), np.array([[np.nan, np.inf, -np.inf], [-1, np.nan, np.inf]]))


def nearest_doubles():
    """Numbers with 1 to 17 digits and the point anywhere are the doubles that Python reads, and so are their signs."""
    rng = np.random.default_rng(8)
    words = []
    for _ in range(20000):
        text = "".join(rng.choice(list("0123456789"), rng.integers(1, 18)))
        at = rng.integers(0, len(text) + 2)
        words.append(rng.choice(["", "-", "+"]) + (text[:at] + "." + text[at:] if at <= len(text) else text))
    words[:6] = ["-0", "-0.0", "1.", ".5", "0.1234567891", "999999999999999"]
    for separator in " ", "\t", ",":
        write("a.txt", "".join(separator.join(words[i:i + 100]) + "\n" for i in range(0, len(words), 100)))
        image, wanted = read("a.txt"), np.array([float(word) for word in words]).reshape(-1, 100)
        same(image.dtype, np.float64, separator)
        np.testing.assert_array_equal(image.view(np.uint64), wanted.view(np.uint64), separator)


def digits_stay():
    """Nine digits are a 32-bit float; more, and integers that it does not have, are a 64-bit float."""
    for text, kind in (("0.123456789", "f4"), ("0.00000000123456789", "f4"), ("1234567.89", "f4"), ("0.1234567891", "f8"), ("16777217", "f8"), ("16777216", "f4"),
                       ("1e300", "f8"), ("1e-60", "f8"), ("100000000000000000000", "f4" if float(np.float32(1e20)) == 1e20 else "f8")):
        write("a.txt", f"{text} 1\n")
        image = read("a.txt")
        same(image.dtype, np.dtype(kind), text)
        same(image[0, 0], np.dtype(kind).type(text), text)


def as_it_was():
    """Every type is written so that the same values are read, by Fovea and by NumPy."""
    rng = np.random.default_rng(3)
    floats = rng.standard_normal((31, 17)) * 10.0 ** rng.integers(-30, 30, (31, 17))
    images = [rng.integers(0, 256, (31, 17)).astype("u1"), rng.integers(-(1 << 15), 1 << 15, (31, 17)).astype("i2"), rng.integers(0, 1 << 32, (31, 17)).astype("u4"),
              floats.astype("f4"), floats, np.array([[0.1, 1e26], [3, 1e-20]]), rng.integers(0, 1 << 11, (31, 17)).astype("f2") / 8]
    for image in images:
        tifffile.imwrite("in.tif", image)
        for name, separator in (("a.csv", ","), ("a.txt", "\t"), ("a.tsv", "\t")):
            made("convert", "in.tif", name)
            np.testing.assert_array_equal(np.loadtxt(name, delimiter=separator).astype(image.dtype), image, f"{image.dtype} {name}")
            np.testing.assert_array_equal(read(name), image, f"{image.dtype} {name}")
    tifffile.imwrite("in.tif", np.array([[np.nan, np.inf, -np.inf, -0.0]], "f4"))
    made("convert", "in.tif", "a.txt")
    image = read("a.txt")
    np.testing.assert_array_equal(image, np.array([[np.nan, np.inf, -np.inf, -0.0]], "f4"))
    assert np.signbit(image[0, 3])


def many_rows():
    """More rows than one thread reads, and lines longer than what is read at a time."""
    for shape in ((1000, 37), (3, 40000), (1, 1), (129, 1)):
        image = np.random.default_rng(4).integers(0, 65536, shape).astype("f4")
        np.savetxt("a.txt", image, "%.1f")
        np.testing.assert_array_equal(read("a.txt").reshape(shape), image)
        assert f"{shape[1]}×{shape[0]}" in made("info", "a.txt")


def what_is_none():
    faults = {"label,area\n1,20\n": "its first line has 'label'", "1,2\n3,4,5\n": "line 2 has 3 of them, lines before it have 2", "1,2\n3,\n": "line 2 has 1 of them",
              "1,,2\n": "its first line has ''", "1,2\n,3\n": "a value is missing in line 2", "1,2\n0x10,3\n": "line 2 has '0x10'", "1,2\n1e999,3\n": "line 2 has '1e999'",
              "1\t2,5\n": "its first line has '2,5'", "1 2\n\n# c\n3 4 # d\n": "line 4 has '#'", "# only\n": "without numbers"}
    for text, words in faults.items():
        write("a.csv", text)
        fails(fovea("info", "a.csv"), "a.csv", words, status=1)
    write("a.log", "1 2\n")
    fails(fovea("info", "a.log"), "is not an image that can be opened", status=1)
    made("run", "-q", "plain fill=ramp width=9 height=7 type=u8", "-o", "a.png")
    os.rename("a.png", "a.csv")
    assert "9×7" in made("info", "a.csv")


def tables_stay_tables():
    """A table of results is not an image. A batch takes no text from a folder. The file of a table does not get an image by mistake."""
    made("run", "-q", "channel index=1 | otsu | label | regionprops", NUCLEI, "--table", "cells.csv")
    fails(fovea("info", "cells.csv"), "its first line has 'label'", "A text image is rows of nothing but numbers", status=1)
    os.mkdir("in")
    write("in/numbers.csv", "1,2\n3,4\n")
    write("in/a.pgm", "P2 2 1 255 1 2\n")
    made("batch", "-q", "arithmetic function=add value=1", "in", "--out", "out")
    with open("out/manifest.jsonl", encoding="utf-8") as file:
        same([line["file"] for line in map(json.loads, file) if "file" in line], ["a.pgm"])
    made("batch", "-q", "arithmetic function=add value=1", "in/numbers.csv", "--out", "named")
    fails(fovea("run", "-q", "channel index=1 | otsu | label | regionprops", NUCLEI, "-o", "cells.csv"), "the last step makes a table", "--table cells.csv", status=2)
    made("run", "-q", "channel index=1 | otsu | label as=cells | regionprops", NUCLEI, "-o", "cells=cells.csv")
    same(np.loadtxt("cells.csv", delimiter=",").shape, (640, 640))
    fails(fovea("convert", NUCLEI, "rgb.txt"), "text holds one plane", status=1)


def pipes():
    """A pipe has no ending: its contents decide. Text goes to standard output, too."""
    done = subprocess.run([FOVEA, "run", "-q", "expression expression=a*2", "-", "-o", "-", "--format", "csv"], input=b"1 2\n3.5 4\n", capture_output=True, check=False)
    same((done.returncode, done.stdout), (0, b"2,4\n7,8\n"), done.stderr)


def of_macros():
    """As ImageJ's macros call it."""
    write("a.csv", "1,2\n3,4\n")
    write("m.lua", 'open("a.csv"); saveAs("Text Image", "b"); open("b.txt"); print(getPixel(1, 0));')
    same(made("macro", "m.lua"), "2\n")
    np.testing.assert_array_equal(np.loadtxt("b.txt"), [[1, 2], [3, 4]])


main([as_numpy_reads, of_spreadsheets, nearest_doubles, digits_stay, as_it_was, many_rows, what_is_none, tables_stay_tables, pipes, of_macros])
