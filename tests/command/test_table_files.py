# SPDX-License-Identifier: MIT
"""Tables as FITS and VOTable, read by astropy, and as Parquet, read by a reader of what its specification says: values, types, units, what is missing."""
import os
import struct
import urllib.parse
import warnings

import numpy as np
import tifffile
from astropy import units
from astropy.io import fits
from astropy.io.votable import parse, validate
from astropy.table import Table

from batches import batch, expected, good, table, write, cells
from command import fails, fovea, main, same

PROPERTIES = "threshold method=manual lower=100 | label | regionprops properties=label,area,eccentricity,centroid"
ENDINGS = "fits", "FIT", "fts", "vot", "xml", "parquet"


# ---- Parquet, of its specification ----

def varint(data, at):
    n = shift = 0
    while True:
        byte, at = data[at], at + 1
        n |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return n, at


def value(data, at, kind):
    """Of Thrift's compact protocol: structs are dicts of their fields' numbers."""
    if kind in (4, 5, 6):
        n, at = varint(data, at)
        return (n >> 1) ^ -(n & 1), at
    if kind == 8:
        n, at = varint(data, at)
        return bytes(data[at:at + n]), at + n
    if kind == 9:
        n, of = data[at] >> 4, data[at] & 15
        at += 1
        if n == 15:
            n, at = varint(data, at)
        items = []
        for _ in range(n):
            item, at = value(data, at, of)
            items.append(item)
        return items, at
    assert kind == 12, kind
    fields, number = {}, 0
    while data[at]:
        number, of = number + (data[at] >> 4), data[at] & 15
        assert data[at] >> 4, "a field has no delta"
        fields[number], at = value(data, at + 1, of)
    return fields, at + 1


def levels(data, n):
    """Runs of equal levels of one bit."""
    found, at = [], 0
    while at < len(data):
        run, at = varint(data, at)
        assert not run & 1, "packed bits, which are not written"
        found += [data[at]] * (run >> 1)
        at += 1
    same(len(found), n, "levels")
    return found


def page(data, at, kind):
    header, at = value(data, at, 12)
    same((header[1], header[2], header[5][2], header[5][3]), (0, header[3], 0, 3), "page")
    end, n = at + header[2], header[5][1]
    length = struct.unpack_from("<I", data, at)[0]
    there, at = levels(data[at + 4:at + 4 + length], n), at + 4 + length
    values = []
    for is_there in there:
        if not is_there:
            values.append(None)
        elif kind == 6:
            length = struct.unpack_from("<I", data, at)[0]
            values.append(data[at + 4:at + 4 + length].decode())
            at += 4 + length
        else:
            values.append(struct.unpack_from("<q" if kind == 2 else "<d", data, at)[0])
            at += 8
    same(at, end, "end of the page")
    return values, at


def parquet(path):
    """Columns as lists, by their names."""
    with open(path, "rb") as file:
        data = file.read()
    same((data[:4], data[-4:]), (b"PAR1", b"PAR1"), "magic")
    footer = struct.unpack("<I", data[-8:-4])[0]
    about, end = value(data, len(data) - 8 - footer, 12)
    same((end, about[1], about[2][0][5]), (len(data) - 8, 1, len(about[2]) - 1), "footer")
    columns = {element[4].decode(): [] for element in about[2][1:]}
    for group in about[4]:
        for element, chunk in zip(about[2][1:], group[1]):
            about_chunk = chunk[3]
            same((about_chunk[1], about_chunk[3], about_chunk[4]), (element[1], [element[4]], 0), "column")
            same(element.get(6), 0 if element[1] == 6 else None, "type of a text")
            at = about_chunk[9]
            while at < about_chunk[9] + about_chunk[7]:
                values, at = page(data, at, element[1])
                columns[element[4].decode()] += values
            same(at, about_chunk[9] + about_chunk[7], "end of the column")
    same({len(values) for values in columns.values()}, {about[3]}, "rows")
    return columns


# ---- What is in files ----

def read(path):
    """(columns as lists with None for what is missing, units) of a file."""
    if path.endswith("parquet"):
        return parquet(path), {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = Table.read(path, format="votable" if path[-3:] in ("vot", "xml") else "fits")
    texts = lambda v: v.decode() if isinstance(v, bytes) else v
    columns = {name: [None if v is np.ma.masked or texts(v) == "" or (isinstance(v, float) and np.isnan(v)) else texts(v)
                      for v in found[name].tolist()] for name in found.colnames}
    if hasattr(found, "mask") and found.mask is not None:
        columns = {name: [None if m else v for v, m in zip(columns[name], np.broadcast_to(getattr(found[name], "mask", False), len(found)))] for name in columns}
    return columns, {name: found[name].unit for name in found.colnames if found[name].unit is not None}


def of_csv(path):
    """The same of a file of text, in which numbers with a point are floats."""
    header, *rows = table(path)
    number = lambda s: None if s == "" else int(s) if s.lstrip("-").isdigit() else float(s)
    return {name: [number(row[j]) if name != "file" else row[j] for row in rows] for j, name in enumerate(header)}


def plain(name):
    return name.split(" (")[0]


def test_values():
    """Each value of the text, in columns of types and with their units."""
    tifffile.imwrite("a.tif", cells(1), resolution=(2, 2), metadata={"unit": "um"}, imagej=True)
    good(fovea("run", "-q", PROPERTIES, "a.tif", "-t", "t.csv"))
    text = of_csv("t.csv")
    for ending in ENDINGS:
        good(fovea("run", "-q", PROPERTIES, "a.tif", "-t", "t." + ending))
        columns, said = read("t." + ending)
        names = list(text) if ending == "parquet" else [plain(name) for name in text]
        same(list(columns), names, f"names in .{ending}")
        same(list(columns.values()), list(text.values()), f"values in .{ending}")
        if ending != "parquet":
            same(said, {"area": units.um**2, "centroid-0": units.um, "centroid-1": units.um}, f"units in .{ending}")
        same({type(v) for v in columns["label"]}, {int}, "type of labels")
        same({type(v) for v in columns[names[1]]}, {float}, "type of areas")


def test_standards():
    """What only checkers of the formats see."""
    tifffile.imwrite("a.tif", cells(1), resolution=(2, 2), metadata={"unit": "um"}, imagej=True)
    good(fovea("run", "-q", PROPERTIES + " as=t", "a.tif", "-t", "t.vot", "-o", "t=t.fits"))
    with warnings.catch_warnings(), fits.open("t.fits") as opened:
        warnings.simplefilter("error")
        opened.verify("exception")
        same([(hdu.name, hdu.header["NAXIS"]) for hdu in opened], [("PRIMARY", 0), ("", 2)], "parts")
        same(opened[1].columns.formats, ["K"] + ["D"] * 4, "formats")
    same(os.path.getsize("t.fits") % 2880, 0, "rest of a block")
    same(parse("t.vot", verify="exception").version, "1.4", "version")
    with open("t.vot", "rb") as file:
        assert validate(file, open(os.devnull, "w", encoding="utf-8")), "the VOTable is not valid"


def test_batch():
    """Texts; integers that one image lacks; names that XML and FITS have to write otherwise."""
    write("in/b & '<x>.tif", 2)
    write("in/c.tif", 3)
    steps = "threshold method=manual lower=100 | label | regionprops properties=label,area"
    good(batch(steps, "in", "-t", "t.csv", "--images", "i.csv"))
    text = of_csv("out/t.csv")
    same(len(text["label"]), len(expected(cells(2))) + len(expected(cells(3))), "rows")
    for ending in ENDINGS:
        good(batch(steps, "in", "-t", "t." + ending, "--images", "i." + ending, out="out-" + ending))
        same(read(f"out-{ending}/t.{ending}")[0], text, "." + ending)
        images = read(f"out-{ending}/i.{ending}")[0]
        same((images["file"], images["rows"]), (["b & '<x>.tif", "c.tif"], [len(expected(cells(2))), len(expected(cells(3)))]), "." + ending)
        same(images["error"], [None, None] if not ending == "parquet" else ["", ""], "errors")


def test_missing():
    """An image that failed has no rows instead of a 0; no result at all is a table, too."""
    write("in/a.tif", 1)
    with open("in/b.tif", "w", encoding="utf-8") as file:
        file.write("no image")
    for ending in ENDINGS:
        same(batch(PROPERTIES, "in", "--images", "i." + ending, out="out-" + ending).returncode, 1, "status")
        same(read(f"out-{ending}/i.{ending}")[0]["rows"], [len(expected(cells(1))), None], f"rows in .{ending}")
    tifffile.imwrite("dark.tif", np.zeros((9, 9), np.uint8))
    for ending in ENDINGS:
        good(fovea("run", "-q", PROPERTIES, "dark.tif", "-t", "t." + ending))
        same(set(map(len, read("t." + ending)[0].values())), {0}, f"rows in .{ending}")


def test_many_rows():
    """Pages of Parquet end somewhere; what is missing in between stays there."""
    pixels = np.zeros((1000, 1000), np.uint8)
    pixels[::2, ::2] = 200
    pixels[::2, 4::10] = 255
    tifffile.imwrite("a.tif", pixels)
    steps = "threshold method=manual lower=100 | label connectivity=4 | regionprops intensity=source properties=label,area,eccentricity,intensity_std"
    for name in "t.csv", "t.parquet", "t.fits":
        good(fovea("run", "-q", steps, "a.tif", "-t", name))
    text = of_csv("t.csv")
    same(len(text["label"]), 250000, "rows")
    for name in "t.parquet", "t.fits":
        same(read(name)[0], text, name)


def test_other_characters():
    """FITS has ASCII alone: where a text is not, all are percent-encoded, and a comment says so."""
    names = "50 %-ü.tif", "a%20b.tif", "zelle-細胞.tif"
    for name in names:
        write("in/" + name, 2)
    steps = "threshold method=manual lower=100 | label | regionprops properties=label"
    good(batch(steps, "in", "-t", "t.fits"))
    with warnings.catch_warnings(), fits.open("out/t.fits") as opened:
        warnings.simplefilter("error")
        opened.verify("exception")
        assert "percent-encoded UTF-8" in str(opened[1].header["COMMENT"]), opened[1].header
        found = list(opened[1].data["file"])
    n = len(expected(cells(2)))
    same([urllib.parse.unquote(name) for name in found], [name for name in names for _ in range(n)], "names")
    assert all(name.isascii() for name in found), found
    good(fovea("batch", "--merge", "out", "-t", "t.vot"))
    same(read("out/t.vot")[0]["file"], [name for name in names for _ in range(n)], "names")
    os.remove("in/" + names[0])
    os.remove("in/" + names[2])
    good(fovea("run", "-q", steps + " as=t", "in/" + names[1], "-t", "plain.fits"))
    with fits.open("plain.fits") as opened:
        assert "COMMENT" not in opened[1].header, opened[1].header


def test_refused():
    """Semicolons are for text."""
    write("in/zelle-ü.tif", 2)
    steps = "threshold method=manual lower=100 | label | regionprops properties=label"
    fails(fovea("run", steps, "in/zelle-ü.tif", "-t", "t.fits", "--semicolon"), "semicolons", status=2)


main([test_values, test_standards, test_batch, test_missing, test_many_rows, test_other_characters, test_refused])
