#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/core/files/volumes/: small NIfTI and Analyze files, and what a reader must give (cases.ini, arrays.npz).

    python3 tests/core/files/make_volumes.py

nibabel writes the files, and says what they mean. Damaged ones are made by hand. Arrays are (frame, channel, slice, row, column).
"""
import configparser
import gzip
import pathlib
import shutil
import struct

import nibabel
import numpy as np

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


def main():
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()
    make_nifti()
    np.savez_compressed(HERE / "arrays.npz", **arrays)
    with open(HERE / "cases.ini", "w", encoding="utf-8") as file:
        file.write(f"# nibabel {nibabel.__version__}, NumPy {np.__version__}\n")
        cases.write(file, space_around_delimiters=False)


if __name__ == "__main__":
    main()
