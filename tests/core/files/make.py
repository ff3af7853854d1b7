# SPDX-License-Identifier: MIT
"""Writes tests/core/files/data: small TIFF files of all kinds, the arrays that they hold in the order t, c, z, y, x (.npy) and
what else is known about them (cases.ini). Run by hand where tifffile, imagecodecs, libtiff's tiffcp, OpenJPEG's opj_compress and ImageJ are; the
files are kept in the tree. Arrays are those that were saved; where the codec loses something, what tifffile reads."""

import configparser
import hashlib
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import imagecodecs
import numpy
import tifffile

from by_hand import directory, packed, tags, write_tiff
from lossless_jpeg import encode

DATA = pathlib.Path(__file__).parent / "data"
WIDENED = {"bool": "u1", "int64": "f8", "uint64": "f8"}
cases = configparser.ConfigParser(interpolation=None)
cases.optionxform = str
random = numpy.random.default_rng(20261121)


def smooth(shape, dtype, top=None):
    """Noise on a ramp, so that codecs and predictors have something to do."""
    dtype = numpy.dtype(dtype)
    n = int(numpy.prod(shape))
    values = numpy.linspace(0, 1, n) * 0.7 + random.random(n) * 0.3
    if dtype.kind == "f":
        out = (values * 200 - 90).astype(dtype)
        out.flat[:3] = numpy.nan, numpy.inf, -numpy.inf
        return out.reshape(shape)
    low, high = (0, top or numpy.iinfo(dtype).max) if dtype.kind == "u" else (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)
    out = numpy.minimum(low + values * (float(high) - low + 0.999), high).astype(dtype)
    out.flat[0], out.flat[-1] = low, high
    return out.reshape(shape)


def five(array, axes):
    """An array with the named axes, as t, c, z, y, x; samples (S) count as channels behind c."""
    order = [axes.index(a) for a in "TCSZYX" if a in axes]
    array = array.transpose(order)
    shape = dict(zip([a for a in "TCSZYX" if a in axes], array.shape))
    get = shape.get
    return array.reshape(get("T", 1), get("C", 1) * get("S", 1), get("Z", 1), shape["Y"], shape["X"])


def case(file, array=None, axes="YX", section=None, **about):
    """Notes what the file holds. about: see read_case() in tests/core/files/tiff/test_tiff.c."""
    section = section or file
    cases[section] = {"file": file, **{key: str(value) for key, value in about.items()}}
    if array is None:
        return
    kind = numpy.dtype(array.dtype).name
    if kind == "bool":
        array = array * numpy.uint8(255)
        about.setdefault("role", "mask")
    out = numpy.ascontiguousarray(five(array, axes).astype(WIDENED.get(kind, array.dtype.newbyteorder("<")), copy=False))
    stem = hashlib.sha256(out.tobytes() + str((out.dtype, out.shape)).encode()).hexdigest()[:12]
    numpy.save(DATA / f"{stem}.npy", out)
    cases[section].update({"expect": f"{stem}.npy"})
    if kind in WIDENED:
        cases[section].update({"source": kind})
    if about.get("role"):
        cases[section].update({"role": about["role"]})


def write(name, array, axes="YX", about=None, **options):
    options.setdefault("metadata", None)
    tifffile.imwrite(DATA / name, array, **options)
    case(name, array, axes, **(about or {}))


def tiffcp(name, source, *options, about=None, array=None, axes="YX"):
    subprocess.run(["tiffcp", *options, DATA / source, DATA / name], check=True, stderr=subprocess.DEVNULL)
    case(name, array, axes, **(about or {}))


def check_tifffile(name, array):
    """A hand-made file is what it should be: tifffile reads the same."""
    read = tifffile.imread(DATA / name)
    assert numpy.array_equal(read, array, equal_nan=array.dtype.kind == "f"), name


def by_hand(name, pages, order="<", big=False):
    write_tiff(DATA / name, pages, order, big)


# ---- The kinds ----

def types():
    for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "f8"):
        array = smooth((2, 9, 13), dtype)
        for order in "<>":
            for big in (False, True):
                name = f"type_{dtype}_{'le' if order == '<' else 'be'}{'_big' if big else ''}.tif"
                write(name, array, "ZYX", byteorder=order, bigtiff=big, photometric="minisblack")
    write("type_bool.tif", random.random((9, 13)) > 0.5, photometric="minisblack")
    for dtype in ("u8", "i8"):
        write(f"type_{dtype}.tif", numpy.ones((5, 7), dtype))
    tifffile.imwrite(DATA / "type_c8.tif", numpy.ones((5, 7), "c8"), metadata=None)
    case("type_c8.tif", error="complex")


def packed_bits():
    for bits in range(1, 16):
        if bits == 8:
            continue
        array = smooth((7, 11), "u2", (1 << bits) - 1).astype("u1" if bits < 8 else "u2")
        about = {"source": f"uint{bits}" if bits > 1 else "bool"}
        expected = array * numpy.uint8(255) if bits == 1 else array
        by_hand(f"bits{bits}.tif", [(tags(7, 11, bits), [packed(array, bits)])], "<>"[bits % 2])
        check_tifffile(f"bits{bits}.tif", array)
        case(f"bits{bits}.tif", expected, **about, **({"role": "mask"} if bits == 1 else {}))
        if bits in (1, 4, 12):
            reversed_bytes = imagecodecs.bitorder_encode(packed(array, bits))
            by_hand(f"bits{bits}_fill2.tif", [(tags(7, 11, bits, fill_order=2), [reversed_bytes])])
            check_tifffile(f"bits{bits}_fill2.tif", array)
            case(f"bits{bits}_fill2.tif", expected, **about, **({"role": "mask"} if bits == 1 else {}))
    array = smooth((7, 11), "u2")
    by_hand("bits16_fill2.tif", [(tags(7, 11, 16, fill_order=2), [imagecodecs.bitorder_encode(array.tobytes())])])
    check_tifffile("bits16_fill2.tif", array)
    case("bits16_fill2.tif", array)
    values = smooth((7, 11), "u4", (1 << 24) - 1).astype("i4")
    for order in "<>":
        data = b"".join(int(v).to_bytes(3, "little" if order == "<" else "big") for v in values.flat)
        name = f"bits24_{'le' if order == '<' else 'be'}.tif"
        by_hand(name, [(tags(7, 11, 24), [data])], order)
        case(name, values, source="uint24")
    rgb = smooth((7, 11, 3), "u1", 15)
    by_hand("bits4_rgb.tif", [(tags(7, 11, 4, 3), [packed(rgb, 4)])])
    check_tifffile("bits4_rgb.tif", rgb)
    case("bits4_rgb.tif", rgb, "YXS", source="uint4", names="red;green;blue")
    signed = smooth((7, 11), "u1", 15).astype("i1") - 8
    by_hand("bits4_signed.tif", [(tags(7, 11, 4, format=2), [packed(signed, 4)])])
    case("bits4_signed.tif", signed, source="int4")
    by_hand("bits_mixed.tif", [({**tags(2, 2, 8, 3), 258: (3, [5, 6, 5])}, [bytes(8)])])
    case("bits_mixed.tif", error="different types")


def layouts():
    gray, rgb = smooth((37, 29), "u2"), smooth((37, 29, 3), "u1")
    planar = numpy.ascontiguousarray(rgb.transpose(2, 0, 1))
    for compression in (None, "lzw"):
        for key, options in (("rows1", {"rowsperstrip": 1}), ("rows5", {"rowsperstrip": 5}), ("rows64", {"rowsperstrip": 64}),
                             ("tile16", {"tile": (16, 16)}), ("tile48", {"tile": (64, 48)}), ("tile16x32", {"tile": (16, 32)})):
            options = {**options, "compression": compression}
            suffix = f"{key}{'_' + compression if compression else ''}.tif"
            write("gray_" + suffix, gray, photometric="minisblack", byteorder=">", **options)
            write("rgb_" + suffix, rgb, "YXS", {"role": "rgb"}, photometric="rgb", **options)
            write("planar_" + suffix, planar, "SYX", {"role": "rgb"}, photometric="rgb", planarconfig="separate", **options)
    by_hand("short_offsets.tif", [(tags(9, 13, rows_per_strip=4, offset_type=3, counts=[52, 52, 13]),
                                   [gray.astype("u1")[:4, :13].tobytes(), gray.astype("u1")[4:8, :13].tobytes(),
                                    gray.astype("u1")[8:9, :13].tobytes()])])
    case("short_offsets.tif", gray.astype("u1")[:9, :13])
    by_hand("no_rows_per_strip.tif", [({**tags(37, 29, 16), 279: None}, [gray.tobytes()])])
    case("no_rows_per_strip.tif", gray)
    by_hand("rows_per_strip_max.tif", [(tags(37, 29, 16, rows_per_strip=2**32 - 1, counts=37 * 58), [gray.tobytes()])])
    case("rows_per_strip_max.tif", gray)
    by_hand("no_counts_lzw.tif", [({**tags(37, 29, 8, compression=5), 279: None}, [imagecodecs.lzw_encode(gray.astype("u1").tobytes())])])
    case("no_counts_lzw.tif", gray.astype("u1"))
    sparse = numpy.zeros((32, 48), "u1")
    sparse[:16, 16:32] = smooth((16, 16), "u1")
    tiles = {**tags(32, 48), 322: (4, 16), 323: (4, 16), 324: (4, [0] * 6), 325: (4, [0, 256, 0, 0, 0, 0])}
    del tiles[273]
    body = sparse[:16, 16:32].tobytes()
    encoded = imagecodecs.zlib_encode(body)
    tiles[259], tiles[325] = (3, 8), (4, [0, len(encoded), 0, 0, 0, 0])
    tiles[324] = (4, [0, 0, 0, 0, 0, 0])
    out = b"II*\0" + struct.pack("<I", 8)
    size = len(directory(tiles, "<", False, 8, False))
    tiles[324] = (4, [0, 8 + size, 0, 0, 0, 0])
    (DATA / "tiles_absent.tif").write_bytes(out + directory(tiles, "<", False, 8, False) + encoded)
    check_tifffile("tiles_absent.tif", sparse)
    case("tiles_absent.tif", sparse)


def compressions():
    gray, rgb = smooth((40, 29), "u1"), smooth((40, 32, 3), "u1")
    for name in ("packbits", "lzw", "zlib", "zstd", "lzma"):
        write(f"gray_{name}.tif", gray, compression=name, rowsperstrip=16)
        write(f"wide_{name}.tif", gray.astype("u2") * 257, byteorder=">", compression=name)
    write("gray_deflate.tif", gray, compression="deflate")
    by_hand("old_deflate.tif", [(tags(40, 29, compression=32946, counts=len(imagecodecs.zlib_encode(gray.tobytes()))),
                                 [imagecodecs.zlib_encode(gray.tobytes())])])
    case("old_deflate.tif", gray)
    old = old_lzw(gray.tobytes())
    by_hand("old_lzw.tif", [(tags(40, 29, compression=5, counts=len(old)), [old])])
    case("old_lzw.tif", gray)
    write("lerc_f4.tif", numpy.nan_to_num(smooth((40, 29), "f4"), posinf=5, neginf=-5), compression="lerc")
    write("lerc_u2.tif", gray.astype("u2"), compression="lerc", tile=(16, 16))
    tifffile.imwrite(DATA / "webp.tif", rgb, photometric="rgb", compression="webp", compressionargs={"level": 101}, metadata=None)
    case("webp.tif", tifffile.imread(DATA / "webp.tif"), "YXS", role="rgb")
    for key, options in (("gray", {}), ("gray_tile", {"tile": (16, 16)})):
        tifffile.imwrite(DATA / f"jpeg_{key}.tif", gray, compression="jpeg", metadata=None, **options)
        case(f"jpeg_{key}.tif", tifffile.imread(DATA / f"jpeg_{key}.tif"), tolerance=1)
    for key, options in (("ycbcr", {"photometric": "rgb", "subsampling": (1, 1)}),
                         ("ycbcr_tile", {"photometric": "rgb", "subsampling": (2, 2), "tile": (16, 16)}),
                         ("rgb", {"photometric": "rgb", "compressionargs": {"outcolorspace": "rgb"}}),
                         ("strips", {"photometric": "rgb", "subsampling": (2, 2), "rowsperstrip": 16})):
        tifffile.imwrite(DATA / f"jpeg_{key}.tif", rgb, compression="jpeg", metadata=None, **options)
        case(f"jpeg_{key}.tif", tifffile.imread(DATA / f"jpeg_{key}.tif"), "YXS", role="rgb", tolerance=2)
    old_jpeg(rgb)
    lossless()
    ycbcr()
    bits = random.random((24, 40)) > 0.8
    tifffile.imwrite(DATA / "bilevel.tif", bits, photometric="miniswhite", metadata=None)
    case("bilevel.tif", bits, inverted=1)
    for key, option in (("g3", "g3:1d"), ("g3_2d", "g3:2d"), ("g4", "g4"), ("jbig", "jbig")):
        tiffcp(f"bilevel_{key}.tif", "bilevel.tif", "-c", option, array=bits, about={"inverted": 1})
    tiffcp("bilevel_g4_fill2.tif", "bilevel.tif", "-c", "g4", "-f", "lsb2msb", array=bits, about={"inverted": 1})
    for name, scheme, text in (("jpeg2000", 34712, "its JPEG 2000 stream is damaged"), ("jpegxl", 50002, "JPEG XL"), ("jpegxr", 34934, "JPEG XR"),
                               ("unknown", 12345, "compression 12345")):
        by_hand(f"{name}.tif", [(tags(8, 8, compression=scheme, counts=64), [bytes(64)])])
        case(f"{name}.tif", error=text)


def old_lzw(data):
    """LZW as before TIFF 5: codes from the lowest bit, and one code later to the next width."""
    out = bits = filled = 0
    result = bytearray()
    table = {bytes([i]): i for i in range(256)}
    width, word = 9, b""
    codes = [(256, 9)]
    for byte in data:
        longer = word + bytes([byte])
        if longer in table:
            word = longer
            continue
        codes.append((table[word], width))
        table[longer] = len(table) + 2
        if len(table) + 2 > (1 << width):
            width += 1
        word = bytes([byte])
        if len(table) + 2 >= 4094:
            raise ValueError("longer than one table")
    codes += [(table[word], width), (257, width)]
    for code, width in codes:
        bits |= code << filled
        filled += width
        while filled >= 8:
            result.append(bits & 255)
            bits >>= 8
            filled -= 8
    result.append(bits & 255)
    return bytes(result)


def lossless():
    """Lossless JPEG, of which tifffile reads all but restarts; tiles of DNG say that they have half as many columns and two components."""
    own = numpy.random.default_rng(9)
    gray, rgb = own.integers(0, 1 << 14, (32, 48)).astype("u2"), own.integers(0, 65536, (9, 13, 3)).astype("u2")
    parts = [gray[y:y + 16, x:x + 16] for y in (0, 16) for x in (0, 16, 32)]
    tiled = {**{key: value for key, value in tags(32, 48, 16, compression=7).items() if key != 273}, 322: (4, 16), 323: (4, 16), 324: (4, 0), 325: (4, [])}
    for name, width, order in (("tiles", 16, "<"), ("dng", 8, ">")):
        chunks = [encode(part.reshape(16, width, -1), 14, 7) for part in parts]
        by_hand(f"lossless_{name}.tif", [({**tiled, 325: (4, [len(chunk) for chunk in chunks])}, chunks)], order)
        assert (tifffile.imread(DATA / f"lossless_{name}.tif") == gray).all()
        case(f"lossless_{name}.tif", gray)
    by_hand("lossless_rgb.tif", [(tags(9, 13, 16, 3, compression=7, rows_per_strip=9), [encode(rgb, 16, 4)])], ">")
    assert (tifffile.imread(DATA / "lossless_rgb.tif") == rgb).all()
    case("lossless_rgb.tif", rgb, "YXS", names="red;green;blue")
    small = (gray[:9, :13, None] >> 6).astype("u1")
    by_hand("lossless_8.tif", [(tags(9, 13, 8, compression=7, rows_per_strip=4), [encode(small[y:y + 4], 8, 5, restart=2) for y in (0, 4, 8)])])
    case("lossless_8.tif", small[..., 0])


def old_jpeg(rgb):
    """Compression 6: a JPEG file in the file."""
    stream = imagecodecs.jpeg8_encode(rgb, level=90, subsampling="444")
    page = tags(40, 32, samples=3, compression=6, rows_per_strip=40, counts=len(stream), tag530=(3, [1, 1]))
    page[262] = (3, 6)
    page[513], page[514] = (4, 0), (4, len(stream))
    at = 8 + len(directory(page, "<", False, 8, False))
    page[513], page[273] = (4, at), (4, at)
    (DATA / "old_jpeg.tif").write_bytes(b"II*\0" + struct.pack("<I", 8) + directory(page, "<", False, 8, False) + stream)
    case("old_jpeg.tif", imagecodecs.jpeg8_decode(stream), "YXS", role="rgb", tolerance=2)


def ycbcr():
    """Uncompressed YCbCr, sub-sampled 2 x 2; expected is the formula of CCIR 601."""
    y = smooth((8, 12), "u1", 255).astype(int)
    cb, cr = (smooth((4, 6), "u1", 200).astype(int) for _ in range(2))
    data = bytearray()
    for i in range(4):
        for j in range(6):
            data += bytes(int(v) for v in y[2 * i:2 * i + 2, 2 * j:2 * j + 2].flat) + bytes([int(cb[i, j]), int(cr[i, j])])
    by_hand("ycbcr.tif", [({**tags(8, 12, samples=3, rows_per_strip=8, counts=len(data)), 262: (3, 6), 530: (3, [2, 2]),
                            532: (5, [0, 1, 255, 1, 128, 1, 255, 1, 128, 1, 255, 1])}, [bytes(data)])])
    b, r = (numpy.kron(v, numpy.ones((2, 2))) - 128 for v in (cb, cr))
    rgb = numpy.stack([y + 1.402 * r, y - 0.344136 * b - 0.714136 * r, y + 1.772 * b], -1)
    case("ycbcr.tif", numpy.clip(numpy.rint(rgb), 0, 255).astype("u1"), "YXS", role="rgb", tolerance=2)


def predictors():
    for dtype in ("u1", "u2", "u4", "i4", "i2"):
        gray, rgb = smooth((37, 29), dtype), smooth((19, 29, 3), dtype)
        for order in "<>":
            end = "le" if order == "<" else "be"
            write(f"predictor2_{dtype}_{end}.tif", gray, byteorder=order, compression="lzw", predictor=2)
            write(f"predictor2_{dtype}_{end}_tile.tif", gray, byteorder=order, compression="zlib", predictor=2, tile=(16, 32))
            write(f"predictor2_{dtype}_{end}_rgb.tif", rgb, "YXS", {"role": "rgb"} if dtype == "u1" else {}, byteorder=order,
                  compression="zlib", predictor=2, photometric="rgb", rowsperstrip=8)
        write(f"predictor2_{dtype}_planar.tif", numpy.ascontiguousarray(rgb.transpose(2, 0, 1)), "SYX",
              {"role": "rgb"} if dtype == "u1" else {}, compression="zstd", predictor=2, photometric="rgb",
              planarconfig="separate", rowsperstrip=7)
    for dtype in ("f2", "f4", "f8"):
        gray, rgb = smooth((37, 29), dtype), smooth((19, 29, 3), dtype)
        for order in "<>":
            end = "le" if order == "<" else "be"
            write(f"predictor3_{dtype}_{end}.tif", gray, byteorder=order, compression="zlib", predictor=3)
        write(f"predictor3_{dtype}_tile.tif", gray, compression="lzw", predictor=3, tile=(16, 32))
        write(f"predictor3_{dtype}_rgb.tif", rgb, "YXS", compression="zlib", predictor=3, photometric="rgb", rowsperstrip=8)


def colours():
    gray, rgb = smooth((9, 13), "u1"), smooth((9, 13, 3), "u1")
    write("white_is_zero.tif", gray, about={"inverted": 1}, photometric="miniswhite")
    ramp = numpy.zeros((3, 256), "u2")
    ramp[1] = numpy.arange(256) * 257
    write("palette_green.tif", gray, about={"source": "indexed colors", "colors": "00ff00"}, photometric="palette", colormap=ramp)
    write("palette_any.tif", gray, about={"source": "indexed colors"}, photometric="palette", colormap=random.integers(0, 65536, (3, 256)).astype("u2"))
    write("palette_gray.tif", gray, photometric="palette", colormap=numpy.tile(numpy.arange(256) * 257, (3, 1)).astype("u2"))
    write("palette_inverted.tif", gray, about={"inverted": 1}, photometric="palette",
          colormap=numpy.tile(numpy.arange(255, -1, -1) * 257, (3, 1)).astype("u2"))
    wide = smooth((9, 13), "u2")
    by_hand("palette16.tif", [({**tags(9, 13, 16), 262: (3, 3)}, [wide.tobytes()])])
    case("palette16.tif", wide)
    about = {"names": "red;green;blue", "colors": "ff0000;00ff00;0000ff"}
    write("rgb_u2.tif", smooth((9, 13, 3), "u2"), "YXS", about, photometric="rgb")
    write("rgb_f4.tif", smooth((9, 13, 3), "f4"), "YXS", about, photometric="rgb")
    opaque = numpy.dstack([rgb, numpy.full((9, 13), 255, "u1")])
    tifffile.imwrite(DATA / "rgba_opaque.tif", opaque, photometric="rgb", extrasamples=["unassalpha"], metadata=None)
    case("rgba_opaque.tif", rgb, "YXS", role="rgb")
    clear = opaque.copy()
    clear[3, 4, 3] = 254
    about = {"names": "red;green;blue;alpha", "colors": "ff0000;00ff00;0000ff;ffffff"}
    for key in ("unassalpha", "assocalpha"):
        write(f"rgba_{key}.tif", clear, "YXS", about, photometric="rgb", extrasamples=[key])
    tifffile.imwrite(DATA / "rgba_planar_opaque.tif", numpy.ascontiguousarray(opaque.transpose(2, 0, 1)), photometric="rgb",
                     planarconfig="separate", extrasamples=["unassalpha"], metadata=None)
    case("rgba_planar_opaque.tif", rgb, "YXS", role="rgb")
    two = numpy.stack([opaque, clear])
    write("rgba_second_page.tif", two, "ZYXS", about, photometric="rgb", extrasamples=["unassalpha"])
    write("rgbx.tif", clear, "YXS", {"names": "red;green;blue;extra 1"}, photometric="rgb", extrasamples=["unspecified"])
    gray_alpha = numpy.dstack([gray, numpy.full((9, 13), 255, "u1")])
    tifffile.imwrite(DATA / "gray_alpha_opaque.tif", gray_alpha, photometric="minisblack", planarconfig="contig",
                     extrasamples=["unassalpha"], metadata=None)
    case("gray_alpha_opaque.tif", gray)
    gray_alpha[0, 0, 1] = 3
    write("gray_alpha.tif", gray_alpha, "YXS", {"names": "gray;alpha"}, photometric="minisblack", planarconfig="contig",
          extrasamples=["unassalpha"])
    write("samples5.tif", smooth((9, 13, 5), "u2"), "YXS", photometric="minisblack", planarconfig="contig")
    write("samples5_planar.tif", smooth((5, 9, 13), "u2"), "SYX", photometric="minisblack", planarconfig="separate")
    for name, photometric, text in (("cmyk", "separated", "CMYK"), ("lab", "cielab", "L*a*b*")):
        tifffile.imwrite(DATA / f"{name}.tif", smooth((5, 6, 4 if name == "cmyk" else 3), "u1"), photometric=photometric,
                         metadata=None)
        case(f"{name}.tif", error=text)


def orientations():
    stored = smooth((7, 11), "u2")
    shown = {1: stored, 2: stored[:, ::-1], 3: stored[::-1, ::-1], 4: stored[::-1], 5: stored.T, 6: stored.T[:, ::-1],
             7: stored.T[::-1, ::-1], 8: stored.T[::-1]}
    for number, array in shown.items():
        page = tags(7, 11, 16, orientation=number)
        page |= {282: (5, [50000, 1]), 283: (5, [20000, 1]), 296: (3, 3)}
        by_hand(f"orientation{number}.tif", [(page, [stored.tobytes()])])
        y, x = (0.5, 0.2) if number < 5 else (0.2, 0.5)
        case(f"orientation{number}.tif", array, spacing=f"1 {y} {x}", units="µm;µm;µm")
    rgb = smooth((7, 11, 3), "u1")
    by_hand("orientation6_rgb.tif", [(tags(7, 11, 8, 3, orientation=6), [rgb.tobytes()])])
    case("orientation6_rgb.tif", rgb.transpose(1, 0, 2)[:, ::-1], "YXS", role="rgb")


def resolutions():
    array = smooth((5, 7), "u1")
    for key, x, y, unit, spacing, units in (
            ("inch", [300, 1], [300, 1], 2, "1 .0033333333333333335 .0033333333333333335", "inch;inch;inch"),
            ("inch_small", [50800, 1], [25400, 1], 2, "1 1 .5", "µm;µm;µm"),
            ("cm", [500, 10], [1000, 10], 3, "1 .01 .02", "cm;cm;cm"),
            ("cm_small", [100000, 2], [100000, 2], 3, "1 .2 .2", "µm;µm;µm"),
            ("dpi72", [72, 1], [72, 1], 2, "1 1 1", ";;"),
            ("none", [5, 1], [5, 1], 1, "1 1 1", ";;"),
            ("zero", [0, 0], [0, 0], 3, "1 1 1", ";;"),
            ("infinite", [1, 0], [1, 0], 3, "1 1 1", ";;"),
            ("one", [1, 1], [1, 1], 2, "1 1 1", ";;"),
            ("only_x", [200, 1], None, 3, "1 .005 .005", "cm;cm;cm")):
        page = {**tags(5, 7), 282: (5, x), 296: (3, unit)}
        if y:
            page[283] = (5, y)
        by_hand(f"resolution_{key}.tif", [(page, [array.tobytes()])])
        case(f"resolution_{key}.tif", array, spacing=spacing, units=units)


def pages():
    a, b = smooth((3, 9, 13), "u2"), smooth((2, 5, 6), "u1")
    with tifffile.TiffWriter(DATA / "two_sizes.tif") as out:
        for page in (a[0], b[0], a[1], b[1], a[2]):
            out.write(page, metadata=None, contiguous=False)
    case("two_sizes.tif", a, "ZYX", series=2)
    case("two_sizes.tif", b, "ZYX", section="two_sizes.tif 1", number=1, series=2)
    with tifffile.TiffWriter(DATA / "reduced_pages.tif") as out:
        for page in a:
            out.write(page, metadata=None, contiguous=False)
            out.write(page[::2, ::2], metadata=None, subfiletype=1, contiguous=False)
    case("reduced_pages.tif", a, "ZYX", series=1)
    with tifffile.TiffWriter(DATA / "sub_images.tif") as out:
        for page in a:
            out.write(page, metadata=None, subifds=1, contiguous=False)
            out.write(page[::2, ::2], metadata=None, subfiletype=1)
    case("sub_images.tif", a, "ZYX", series=1)
    many = smooth((300, 2, 3), "u1")
    by_hand("many_pages.tif", [(tags(2, 3), [page.tobytes()]) for page in many])
    case("many_pages.tif", many, "ZYX")


def imagej():
    array = smooth((2, 4, 3, 9, 13), "u2")
    about = {"spacing": "1.5 .25 .2", "units": "µm;µm;µm", "interval": "0.5", "interval_unit": "s"}
    options = {"imagej": True, "resolution": (5, 4),
               "metadata": {"axes": "TZCYX", "unit": "um", "spacing": 1.5, "finterval": 0.5, "mode": "composite"}}
    for order in "<>":
        end = "le" if order == "<" else "be"
        write(f"imagej_{end}.tif", array, "TZCYX", about, byteorder=order, **options)
    write("imagej_deflate.tif", array, "TZCYX", about, compression="zlib", **options)
    tiffcp("imagej_copied.tif", "imagej_le.tif", "-c", "none", array=array, axes="TZCYX", about=about)
    tiffcp("imagej_copied_lzw.tif", "imagej_le.tif", "-c", "lzw", "-t", "-w", "16", "-l", "16", array=array, axes="TZCYX",
           about=about)
    write("imagej_micron.tif", smooth((9, 13), "f4"), "YX", {"spacing": "1 2 2", "units": "µm;µm;µm"}, imagej=True,
          resolution=(.5, .5), metadata={"unit": "\\u00B5m"})
    write("imagej_z.tif", smooth((4, 9, 13), "u1"), "ZYX", {"spacing": "3 1 1", "units": "nm;nm;nm", "ranges": "3 200"},
          imagej=True, resolution=(1, 1), metadata={"axes": "ZYX", "unit": "nm", "spacing": 3, "min": 3.0, "max": 200.0})
    rgb = smooth((4, 9, 13, 3), "u1")
    write("imagej_rgb.tif", rgb, "ZYXS", {"role": "rgb"}, imagej=True, metadata={"axes": "ZYXS"})
    luts = [numpy.zeros((3, 256), "u1") for _ in range(3)]
    for i in range(3):
        luts[i][i] = numpy.arange(256)
    luts[2][0] = numpy.arange(256)
    write("imagej_channels.tif", array[0, 0], "CYX", {"names": "DAPI;GFP;Äther", "colors": "ff0000;00ff00;ff00ff",
                                                    "ranges": "1 2;3 4.5;0 65535"},
          imagej=True, metadata={"axes": "CYX", "mode": "composite", "Labels": ["DAPI", "GFP", "Äther"], "LUTs": luts,
                                 "Ranges": [1., 2., 3., 4.5, 0., 65535.]})
    flat = array[0, 0]
    text = b"ImageJ=1.53t\nimages=3\nslices=3\nunit=\\u00B5m\nspacing=0.5\n\0"
    for key, big_claim, error in (("", 3, None), ("_truncated", 30, None), ("_truncated_large", 2_000_000_000, "truncated")):
        page = tags(9, 13, 16, tag270=(2, text.replace(b"=3", b"=%d" % big_claim)))
        by_hand(f"imagej_one_directory{key}.tif", [(page, [flat.tobytes()])])
        case(f"imagej_one_directory{key}.tif", **({"error": error} if error else {}))
        if not error:
            claimed = flat if big_claim == 3 else flat[:1]
            case(f"imagej_one_directory{key}.tif", claimed, "ZYX", units="µm;µm;µm", spacing=".5 1 1")
    for key, raw in (("latin1", b"\xb5m"), ("utf8", "µm".encode()), ("um", b"um"), ("micron", b"micron"), ("mu", "μm".encode())):
        page = tags(5, 7, tag270=(2, b"ImageJ=1.40g\nunit=" + raw + b"\n\0"), tag282=(5, [4, 1]), tag283=(5, [4, 1]),
                    tag296=(3, 1))
        by_hand(f"imagej_unit_{key}.tif", [(page, [bytes(35)])])
        case(f"imagej_unit_{key}.tif", numpy.zeros((5, 7), "u1"), spacing="1 .25 .25", units="µm;µm;µm")
    page = tags(5, 7, tag270=(2, b"ImageJ=1.53t\nunit=um\n\0"), tag282=(5, [50000, 1]), tag283=(5, [50000, 1]), tag296=(3, 3))
    by_hand("imagej_cm.tif", [(page, [bytes(35)])])
    case("imagej_cm.tif", numpy.zeros((5, 7), "u1"), spacing="1 .2 .2", units="µm;µm;µm")
    by_imagej(array)


MACRO = r"""
open("{data}/imagej_le.tif"); run("Green"); run("Properties...", "unit=nm pixel_width=2 pixel_height=3 voxel_depth=4");
Stack.setChannel(2); setMetadata("Label", "second"); saveAs("Tiff", "{data}/written_by_imagej.tif"); close();
newImage("s", "16-bit ramp", 7, 5, 1); run("Calibrate...", "function=[Straight Line] unit=[Gray Value] text1=[0 65535] text2=[-32768 32767]");
saveAs("Tiff", "{data}/written_by_imagej_signed.tif"); close();
newImage("m", "8-bit black", 7, 5, 1); setPixel(2, 3, 255); run("Invert LUT"); saveAs("Tiff", "{data}/written_by_imagej_mask.tif"); close();
newImage("r", "RGB ramp", 7, 5, 2); saveAs("Tiff", "{data}/written_by_imagej_rgb.tif"); close();
open("{data}/rgb_u2.tif"); saveAs("Tiff", "{data}/written_by_imagej_48bit.tif"); close();
newImage("f", "32-bit ramp", 7, 5, 3); run("Properties...", "channels=1 slices=1 frames=3 unit=mm pixel_width=.5 pixel_height=.5 frame=[2 sec]");
saveAs("Tiff", "{data}/written_by_imagej_time.tif"); close();
"""


def by_imagej(array):
    with tempfile.TemporaryDirectory() as folder:
        macro = pathlib.Path(folder) / "macro.ijm"
        macro.write_text(MACRO.replace("{data}", str(DATA)))
        subprocess.run(["xvfb-run", "-a", "java", "-cp", "/usr/share/java/ij.jar", "ij.ImageJ", "-batch", macro], check=True)
    case("written_by_imagej.tif", array, "TZCYX", spacing="4 3 2", units="nm;nm;nm", interval="0.5", interval_unit="s")
    for key, axes, about in (("signed", "YX", {}), ("mask", "YX", {"inverted": 1}), ("rgb", "ZYXS", {"role": "rgb"}),
                             ("48bit", "YXS", {}), ("time", "TYX", {"spacing": "1 .5 .5", "units": "mm;mm;mm", "interval": "2",
                                                                   "interval_unit": "s"})):
        read = tifffile.imread(DATA / f"written_by_imagej_{key}.tif")
        if key == "signed":
            read = (read.astype("i4") - 32768).astype("i2")
        case(f"written_by_imagej_{key}.tif", read.astype(read.dtype.newbyteorder("<")), axes, **about)


def ome_xml(pixels, body="", images=None, root=""):
    images = images or f'<Image ID="Image:0" Name="first">{pixels}{body}</Pixels></Image>'
    return ('<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" '
            f'{root}>{images}</OME>').encode() + b"\0"


def ome():
    array = smooth((2, 3, 4, 5, 7), "u2")  # t, c, z, y, x
    about = {"spacing": ".5 .2 .1", "units": "µm;µm;µm", "interval": "3", "interval_unit": "s", "names": "DAPI;GFP;channel 3",
             "colors": "0000ff;00ff00;ff0000"}
    channels = ('<Channel ID="Channel:0:0" Name="DAPI" Color="65535"/><Channel ID="Channel:0:1" Name="GFP" Color="16711935"/>'
                '<Channel ID="Channel:0:2" Color="-16776961"/>')
    sizes = 'SizeX="7" SizeY="5" SizeZ="4" SizeC="3" SizeT="2" Type="uint16"'
    physical = ('PhysicalSizeX="100" PhysicalSizeXUnit="nm" PhysicalSizeY="0.2" PhysicalSizeZ="0.5" PhysicalSizeZUnit="µm" '
                'TimeIncrement="3"')
    for order in ("ZCT", "ZTC", "CZT", "CTZ", "TZC", "TCZ"):
        letters = {"Z": 2, "C": 1, "T": 0}
        planes = array.transpose([letters[a] for a in reversed(order)] + [3, 4]).reshape(-1, 5, 7)
        xml = ome_xml(f'<Pixels ID="Pixels:0" DimensionOrder="XY{order}" {sizes} {physical}>', channels + "<TiffData/>")
        by_hand(f"ome_{order.lower()}.ome.tif",
                [(tags(5, 7, 16, **({"tag270": (2, xml)} if i == 0 else {})), [p.tobytes()]) for i, p in enumerate(planes)])
        case(f"ome_{order.lower()}.ome.tif", array, "TCZYX",
             **{**about, "spacing": ".5 .2 100", "units": "µm;µm;nm"})
    shuffled = random.permutation(24)
    planes = array.reshape(-1, 5, 7)
    blocks = "".join(f'<TiffData IFD="{ifd}" FirstT="{n // 12}" FirstC="{n // 4 % 3}" FirstZ="{n % 4}" PlaneCount="1"/>'
                     for ifd, n in enumerate(shuffled))
    xml = ome_xml(f'<Pixels DimensionOrder="XYZCT" {sizes}>', blocks)
    by_hand("ome_shuffled.ome.tif", [(tags(5, 7, 16, **({"tag270": (2, xml)} if i == 0 else {})), [planes[n].tobytes()])
                                     for i, n in enumerate(shuffled)], "<", True)
    case("ome_shuffled.ome.tif", array, "TCZYX", spacing="1 1 1", units=";;")
    blocks = '<TiffData FirstT="0" IFD="0" PlaneCount="12"/>'
    xml = ome_xml(f'<Pixels DimensionOrder="XYZCT" {sizes}>', blocks)
    by_hand("ome_stopped.ome.tif", [(tags(5, 7, 16, **({"tag270": (2, xml)} if i == 0 else {})), [planes[i].tobytes()])
                                    for i in range(12)])
    case("ome_stopped.ome.tif", array[:1], "TCZYX")
    xml = ome_xml(f'<Pixels DimensionOrder="XYZCT" {sizes}>', "<TiffData/>")
    for name, n in ("ome_first_channel.ome.tif", 5), ("ome_contradicts.ome.tif", 3):
        by_hand(name, [(tags(5, 7, 16, **({"tag270": (2, xml)} if i == 0 else {})), [planes[i].tobytes()]) for i in range(n)])
    case("ome_first_channel.ome.tif", array[0, 0], "ZYX")
    case("ome_contradicts.ome.tif", planes[:3], "ZYX")
    by_hand("ome_broken.ome.tif", [(tags(5, 7, 16, tag270=(2, xml[:-20] + b"\0")), [planes[i].tobytes()]) for i in range(3)])
    case("ome_broken.ome.tif", planes[:3], "ZYX")
    tifffile.imwrite(DATA / "ome_tifffile.ome.tif", array, metadata={
        "axes": "TCZYX", "PhysicalSizeX": .1, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": .2, "PhysicalSizeYUnit": "µm",
        "PhysicalSizeZ": .5, "PhysicalSizeZUnit": "µm", "TimeIncrement": 3, "TimeIncrementUnit": "s",
        "Channel": {"Name": ["DAPI", "GFP", "channel 3"]}}, photometric="minisblack", compression="zlib")
    case("ome_tifffile.ome.tif", array, "TCZYX", **{k: v for k, v in about.items() if k != "colors"})
    rgb = smooth((3, 5, 7, 3), "u1")
    tifffile.imwrite(DATA / "ome_rgb.ome.tif", rgb, photometric="rgb", metadata={"axes": "ZYXS"})
    case("ome_rgb.ome.tif", rgb, "ZYXS", role="rgb")
    with tifffile.TiffWriter(DATA / "ome_pyramid.ome.tif", ome=True) as out:
        large = smooth((2, 32, 48), "u1")
        out.write(large, subifds=2, tile=(16, 16), metadata={"axes": "CYX", "PhysicalSizeX": .5}, photometric="minisblack")
        out.write(large[:, ::2, ::2], subfiletype=1, tile=(16, 16))
        out.write(large[:, ::4, ::4], subfiletype=1, tile=(16, 16))
    case("ome_pyramid.ome.tif", large, "CYX", spacing="1 1 .5", units="µm;;µm", series=1)
    with tifffile.TiffWriter(DATA / "ome_two.ome.tif", ome=True) as out:
        out.write(array[0, 0], metadata={"axes": "ZYX", "Name": "A"}, photometric="minisblack")
        out.write(rgb[0], metadata={"axes": "YXS", "Name": "B"}, photometric="rgb")
    case("ome_two.ome.tif", array[0, 0], "ZYX", series=2, name="ome_two.ome.tif: A")
    case("ome_two.ome.tif", rgb[0], "YXS", section="ome_two.ome.tif 1", series=2, number=1, role="rgb",
         name="ome_two.ome.tif: B")
    ome_sets(array)


def ome_sets(array):
    """One file for each channel; the third is missing beside the partial set."""
    for key, there in (("set", 3), ("partial", 2)):
        blocks = "".join(f'<TiffData FirstC="{c}" FirstT="{t}" IFD="{t * 4}" PlaneCount="4"><UUID FileName="ome_{key}_{c}.ome.tif">'
                         f'urn:uuid:0000-{c}</UUID></TiffData>' for c in range(3) for t in range(2))
        names = "".join(f'<Channel Name="c{c}"/>' for c in range(3))
        pixels = '<Pixels DimensionOrder="XYZCT" SizeX="7" SizeY="5" SizeZ="4" SizeC="3" SizeT="2" Type="uint16">'
        for c in range(there):
            xml = ome_xml(pixels, names + blocks, root=f'UUID="urn:uuid:0000-{c}"')
            planes = array[:, c].reshape(-1, 5, 7)
            by_hand(f"ome_{key}_{c}.ome.tif", [(tags(5, 7, 16, **({"tag270": (2, xml)} if i == 0 else {})), [p.tobytes()])
                                               for i, p in enumerate(planes)])
            case(f"ome_{key}_{c}.ome.tif", array[:, :there], "TCZYX", names=";".join(f"c{i}" for i in range(there)))
    xml = ome_xml(pixels, names + blocks.replace("partial", "companion"))
    (DATA / "set.companion.ome").write_bytes(xml[:-1])
    for c in range(3):
        xml = (f'<OME xmlns="o" UUID="urn:uuid:0000-{c}"><BinaryOnly MetadataFile="set.companion.ome" UUID="urn:uuid:1"/></OME>'
               .encode() + b"\0")
        by_hand(f"ome_companion_{c}.ome.tif", [(tags(5, 7, 16, **({"tag270": (2, xml)} if i == 0 else {})), [p.tobytes()])
                                               for i, p in enumerate(array[:, c].reshape(-1, 5, 7))])
    case("ome_companion_1.ome.tif", array, "TCZYX", names="c0;c1;c2")


def others():
    array = smooth((2, 3, 4, 9, 13), "u1")
    write("tifffile_axes.tif", array, "TCZYX", metadata={"axes": "TCZYX"}, photometric="minisblack")
    write("tifffile_order.tif", array, "CTZYX", metadata={"axes": "CTZYX"}, photometric="minisblack")
    write("tifffile_plain.tif", array.reshape(24, 9, 13), "ZYX", metadata={}, photometric="minisblack")
    tifffile.imwrite(DATA / "tifffile_one_directory.tif", array, metadata={"axes": "TCZYX"}, truncate=True,
                     photometric="minisblack")
    case("tifffile_one_directory.tif", array, "TCZYX")
    tifffile.imwrite(DATA / "tifffile_planar.tif", smooth((2, 5, 3, 9, 13), "u1"), metadata={"axes": "TZCYX"}, photometric="rgb",
                     planarconfig="separate")
    case("tifffile_planar.tif", tifffile.imread(DATA / "tifffile_planar.tif"), "TZCYX", role="rgb")
    stack = smooth((6, 9, 13), "u2")
    by_hand("metamorph.stk", [({**tags(9, 13, 16), 33629: (5, [1, 1] * 18)}, [stack.tobytes()])])
    entry = (DATA / "metamorph.stk").read_bytes()
    at = entry.index(struct.pack("<HHI", 33629, 5, 18))
    (DATA / "metamorph.stk").write_bytes(entry[:at + 4] + struct.pack("<I", 6) + entry[at + 8:])
    case("metamorph.stk", stack, "ZYX")


APERIO = "Aperio Image Library v11.2.1\r\n%s"


def tiles_of(array, size):
    """Of an array of whole tiles, row by row."""
    return [array[y:y + size, x:x + size] for y in range(0, array.shape[0], size) for x in range(0, array.shape[1], size)]


def tiled(array, size, compression, **more):
    """The tags of such a page, without its strips."""
    out = tags(array.shape[0], array.shape[1], 8 * array.dtype.itemsize, array.shape[2] if array.ndim > 2 else 1, compression=compression, **more)
    del out[273]
    return {**out, 322: (4, size), 323: (4, size), 324: (4, 0)}


def slides():
    """A slide as Aperio's scanners write them: levels that are not called reduced, a thumbnail between them, label and macro behind them."""
    own = numpy.random.default_rng(33005)
    slide = own.integers(0, 256, (64, 96, 3)).astype("u1")
    label, macro = own.integers(0, 256, (11, 9, 3)).astype("u1"), own.integers(0, 256, (6, 30, 3)).astype("u1")
    with tifffile.TiffWriter(DATA / "aperio.svs") as out:
        text = APERIO % "96x64 (16x16) J2K/KDU Q=30|AppMag = 20|Date = 12/29/09|MPP = 0.4990|OriginalWidth = 96"
        out.write(slide, tile=(16, 16), photometric="rgb", compression=33005, compressionargs={"level": 0}, description=text, metadata=None)
        for array, text, kind, options in (
                (slide[::4, ::4], "96x64 -> 24x16 - |AppMag = 20", 0, {}), (slide[::2, ::2], "96x64 -> 48x32", 0, {"tile": (16, 16)}),
                (label, "label 9x11", 1, {"compression": "lzw"}), (macro, "macro 30x6", 9, {})):
            out.write(array, photometric="rgb", description=APERIO % text, subfiletype=kind, metadata=None, **options)
    about = {"role": "rgb", "series": 3}
    case("aperio.svs", slide, "YXS", spacing="1 .499 .499", units="µm;µm;µm", name="aperio.svs #1", **about)
    case("aperio.svs", label, "YXS", section="aperio.svs 1", number=1, name="aperio.svs: label", units=";;", **about)
    case("aperio.svs", macro, "YXS", section="aperio.svs 2", number=2, name="aperio.svs: macro", **about)
    # Tiles that were left out have no bytes, and offsets all the same.
    parts = [b"" if i == 1 else tile.tobytes() for i, tile in enumerate(tiles_of(slide, 32))]
    by_hand("empty_tile.tif", [(tiled(slide, 32, 1), parts)])
    empty = slide.copy()
    empty[:32, 32:64] = 0
    case("empty_tile.tif", empty, "YXS", role="rgb")


def jpeg2000():
    """Lossless, but for the rounding of colors. Cb and Cr of Aperio's scanners are at every second column."""
    own = numpy.random.default_rng(34712)
    y, x = numpy.indices((32, 48))
    gray = (y * 900 + x * 700 + own.integers(0, 2000, y.shape)).astype("u2")
    rgb = numpy.stack([(y * 5 + x) % 256, x * 5, 255 - y * 3 - x * 3], -1).astype("u1")
    lossless = {"metadata": None, "compression": "jpeg2000", "compressionargs": {"level": 0, "reversible": True}}
    write("jpeg2000_u2.tif", gray, rowsperstrip=10, **lossless)
    by_hand("jpeg2000_be.tif", [(tiled(gray, 16, 34712), [imagecodecs.jpeg2k_encode(tile, level=0, reversible=True) for tile in tiles_of(gray, 16)])], ">")
    case("jpeg2000_be.tif", gray)
    write("jpeg2000_i2.tif", (gray.astype("i4") - 30000).astype("i2"), tile=(16, 16), **lossless)
    write("jpeg2000_rgb.tif", rgb, "YXS", {"role": "rgb"}, tile=(16, 16), photometric="rgb", **lossless)
    write("jpeg2000_planar.tif", rgb.transpose(2, 0, 1), "CYX", {"role": "rgb"}, tile=(16, 16), photometric="rgb", planarconfig="separate", **lossless)
    r, g, b = numpy.moveaxis(rgb.astype(float), -1, 0)
    luma = .299 * r + .587 * g + .114 * b  # ITU-T T.871
    ycbcr = numpy.clip(numpy.stack([luma, (b - luma) / 1.772 + 128, (r - luma) / 1.402 + 128], -1).round(), 0, 255).astype("u1")
    ycbcr[:, 1::2, 1:] = ycbcr[:, ::2, 1:]
    luma, cb, cr = numpy.moveaxis(ycbcr.astype(float), -1, 0) - numpy.reshape([0, 128, 128], (3, 1, 1))
    back = numpy.stack([luma + 1.402 * cr, luma - (.114 * 1.772 * cb + .299 * 1.402 * cr) / .587, luma + 1.772 * cb], -1)
    back = numpy.clip(back.round(), 0, 255).astype("u1")
    for key, scheme, photometric, encode in (("aperio", 33003, 2, subsampled), ("ycbcr", 34712, 6, lambda tile: imagecodecs.jpeg2k_encode(
            tile, level=0, reversible=True, mct=False, codecformat="j2k"))):
        by_hand(f"jpeg2000_{key}.tif", [(tiled(rgb, 16, scheme, photometric=photometric), list(map(encode, tiles_of(ycbcr, 16))))])
        case(f"jpeg2000_{key}.tif", back, "YXS", role="rgb", tolerance=1)
    small = imagecodecs.jpeg2k_encode(rgb[:15, :16], level=0, codecformat="j2k")
    by_hand("jpeg2000_other_size.tif", [(tiled(rgb[:16, :16], 16, 34712), [small])])
    case("jpeg2000_other_size.tif", error="another size")
    by_hand("jpeg2000_float.tif", [(tiled(gray.astype("f4"), 16, 34712, format=3), [small] * 6)])
    case("jpeg2000_float.tif", error="only integers of 8 and 16 bits")


def subsampled(tile):
    """A stream without a transformation of colors; of the second and third component every second column."""
    with tempfile.TemporaryDirectory() as folder:
        raw, out = pathlib.Path(folder) / "tile.raw", pathlib.Path(folder) / "tile.j2k"
        raw.write_bytes(tile[..., 0].tobytes() + tile[:, ::2, 1].tobytes() + tile[:, ::2, 2].tobytes())
        subprocess.run(["opj_compress", "-i", raw, "-o", out, "-F", f"{tile.shape[1]},{tile.shape[0]},3,8,u@1x1:2x1:2x1", "-mct", "0", "-n", "2"], check=True,
                       stdout=subprocess.DEVNULL)
        return out.read_bytes()


def damaged():
    """Files that must be refused with these words."""
    gray = smooth((9, 13), "u1")
    page = tags(9, 13)
    by_hand("loop.tif", [(page, [gray.tobytes()])] * 5)
    raw = bytearray((DATA / "loop.tif").read_bytes())
    links = [8]
    while links[-1]:
        n = struct.unpack_from("<H", raw, links[-1])[0]
        links.append(struct.unpack_from("<I", raw, links[-1] + 2 + 12 * n)[0])
    n = struct.unpack_from("<H", raw, links[4])[0]
    struct.pack_into("<I", raw, links[4] + 2 + 12 * n, links[2])
    (DATA / "loop.tif").write_bytes(raw)
    case("loop.tif", error="round in a circle")
    by_hand("huge.tif", [(tags(2**31 - 1, 2**31 - 1), [bytes(100)])])
    case("huge.tif", error="more than its")
    by_hand("huge_deflate.tif", [(tags(2**31 - 1, 2**31 - 1, 16, compression=8), [bytes(100)])])
    case("huge_deflate.tif", error="more than its")
    by_hand("huge_lerc.tif", [(tags(2**31 - 1, 2**31 - 1, 16, compression=34887), [bytes(100)])])
    case("huge_lerc.tif", error="more than its")
    by_hand("over_int.tif", [(tags(2**32 - 1, 2**32 - 1), [bytes(100)])])
    case("over_int.tif", error="no size")
    by_hand("no_size.tif", [(tags(0, 13), [bytes(100)])])
    case("no_size.tif", error="no size")
    by_hand("tile_huge.tif", [({**tags(9, 13, compression=8), 322: (4, 2**31 - 16), 323: (4, 2**31 - 16)}, [bytes(100)])])
    case("tile_huge.tif", error="tiles of")
    by_hand("few_strips.tif", [(tags(9, 13, rows_per_strip=1), [gray.tobytes()])])
    case("few_strips.tif", error="fewer strips")
    by_hand("past_end.tif", [(tags(9, 13, rows_per_strip=5, counts=[65, 52]), [gray.tobytes()[:65], gray.tobytes()[65:-1]])])
    case("past_end.tif", error="strip 2 of page 1 ends past the end of the file")
    by_hand("short_lzw.tif", [(tags(40, 40, compression=5, counts=20), [imagecodecs.lzw_encode(bytes(range(200)) * 8)[:20]])])
    case("short_lzw.tif", error="strip 1 of page 1")
    jpeg = imagecodecs.jpeg8_encode(smooth((64, 64), "u1"))
    by_hand("short_jpeg.tif", [(tags(64, 64, compression=7, counts=len(jpeg) // 2), [jpeg[:len(jpeg) // 2]])])
    case("short_jpeg.tif", error="strip 1 of page 1 cannot be decoded")
    (DATA / "only_header.tif").write_bytes(b"II*\0\x08\0\0\0")
    case("only_header.tif", error="directory of page 1 goes past the end")
    (DATA / "no_pages.tif").write_bytes(b"II*\0\0\0\0\0" + bytes(100))
    case("no_pages.tif", error="no pages")


def main():
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir()
    for make in (types, packed_bits, layouts, compressions, predictors, colours, orientations, resolutions, pages, imagej, ome,
                 others, slides, jpeg2000, damaged):
        make()
    cases["versions"] = {"file": "", "tifffile": tifffile.__version__, "imagecodecs": imagecodecs.__version__,
                         "numpy": numpy.__version__, "python": sys.version.split()[0], "libtiff": "4.5.0", "imagej": "1.53t"}
    with open(DATA / "cases.ini", "w", encoding="utf-8") as out:
        cases.write(out, space_around_delimiters=False)


main()
