#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/core/files/volumes/: small files of volumes, arrays and Netpbm, and what a reader must give (cases.ini, arrays.npz).

    python3 tests/core/files/make_volumes.py

nibabel, pynrrd, SimpleITK, mrcfile and NumPy write the files, and say what they mean; Pillow does of Netpbm but for text and floats. Damaged files are made
by hand. Arrays are (frame, channel, slice, row, column).
"""
import bz2
import configparser
import gzip
import io
import pathlib
import shutil
import struct
import zipfile

import mrcfile
import nibabel
import nrrd
import numpy as np
import PIL.Image
import SimpleITK as sitk

HERE = pathlib.Path(__file__).parent / "volumes"
RANDOM = np.random.default_rng(17)
cases = configparser.ConfigParser(interpolation=None)
arrays = {}


def noise(shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return RANDOM.normal(0, 100, shape).astype(dtype)
    about = np.iinfo(dtype)
    low, high = max(about.min, -2 ** 53), min(about.max, 2 ** 53)
    return RANDOM.integers(low, high, shape, dtype=dtype.newbyteorder("="), endpoint=True).astype(dtype)


def triple(values):
    return " ".join(repr(float(v)) for v in values)


def case(file, array=None, **about):
    """about: keys that test_volumes.c knows."""
    cases[file] = {key: str(value) for key, value in about.items()}
    if array is not None:
        arrays[file] = np.ascontiguousarray(array)


def refused(file, contents, words):
    (HERE / file).write_bytes(contents)
    case(file, refused=words)


# ---- NIfTI and Analyze ----

def five(array):
    """Of x, y, z, t and what nibabel has as the fifth axis."""
    array = array.reshape(array.shape + (1,) * (5 - array.ndim))
    return array.transpose(3, 4, 2, 1, 0)


def nifti(file, image, unit="mm", **about):
    """As nibabel reads it again; integers without scaling as they are."""
    nibabel.save(image, HERE / file)
    again = nibabel.load(HERE / file)
    stored = np.asanyarray(again.dataobj.get_unscaled())
    slope, intercept = again.dataobj.slope, again.dataobj.inter
    values = stored
    if (slope, intercept) != (1, 0):
        if stored.dtype in (np.uint8, np.uint16):
            about["calibrated"] = triple((intercept, slope))
        else:
            wide = stored.dtype.itemsize > (4 if stored.dtype.kind == "f" else 2)
            values = (stored.astype("f8") * slope + intercept).astype("f8" if wide else "f4")
    elif stored.dtype in (np.int64, np.uint64):
        values = stored.astype("f8")
        about["source"] = stored.dtype.name
    values = values.astype(values.dtype.newbyteorder("="))
    zooms = (list(again.header.get_zooms()) + [1, 1, 1])[:3]
    about["spacing"] = triple(zooms[::-1])
    about["units"] = " ".join([unit] * 3)
    if not isinstance(image, nibabel.AnalyzeImage) or isinstance(image, nibabel.Nifti1Pair):
        if int(again.header["sform_code"]) or int(again.header["qform_code"]):
            about["orientation"] = "".join(nibabel.aff2axcodes(again.affine))
            about["origin"] = triple((np.linalg.inv(again.affine) @ [0, 0, 0, 1])[2::-1])
    case(file, five(values), **about)
    return again


def oblique():
    a, b = np.radians(20), np.radians(-10)
    turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    tilt = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    affine = np.eye(4)
    affine[:3, :3] = turn @ tilt @ np.diag([-0.7, 0.9, 2.5])
    affine[:3, 3] = 90.5, -126.25, -72
    return affine


def make_nifti():
    plain = np.diag([0.5, 0.75, 2, 1])
    for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8", "i8", "u8"):
        nifti(f"type_{kind}.nii", nibabel.Nifti1Image(noise((5, 4, 3), kind), plain, dtype=np.dtype(kind)))
    nifti("small.nii.gz", nibabel.Nifti1Image(noise((7, 6, 5), "i2"), oblique()))
    nifti("two.nii.gz", nibabel.Nifti2Image(noise((7, 6, 5), "f4"), oblique()))
    header = nibabel.Nifti1Header(endianness=">")
    nifti("big.nii", nibabel.Nifti1Image(noise((5, 4, 3), ">i2"), oblique(), header))
    nifti("big_two.nii", nibabel.Nifti2Image(noise((5, 4), ">f8"), plain, nibabel.Nifti2Header(endianness=">")))
    nifti("pair.hdr", nibabel.Nifti1Pair(noise((5, 4, 3), "u2"), plain))
    cases["pair.img"] = dict(cases["pair.hdr"])
    arrays["pair.img"] = arrays["pair.hdr"]
    nifti("packed.hdr.gz", nibabel.Nifti1Pair(noise((5, 4, 3), "i2"), plain))
    qform = nibabel.Nifti1Image(noise((5, 4, 3), "u1"), None)
    qform.set_qform(oblique(), 1)
    qform.set_sform(None, 0)
    nifti("qform.nii", qform)
    for kind in ("u1", "u2", "i2", "i4", "f4"):
        image = nibabel.Nifti1Image(noise((5, 4, 3), kind), plain, dtype=np.dtype(kind))
        image.header.set_slope_inter(0.25, -1024)
        nibabel.save(image, HERE / f"scaled_{kind}.nii")
        contents = bytearray((HERE / f"scaled_{kind}.nii").read_bytes())
        contents[112:120] = struct.pack("<ff", 0.25, -1024)  # nibabel would choose values of its own
        (HERE / f"scaled_{kind}.nii").write_bytes(contents)
        again = nibabel.load(HERE / f"scaled_{kind}.nii")
        raw = np.asanyarray(again.dataobj.get_unscaled())
        about = {"spacing": triple((2, 0.75, 0.5)), "units": "mm mm mm", "orientation": "RAS", "origin": triple((0, 0, 0))}
        if kind in ("u1", "u2"):
            case(f"scaled_{kind}.nii", five(raw), calibrated=triple((-1024, 0.25)), **about)
        else:
            case(f"scaled_{kind}.nii", five(again.get_fdata().astype("f8" if kind == "i4" else "f4")), **about)
    series = nibabel.Nifti1Image(noise((5, 4, 3, 6), "i2"), plain)
    series.header.set_xyzt_units("micron", "msec")
    series.header.set_zooms((0.5, 0.75, 2, 1500))
    nifti("series.nii", series, unit="µm", interval="1500 ms")
    nifti("vector.nii", nibabel.Nifti1Image(noise((5, 4, 3, 2, 3), "f4"), plain))
    plane = nibabel.Nifti1Image(noise((5, 4), "u1"), plain)
    nifti("plane.nii", plane)
    rgb = np.zeros((5, 4, 3), [("R", "u1"), ("G", "u1"), ("B", "u1")])
    rgba = np.zeros((5, 4, 3), [("R", "u1"), ("G", "u1"), ("B", "u1"), ("A", "u1")])
    for array in (rgb, rgba):
        for name in array.dtype.names:
            array[name] = noise(array.shape, "u1")
        name = "rgb.nii" if array is rgb else "rgba.nii"
        nibabel.save(nibabel.Nifti1Image(array, plain), HERE / name)
        again = nibabel.load(HERE / name)
        stored = np.asanyarray(again.dataobj)
        case(name, np.stack([stored[c].transpose(2, 1, 0) for c in stored.dtype.names])[None], spacing=triple((2, 0.75, 0.5)),
             units="mm mm mm", orientation="RAS", origin=triple((0, 0, 0)), colors=len(stored.dtype.names))
    nifti("analyze.hdr", nibabel.AnalyzeImage(noise((5, 4, 3), "i2"), plain))
    damaged_nifti((HERE / "type_i2.nii").read_bytes())


def changed(contents, at, form, *values):
    contents = bytearray(contents)
    struct.pack_into(form, contents, at, *values)
    return bytes(contents)


def damaged_nifti(good):
    refused("cut.nii", good[:-1], "is truncated: its pixels end at byte 472, the file at 471")
    refused("cut_header.nii", good[:300], "is not an image")
    refused("no_axes.nii", changed(good, 40, "<h", 0), "has 0 axes")
    refused("many_axes.nii", changed(good, 40, "<h", 9), "has 9 axes")
    refused("negative.nii", changed(good, 44, "<h", -4), "its axis 2 has the size -4")
    refused("huge.nii", changed(good, 40, "<8h", 7, *[32767] * 7), "impossible size")
    refused("large.nii", changed(good, 40, "<4h", 3, 32767, 32767, 32767), "is truncated")
    refused("large.nii.gz", gzip.compress(changed(good, 40, "<4h", 3, 32767, 32767, 32767)), "more than it can hold")
    packed = gzip.compress(good)
    refused("cut.nii.gz", packed[:-30], "is damaged or truncated: it cannot be unpacked")
    refused("offset.nii", changed(good, 108, "<f", 100), "its vox_offset is 100")
    refused("offset_nan.nii", changed(good, 108, "<f", float("nan")), "its vox_offset is nan")
    refused("complex.nii", changed(good, 70, "<h", 32), "complex64")
    refused("unknown.nii", changed(good, 70, "<h", 77), "unknown type 77")
    shutil.copy(HERE / "pair.hdr", HERE / "alone.hdr")
    case("alone.hdr", refused="does not exist")


# ---- NRRD ----

def native(array):
    return array.astype(array.dtype.newbyteorder("="))


def nrrd_case(file, array, header, **about):
    """array: the first axis is the fastest, up to x, y, z and what `about` has as axes: the order that makes it five."""
    axes = about.pop("axes", None)
    detached = about.pop("detached", None)
    options = {"detached_header": False} if not detached else {"detached_header": True, "relative_data_path": True}
    nrrd.write(str(HERE / file), array, header, **options)
    again, kept = nrrd.read(str(HERE / file))
    assert np.array_equal(again, array)
    if axes is None:
        again = again.reshape(again.shape + (1,) * (3 - again.ndim)).T[None, None]
    else:
        again = again.transpose(axes).reshape(about.pop("shape"))
    if again.dtype in (np.int64, np.uint64):
        about["source"] = again.dtype.name
        again = again.astype("f8")
    case(file, native(again), **about)


def make_nrrd():
    turn = oblique()
    space = {"space": "left-posterior-superior", "space directions": turn[:3, :3].T, "space origin": turn[:3, 3]}
    lengths = np.linalg.norm(turn[:3, :3], axis=0)
    ras = np.diag([-1, -1, 1, 1]) @ turn
    about = {"spacing": triple(lengths[::-1]), "units": "mm mm mm", "orientation": "".join(nibabel.aff2axcodes(ras)),
             "origin": triple((np.linalg.inv(turn) @ [0, 0, 0, 1])[2::-1])}
    for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8", "i8", "u8"):
        nrrd_case(f"type_{kind}.nrrd", noise((5, 4, 3), kind), {"encoding": "raw", **space}, **about)
    nrrd_case("gzip.nrrd", noise((5, 4, 3), "i2"), {"encoding": "gzip", **space}, **about)
    nrrd_case("text.nrrd", noise((5, 4, 3), "i2"), {"encoding": "ascii", **space}, **about)
    nrrd_case("text_f.nrrd", noise((5, 4, 3), "f8"), {"encoding": "ascii"})
    nrrd_case("big.nrrd", noise((5, 4, 3), ">u2"), {"encoding": "raw", "endian": "big"})
    nrrd_case("plain.nrrd", noise((5, 4), "u1"), {"spacings": [0.5, 0.25], "units": ["um", "um"]}, spacing=triple((1, 0.25, 0.5)),
              units="µm µm µm")
    nrrd_case("unknown.nrrd", noise((5, 4, 3), "u1"), {"spacings": [0.5, 0.25, 2]}, spacing=triple((1, 1, 1)), units="- - -")
    nrrd_case("raw.nhdr", noise((5, 4, 3), "i2"), {"encoding": "raw"}, detached=True)
    nrrd_case("packed.nhdr", noise((5, 4, 3), "i2"), {"encoding": "gzip"}, detached=True)
    nrrd_case("rgb.nrrd", noise((3, 5, 4), "u1"), {"kinds": ["RGB-color", "domain", "domain"]}, axes=(0, 2, 1), shape=(1, 3, 1, 4, 5), colors=3)
    nrrd_case("vector.nrrd", noise((2, 5, 4, 3), "f4"), {"kinds": ["vector", "domain", "domain", "domain"]}, axes=(0, 3, 2, 1),
              shape=(1, 2, 3, 4, 5))
    nrrd_case("time.nrrd", noise((5, 4, 3, 6), "u1"), {"kinds": ["domain", "domain", "domain", "time"]}, axes=(3, 2, 1, 0),
              shape=(6, 1, 3, 4, 5))
    slices = noise((4, 3, 5), "u2")  # z, y, x
    for z in range(4):
        (HERE / f"slice{z:02}.raw").write_bytes(slices[z].astype("<u2").tobytes())
    head = "NRRD0004\ntype: ushort\ndimension: 3\nsizes: 5 3 4\nencoding: raw\nendian: little\n"
    (HERE / "list.nhdr").write_text(head + "data file: LIST\n" + "".join(f"slice{z:02}.raw\n" for z in range(4)))
    (HERE / "pattern.nhdr").write_text(head + "data file: slice%02d.raw 0 3 1\n")
    for name in ("list.nhdr", "pattern.nhdr"):
        assert np.array_equal(sitk.GetArrayFromImage(sitk.ReadImage(str(HERE / name))), slices)
        case(name, slices[None, None])
    refused("short_list.nhdr", (head + "data file: LIST\nslice00.raw\nslice01.raw\n").encode(), "is truncated: its 2 files have 60 of 120 bytes")
    refused("missing.nhdr", (head + "data file: nowhere.raw\n").encode(), "does not exist")
    good = (HERE / "type_i2.nrrd").read_bytes()
    refused("cut.nrrd", good[:-1], "is truncated: its pixels end at byte")
    refused("type.nrrd", good.replace(b"type: int16", b"type: block"), "type block")
    refused("type_none.nrrd", good.replace(b"type: int16", b"type: shorts"), "'type: shorts', which cannot be")
    refused("sizes.nrrd", good.replace(b"sizes: 5 4 3", b"sizes: 5 4"), "'sizes: 5 4', which cannot be")
    refused("negative.nrrd", good.replace(b"sizes: 5 4 3", b"sizes: 5 -4 3"), "'sizes: 5 -4 3', which cannot be")
    refused("huge.nrrd", good.replace(b"sizes: 5 4 3", b"sizes: 999999999999 999999999999 3"), "impossible size")
    refused("large.nrrd", good.replace(b"sizes: 5 4 3", b"sizes: 99999 99999 99999"), "is truncated")
    packed = (HERE / "gzip.nrrd").read_bytes()
    refused("large_packed.nrrd", packed.replace(b"sizes: 5 4 3", b"sizes: 99999 99999 99999"), "more than it can hold")
    refused("cut_packed.nrrd", packed[:-4], "it cannot be unpacked")
    refused("zrl.nrrd", good.replace(b"encoding: raw", b"encoding: zrl"), "is packed as zrl")
    text = (HERE / "text.nrrd").read_bytes()
    refused("cut_text.nrrd", text.rstrip().rsplit(None, 1)[0] + bytes(b" " * 9), "is truncated: it has 59 of its 60 numbers")
    refused("large_text.nrrd", text.replace(b"sizes: 5 4 3", b"sizes: 99999 99999 99999"), "has no room for its")
    refused("wrong_text.nrrd", text.rstrip().rsplit(None, 1)[0] + b" 40000\n", "its type has no number '40000'")


def make_nrrd_packed():
    """By bzip2, which pynrrd reads, though not several streams, nor bytes to skip; as hexadecimal digits, which it does not know."""
    random = np.random.default_rng(19)
    volume = random.integers(-2 ** 15, 2 ** 15, (3, 4, 5), dtype="i2")  # z, y, x
    about = {"spacing": triple((1, 1, 1)), "units": "- - -"}
    head = "NRRD0004\ntype: short\ndimension: 3\nsizes: 5 4 3\nendian: %s\nencoding: %s\n%s"
    nrrd_case("bzip2.nrrd", volume.T, {"encoding": "bzip2"}, **about)
    nrrd_case("bzip2.nhdr", volume.T, {"encoding": "bz2"}, detached=True, **about)
    raw = volume.astype("<i2").tobytes()
    digits = "\n".join(raw[i:i + 17].hex() for i in range(0, len(raw), 17))
    digits = "\t" + digits[:7] + " \r\n" + digits[7:].upper()  # also between the digits of a byte
    (HERE / "packed.bz2").write_bytes(b"a line\nand another\n" + bz2.compress(b"skip" + raw[:33]) + bz2.compress(b"") + bz2.compress(raw[33:] + b"more"))
    (HERE / "digits.hex").write_text("a line\n0123 " + digits, newline="")
    (HERE / "digits.txt").write_text("a line\n0123 " + " ".join(str(v) for v in volume.ravel()))
    for file, contents in {
        "streams.nhdr": head % ("little", "BZ2", "line skip: 2\nbyte skip: 4\ndata file: packed.bz2\n"),
        "hex.nhdr": head % ("little", "HEX", "line skip: 1\nbyte skip: 5\ndata file: digits.hex\n"),
        "hex.nrrd": head % ("little", "hex", "\n") + digits,
        "hex_big.nrrd": head % ("big", "hex", "\n") + volume.astype(">i2").tobytes().hex(),
        "skip_text.nhdr": head % ("little", "ascii", "line skip: 1\nbyte skip: 5\ndata file: digits.txt\n"),
    }.items():
        (HERE / file).write_text(contents, newline="")
        case(file, volume[None, None], **about)
    for file in ("bzip2.nrrd", "bzip2.nhdr", "skip_text.nhdr"):
        assert np.array_equal(nrrd.read(str(HERE / file))[0].T, volume)
    packed, hexadecimal = (HERE / "bzip2.nrrd").read_bytes(), (HERE / "hex.nrrd").read_bytes()
    at = packed.index(b"BZh")
    refused("large_bzip2.nrrd", packed.replace(b"sizes: 5 4 3", b"sizes: 99999 99999 99999"), "more than it can hold")
    refused("short_bzip2.nrrd", packed.replace(b"sizes: 5 4 3", b"sizes: 5 4 4"), "it cannot be unpacked")
    refused("sum_bzip2.nrrd", changed(packed, at + 10, "B", packed[at + 10] ^ 1), "it cannot be unpacked")  # of its block
    refused("skip_bzip2.nrrd", packed.replace(b"sizes:", b"byte skip: -1\nsizes:"), "'byte skip: -1', which cannot be")
    refused("large_hex.nrrd", hexadecimal.replace(b"sizes: 5 4 3", b"sizes: 99999 99999 99999"), "has no room for its")
    refused("short_hex.nrrd", hexadecimal[:-1] + b" ", "is truncated: it has 119 of its 120 bytes")
    refused("wrong_hex.nrrd", hexadecimal[:-1] + b"g", f"byte {len(hexadecimal) - 1} is not a hexadecimal digit")


# ---- MetaImage ----

def meta(file, array, compressed=False, channels=0, **about):
    """array: (z, y, x) or (y, x), and channels behind."""
    image = sitk.GetImageFromArray(array, isVector=channels > 1)
    turn = oblique()
    if image.GetDimension() == 3:
        lengths = np.linalg.norm(turn[:3, :3], axis=0)
        image.SetSpacing(lengths.tolist())
        image.SetOrigin(turn[:3, 3].tolist())
        image.SetDirection((turn[:3, :3] / lengths).ravel().tolist())
        ras = np.diag([-1, -1, 1, 1]) @ turn
        about.update(spacing=triple(lengths[::-1]), units="mm mm mm", orientation="".join(nibabel.aff2axcodes(ras)),
                     origin=triple((np.linalg.inv(turn) @ [0, 0, 0, 1])[2::-1]))
    else:
        image.SetSpacing([0.5, 0.25])
        image.SetOrigin([10, -20])
        about.update(spacing=triple((1, 0.25, 0.5)), units="mm mm mm", orientation="LPS", origin=triple((0, 80, -20)))
    sitk.WriteImage(image, str(HERE / file), useCompression=compressed)
    again = sitk.GetArrayFromImage(sitk.ReadImage(str(HERE / file)))
    if again.ndim == (4 if channels else 3):
        again = again.reshape(again.shape[:3] + (max(channels, 1),)).transpose(3, 0, 1, 2)[None]
    else:
        again = again.reshape(again.shape[:2] + (max(channels, 1),)).transpose(2, 0, 1)[None, :, None]
    if again.dtype in (np.int64, np.uint64):
        about["source"] = again.dtype.name
        again = again.astype("f8")
    case(file, again, **about)


def make_meta():
    for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8", "i8", "u8"):
        meta(f"type_{kind}.mha", noise((3, 4, 5), kind))
    meta("packed.mha", noise((3, 4, 5), "i2"), compressed=True)
    meta("detached.mhd", noise((3, 4, 5), "i2"))
    meta("packed.mhd", noise((3, 4, 5), "i2"), compressed=True)
    meta("plane.mha", noise((4, 5), "u1"))
    meta("rgb.mha", noise((4, 5, 3), "u1"), channels=3, colors=3)
    meta("vector.mha", noise((3, 4, 5, 2), "f4"), channels=2)
    good = (HERE / "type_i2.mha").read_bytes()
    swapped = good[:-120] + np.frombuffer(good[-120:], "<i2").astype(">i2").tobytes()
    (HERE / "big.mha").write_bytes(swapped.replace(b"BinaryDataByteOrderMSB = False", b"BinaryDataByteOrderMSB = True"))
    cases["big.mha"] = dict(cases["type_i2.mha"])
    arrays["big.mha"] = arrays["type_i2.mha"]
    slices = arrays["list.nhdr"]
    head = "ObjectType = Image\nNDims = 3\nDimSize = 5 3 4\nElementType = MET_USHORT\nElementByteOrderMSB = False\n"
    (HERE / "list.mhd").write_text(head + "ElementDataFile = LIST\n" + "".join(f"slice{z:02}.raw\n" for z in range(4)))
    (HERE / "pattern.mhd").write_text(head + "ElementDataFile = slice%02d.raw 0 3 1\n")
    for name in ("list.mhd", "pattern.mhd"):
        assert np.array_equal(sitk.GetArrayFromImage(sitk.ReadImage(str(HERE / name))), slices[0, 0])
        case(name, slices, units="- - -")
    refused("cut.mha", good[:-1], "is truncated: its pixels end at byte")
    refused("type.mha", good.replace(b"MET_SHORT", b"MET_OTHER"), "'ElementType = MET_OTHER', which cannot be")
    refused("sizes.mha", good.replace(b"DimSize = 5 4 3", b"DimSize = 5 0 3"), "'DimSize = 5 0 3', which cannot be")
    refused("huge.mha", good.replace(b"DimSize = 5 4 3", b"DimSize = 999999999999 999999999999 3"), "impossible size")
    refused("large.mha", good.replace(b"DimSize = 5 4 3", b"DimSize = 99999 99999 99999"), "is truncated")
    packed = (HERE / "packed.mha").read_bytes()
    refused("large_packed.mha", packed.replace(b"DimSize = 5 4 3", b"DimSize = 99999 99999 99999"), "more than it can hold")
    refused("cut_packed.mha", packed[:-3], "it cannot be unpacked")
    refused("missing.mhd", (head + "ElementDataFile = nowhere.raw\n").encode(), "does not exist")
    refused("no_data.mha", b"ObjectType = Image\nNDims = 2\nDimSize = 2 2\nElementType = MET_UCHAR\n", "has no 'ElementDataFile'")


# ---- MRC ----

def make_mrc():
    for kind in ("i1", "i2", "f4", "u2", "f2"):
        with mrcfile.new(HERE / f"type_{kind}.mrc") as file:
            file.set_data(noise((3, 4, 5), kind))
            file.voxel_size = (1.5, 1.25, 2)
        with mrcfile.open(HERE / f"type_{kind}.mrc") as file:
            case(f"type_{kind}.mrc", file.data[None, None], spacing=triple([file.voxel_size[k] for k in "zyx"]), units="Å Å Å")
    with mrcfile.new(HERE / "origin.mrc.gz", compression="gzip") as file:
        file.set_data(noise((3, 4, 5), "f4"))
        file.voxel_size = 2
        file.header.origin = (10, -20, 30)
    with mrcfile.open(HERE / "origin.mrc.gz") as file:
        case("origin.mrc.gz", np.array(file.data)[None, None], spacing=triple((2, 2, 2)), units="Å Å Å", origin=triple((-15, 10, -5)))
    with mrcfile.new(HERE / "volumes.mrc") as file:
        file.set_data(noise((2, 3, 4, 5), "i2"))
        file.voxel_size = 2
    with mrcfile.open(HERE / "volumes.mrc") as file:
        case("volumes.mrc", file.data[:, None], spacing=triple((2, 2, 2)), units="Å Å Å")
    with mrcfile.new(HERE / "plane.mrc") as file:
        file.set_data(noise((4, 5), "i2"))
        file.set_extended_header(np.arange(48, dtype="u1").view("V48"))
    case("plane.mrc", mrcfile.read(HERE / "plane.mrc")[None, None, None], units="- - -")
    good = (HERE / "type_i2.mrc").read_bytes()
    big = b"".join((np.frombuffer(good[:208], "<i4").astype(">i4").tobytes(), b"MAP \x11\x11\0\0",
                    np.frombuffer(good[216:224], "<i4").astype(">i4").tobytes(), good[224:1024],
                    np.frombuffer(good[1024:], "<i2").astype(">i2").tobytes()))
    (HERE / "big.mrc").write_bytes(big)
    with mrcfile.open(HERE / "big.mrc", permissive=True) as file:
        assert np.array_equal(file.data, arrays["type_i2.mrc"][0, 0])
    cases["big.mrc"] = dict(cases["type_i2.mrc"])
    arrays["big.mrc"] = arrays["type_i2.mrc"]
    refused("cut.mrc", good[:-1], "is truncated: its pixels end at byte")
    refused("cut_header.mrc", good[:900], "its header has 1024 bytes, and 900 are there")
    refused("complex.mrc", changed(good, 12, "<i", 4), "complex pixels (mode 4)")
    refused("mode.mrc", changed(good, 12, "<i", 99), "mode 99")
    refused("sizes.mrc", changed(good, 0, "<i", -5), "the size -5 × 4 × 3")
    refused("large.mrc", changed(good, 0, "<iii", 99999, 99999, 99999), "is truncated")
    refused("extra.mrc", changed(good, 92, "<i", -1), "extended header has -1 bytes")


# ---- NumPy ----

def npy(file, array, five, **about):
    np.save(HERE / file, array)
    again = np.load(HERE / file)
    assert again.flags.f_contiguous == array.flags.f_contiguous
    again = five(again)
    if again.dtype in (np.int64, np.uint64, np.bool_):
        about["source"] = again.dtype.name
        again = again.astype("u1") * 255 if again.dtype == bool else again.astype("f8")
    case(file, native(again), **about)


def make_numpy():
    def volume(array):
        return array[None, None]
    for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "f8", "i8", "u8", ">u2", ">f4"):
        npy(f"type_{kind.replace('>', 'big_')}.npy", noise((3, 4, 5), kind), volume)
    npy("mask.npy", noise((3, 4, 5), "u1") > 100, volume, mask="yes")
    npy("fortran.npy", np.asfortranarray(noise((3, 4, 5), "u2")), volume)
    npy("fortran_plane.npy", np.asfortranarray(noise((4, 5), "f4")), lambda a: a[None, None, None])
    npy("five.npy", noise((2, 3, 4, 5, 6), "u1"), lambda a: a)
    npy("row.npy", noise((7,), "u1"), lambda a: a[None, None, None, None])
    npy("rgb.npy", noise((4, 5, 3), "u1"), lambda a: a.transpose(2, 0, 1)[None, :, None], colors=3)
    npy("rgb_wide.npy", noise((4, 5, 3), "u2"), lambda a: a.transpose(2, 0, 1)[None, :, None])
    one, two = noise((3, 4, 5), "u2"), noise((4, 6), "f4")
    np.savez(HERE / "plain.npz", one=one, two=two, name=np.array("text"))
    np.savez_compressed(HERE / "packed.npz", one=one, two=two)
    for file in ("plain.npz", "packed.npz"):
        case(file, volume(np.load(HERE / file)["one"]))
    good = (HERE / "type_u2.npy").read_bytes()
    refused("cut.npy", good[:-1], "is truncated: its pixels end at byte")
    refused("cut_header.npy", good[:60], "the header of its array cannot be read")
    refused("shape.npy", good.replace(b"(3, 4, 5)", b"(3, 0, 5)"), "has the shape (3, 0, 5)")
    refused("large.npy", good.replace(b"(3, 4, 5), ", b"(99999, 99999, 99999), ")[:len(good)], "is truncated")
    refused("axes.npy", good.replace(b"(3, 4, 5)", b"(1,1,1,1,1,60)"), "has the shape (1,1,1,1,1,60)")
    for name, array in (("complex.npy", np.zeros(3, "c8")), ("text.npy", np.array(["a"])), ("struct.npy", np.zeros(3, "u1,u2"))):
        np.save(HERE / name, array)
        case(name, refused="has the type")
    packed = (HERE / "packed.npz").read_bytes()
    refused("cut.npz", packed[:-10], "is damaged or truncated")
    refused("wrong.npz", packed[:120] + bytes(20) + packed[140:], "")
    contents = io.BytesIO()
    with zipfile.ZipFile(contents, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("large.npy", good.replace(b"(3, 4, 5), ", b"(99999, 99999, 99999), ")[:128])
    refused("large.npz", contents.getvalue(), "more than it can hold")


# ---- Netpbm ----

def make_pnm():
    gray, wide, rgb, rgb_wide = noise((4, 5), "u1"), noise((4, 5), "u2"), noise((4, 5, 3), "u1"), noise((4, 5, 3), "u2")

    def planes(array):
        return np.atleast_3d(array).transpose(2, 0, 1)[None, :, None]

    def text(kind, array, largest):
        return (f"{kind}\n# a comment\n5 4\n{largest}\n" + "\n".join(" ".join(map(str, row.ravel())) for row in array) + "\n").encode()

    (HERE / "wide.pgm").write_bytes(b"P5 5 4 65535\n" + wide.astype(">u2").tobytes())
    assert np.array_equal(np.asarray(PIL.Image.open(HERE / "wide.pgm")), wide)
    case("wide.pgm", planes(wide))
    (HERE / "wide.ppm").write_bytes(b"P6 5 4 65535\n" + rgb_wide.astype(">u2").tobytes())
    case("wide.ppm", planes(rgb_wide))
    (HERE / "low.pgm").write_bytes(b"P5\n5 4 # size\n 100\n" + (gray % 101).tobytes())
    case("low.pgm", planes(gray % 101))
    (HERE / "text.pgm").write_bytes(text("P2", wide, 65535))
    (HERE / "text.ppm").write_bytes(text("P3", rgb, 255))
    case("text.pgm", planes(wide))
    case("text.ppm", planes(rgb), colors=3)
    assert np.array_equal(np.asarray(PIL.Image.open(HERE / "text.ppm")), rgb)
    bits = gray > 99
    (HERE / "text.pbm").write_bytes(b"P1 5 4\n" + "\n".join("".join("01"[int(v)] for v in row) for row in bits).encode())
    assert np.array_equal(np.asarray(PIL.Image.open(HERE / "text.pbm")), ~bits)
    case("text.pbm", planes(np.where(bits, 0, 255).astype("u1")))
    for name, order, scale in (("little.pfm", "<f4", -1), ("big.pfm", ">f4", 2.5)):
        values = noise((4, 5), "f4")
        (HERE / name).write_bytes(b"Pf\n5 4\n%g\n" % scale + values[::-1].astype(order).tobytes())
        case(name, planes(values))
    values = noise((4, 5, 3), "f4")
    (HERE / "color.pfm").write_bytes(b"PF\n5 4\n-1\n" + values[::-1].astype("<f4").tobytes())
    case("color.pfm", planes(values))
    assert np.array_equal(np.asarray(PIL.Image.open(HERE / "little.pfm")), arrays["little.pfm"][0, 0, 0])
    good = (HERE / "wide.pgm").read_bytes()
    refused("cut.pgm", good[:-1], "is truncated: its pixels end at byte")
    refused("cut.pbm", b"P4 10 10\n" + bytes(19), "is truncated: it has 9 of its 10 rows")
    refused("header.pgm", b"P5 5 x 255\n" + bytes(50), "its header lacks a size or a largest value")
    refused("deep.pgm", b"P5 5 5 70000\n" + bytes(50), "its header lacks a size or a largest value")
    refused("large.pgm", b"P5 100000 100000 255\n" + bytes(50), "is truncated")
    refused("large_text.pgm", b"P2 100000 100000 255\n1 2 3\n", "has no room for its")
    refused("scale.pfm", b"Pf 2 2 0\n" + bytes(16), "its header lacks a size or a largest value")


def main():
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()
    make_nifti()
    make_nrrd()
    make_meta()
    make_mrc()
    make_numpy()
    make_pnm()
    make_nrrd_packed()
    np.savez_compressed(HERE / "arrays.npz", **arrays)
    with open(HERE / "cases.ini", "w", encoding="utf-8") as file:
        file.write(f"# nibabel {nibabel.__version__}, pynrrd {nrrd.__version__}, SimpleITK {sitk.__version__}, mrcfile {mrcfile.__version__}, "
                   f"NumPy {np.__version__}, Pillow {PIL.__version__}\n")
        cases.write(file, space_around_delimiters=False)


if __name__ == "__main__":
    main()
