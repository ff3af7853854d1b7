#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes data/: small HDF5 files of all kinds, the arrays that they hold in the order t, c, z, y, x (.npy) and what else is known about them (cases.ini).

    python3 tests/readers/hdf5/make.py

h5py writes them, npy2bdv those of BigDataViewer. imaris_ims_file_reader reads those of Imaris again. The files are kept in the tree."""
import configparser
import importlib.metadata
import json
import pathlib
import shutil

import h5py
import npy2bdv
import numpy as np
from imaris_ims_file_reader.ims import ims as read_imaris

HERE = pathlib.Path(__file__).parent / "data"
random = np.random.default_rng(20261129)
cases = configparser.ConfigParser(interpolation=None)
cases.optionxform = str


def noise(*shape, dtype="u2"):
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return (random.random(shape) * 200 - 100).astype(kind)
    low, high = (-100, 100) if kind.kind == "i" else (0, 200)
    return random.integers(low, high, shape).astype(kind) * (37 if kind.itemsize > 1 else 1)


def case(name, array, number=0, /, **about):
    """Image `number` of the file is this array, t, c, z, y, x; about: see test_hdf5.c."""
    stem, _, ending = name.partition(".")
    section = f"{stem}_{ending} {number}" if number else f"{stem}_{ending}"
    cases[section] = {"file": name, "number": str(number), "expect": section.replace(" ", "_") + ".npy", **{key: str(value) for key, value in about.items()}}
    np.save(HERE / cases[section]["expect"], np.ascontiguousarray(array.reshape((1,) * (5 - array.ndim) + array.shape)))


def refused(name, error):
    cases[name.replace(".", "_")] = {"file": name, "error": error}


# ---- Plain datasets ----

def tags(axes):
    return json.dumps({"axes": [{"key": a, "typeFlags": 2, "resolution": 0, "description": ""} for a in axes]})


def plain():
    array = noise(7, 30, 41)
    with h5py.File(HERE / "gzip.h5", "w") as f:
        f.create_dataset("data", data=array, chunks=(2, 16, 16), compression="gzip")
        f.create_dataset("tables/numbers", data=np.arange(5))
        f.create_dataset("text", data="some text")
        f["group/again"] = f["data"]
        f["link"] = h5py.ExternalLink("gzip.h5", "/data")
    case("gzip.h5", array, name="gzip.h5: data", left_out="tables/numbers, text", tiles="16 16")
    first, second = noise(3, 20, 21, dtype="f4"), noise(10, 12, dtype="u1")
    with h5py.File(HERE / "several.hdf5", "w") as f:
        f.create_dataset("a/volume", data=first)
        f["a/volume"].attrs["element_size_um"] = [2.0, 0.5, 0.25]
        f["a/volume"].attrs["description"] = "made up"
        f.create_dataset("b", data=second, chunks=(5, 6), compression="gzip", shuffle=True, fletcher32=True)
    case("several.hdf5", first, spacing="2 0.5 0.25", unit="µm", name="several.hdf5: a/volume", description="Description: made up|")
    case("several.hdf5", second, 1, name="several.hdf5: b")
    for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "f8", ">u2", ">i4", ">f4", ">f2"):
        array = noise(9, 11, dtype=dtype)
        name = f"type_{dtype.replace('>', 'big_')}.h5"
        with h5py.File(HERE / name, "w") as f:
            f.create_dataset("data", data=array)
        case(name, array.astype(array.dtype.newbyteorder("=")))
    wide = noise(9, 11, dtype="i8") * 1000003
    with h5py.File(HERE / "wide.h5", "w") as f:
        f.create_dataset("data", data=wide, chunks=(4, 4), compression="gzip")
        f.create_dataset("exact", data=np.uint64([[2**53, 1], [2, 3]]))
    case("wide.h5", wide.astype("f8"))
    case("wide.h5", np.float64([[2**53, 1], [2, 3]]), 1)
    with h5py.File(HERE / "inexact.h5", "w") as f:
        f.create_dataset("data", data=np.int64([[1, 2**53 + 1]]))
    refused("inexact.h5", "9007199254740993, which a 64-bit float cannot hold exactly")
    mask = noise(9, 11) > 3000
    with h5py.File(HERE / "mask.h5", "w") as f:
        f.create_dataset("data", data=mask)
    case("mask.h5", mask.astype("u1") * 255, role="mask")
    with h5py.File(HERE / "missing.h5", "w") as f: # chunks that were never written have the fill value
        data = f.create_dataset("data", shape=(40, 40), dtype="u2", chunks=(16, 16), compression="gzip", fillvalue=7)
        data[:10, :10] = 1
        case("missing.h5", data[()])


def axes():
    array = noise(2, 3, 4, 19, 23) # t, c, z, y, x
    for order in ("tzyxc", "czyxt", "xyzct"):
        with h5py.File(HERE / f"tags_{order}.h5", "w") as f:
            data = array.transpose(["tczyx".index(a) for a in order])
            f.create_dataset("exported_data", data=data, chunks=tuple(min(8, n) for n in data.shape), compression="gzip")
            f["exported_data"].attrs["axistags"] = tags(order)
        case(f"tags_{order}.h5", array)
    with h5py.File(HERE / "labels.h5", "w") as f:
        f.create_dataset("d", data=array[0].transpose(1, 0, 2, 3))
        for dim, label in zip(f["d"].dims, ("z", "channel", "row", "column")):
            dim.label = label
    case("labels.h5", array[:1])
    colors = noise(17, 19, 3, dtype="u1")
    with h5py.File(HERE / "colors.h5", "w") as f:
        f.create_dataset("guessed", data=colors)
        f.create_dataset("said", data=colors.transpose(2, 0, 1))
        f["said"].attrs.update({"CLASS": np.bytes_("IMAGE"), "IMAGE_SUBCLASS": np.bytes_("IMAGE_TRUECOLOR"), "INTERLACE_MODE": np.bytes_("INTERLACE_PLANE")})
    for number in (0, 1):
        case("colors.h5", colors.transpose(2, 0, 1)[:, None], number, role="rgb")
    guesses = {"five": noise(2, 3, 4, 9, 10), "four": noise(6, 4, 9, 10), "few": noise(2, 4, 9, 10), "last": noise(4, 9, 10, 2)}
    with h5py.File(HERE / "guessed.h5", "w") as f:
        for name, data in guesses.items():
            f.create_dataset(name, data=data)
    for number, name in enumerate(sorted(guesses)):
        data = guesses[name]
        case("guessed.h5", data[:, None] if name == "four" else data.transpose(3, 0, 1, 2) if name == "last" else data, number)
    matlab = noise(9, 12, 4) # rows, columns, slices
    with h5py.File(HERE / "matlab.mat", "w", userblock_size=512) as f:
        f.create_dataset("volume", data=matlab.T)
        f["volume"].attrs["MATLAB_class"] = np.bytes_("uint16")
    block = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM"
    path = HERE / "matlab.mat"
    path.write_bytes(block.ljust(512, b"\0") + path.read_bytes()[512:])
    case("matlab.mat", matlab.transpose(2, 0, 1))


# ---- Imaris ----

def text(group, **values):
    for key, value in values.items():
        group.attrs.create(key, np.array([c.encode("latin-1") for c in str(value)], dtype="S1"))


def imaris(name, array, levels=1, stamps=()):
    """As Imaris 5.5 has it: chunks that are filled up, sizes as characters."""
    frames, channels = array.shape[:2]
    with h5py.File(HERE / name, "w") as f:
        text(f, DataSetDirectoryName="DataSet", DataSetInfoDirectoryName="DataSetInfo", ImarisDataSet="ImarisDataSet", ImarisVersion="5.5.0", ThumbnailDirectoryName="Thumbnail")
        f.attrs["NumberOfDataSets"] = np.uint32([1])
        for level in range(levels):
            for t in range(frames):
                for c in range(channels):
                    data = array[t, c, ::2**level, ::2**level, ::2**level]
                    group = f.create_group(f"DataSet/ResolutionLevel {level}/TimePoint {t}/Channel {c}")
                    filled = np.pad(data, [(0, -n % step) for n, step in zip(data.shape, (4, 16, 16))])
                    group.create_dataset("Data", data=filled, chunks=(4, 16, 16), compression="gzip", compression_opts=2)
                    text(group, ImageSizeX=data.shape[2], ImageSizeY=data.shape[1], ImageSizeZ=data.shape[0], HistogramMin="0.000", HistogramMax="255.000")
        depth, rows, columns = array.shape[2:]
        text(f.create_group("DataSetInfo/Image"), X=columns, Y=rows, Z=depth, ExtMin0="10", ExtMin1="-5", ExtMin2="0", ExtMax0=10 + columns * 0.2,
             ExtMax1=-5 + rows * 0.25, ExtMax2=depth * 1.5, Unit="um", Name="(name not specified)", RecordingDate="2020-05-04 10:00:00.000", LensPower="63x")
        for c in range(channels):
            text(f.create_group(f"DataSetInfo/Channel {c}"), Name=["DAPI", "GFP", "Cy5"][c], Color=["0.000 0.000 1.000", "0.000 1.000 0.000", "1.000 0.000 0.502"][c],
                 ColorRange=f"{10 * c}.000 {100 + c}.000", ColorMode="BaseColor")
        text(f.create_group("DataSetInfo/TimeInfo"), DatasetTimePoints=frames, FileTimePoints=frames, **{f"TimePoint{t + 1}": stamp for t, stamp in enumerate(stamps)})
        f.create_dataset("Thumbnail/Data", data=np.zeros((8, 8), "u1"))
    read = read_imaris(str(HERE / name))
    assert np.array_equal(read[:].reshape(array.shape), array)


def all_imaris():
    array = noise(1, 1, 7, 30, 41)
    imaris("one.ims", array)
    case("one.ims", array, spacing="1.5 0.25 0.2", unit="µm", names="DAPI", colors="0000ff", ranges="0 100", tiles="30 41")
    array = noise(3, 2, 5, 36, 40, dtype="u1")
    stamps = ["2020-05-04 10:00:00.000", "2020-05-04 10:00:09.500", "2020-05-04 10:00:20.500"]
    imaris("series.ims", array, levels=2, stamps=stamps)
    description = f"Name: (name not specified)\nAcquired: 2020-05-04 10:00:00.000\nObjective: 63x\nTimes: {', '.join(stamps)}\n"
    levels = {}
    for n, data in enumerate((array, array[:, :, ::2, ::2, ::2])):
        np.save(HERE / f"series_level{n}.npy", data[1, 1, 3 * data.shape[2] // 5])
        levels[f"level{n}"] = f"series_level{n}.npy"
    case("series.ims", array, spacing="1.5 0.25 0.2", unit="µm", names="DAPI;GFP", colors="0000ff 00ff00", ranges="0 100 10 101", levels=2, interval="10.25 s",
         description=description.replace("\n", "|"), plane=1 * 2 * 5 + 5 + 3, **levels)


# ---- BigDataViewer ----

def bdv():
    arrays = noise(2, 3, 4, 33, 40) # t, setup, z, y, x
    writer = npy2bdv.BdvWriter(str(HERE / "two.h5"), nchannels=2, subsamp=((1, 1, 1), (1, 2, 2)), blockdim=((4, 16, 16),), compression="gzip", overwrite=True)
    for t in range(2):
        for c in range(2):
            writer.append_view(arrays[t, c], time=t, channel=c, voxel_size_xyz=(0.2, 0.25, 2), voxel_units="um")
    writer.write_xml()
    writer.close()
    with h5py.File(HERE / "two.h5") as f:
        small = f["t00001/s01/1/cells"][1].view("u2")
    np.save(HERE / "two_level0.npy", arrays[1, 1, 1])
    np.save(HERE / "two_level1.npy", small)
    about = {"spacing": "2 0.25 0.2", "unit": "µm", "levels": 2, "plane": 1 * 2 * 4 + 4 + 1, "level0": "two_level0.npy", "level1": "two_level1.npy"}
    case("two.h5", arrays[:, :2], others="two.xml", **about)
    case("two.xml", arrays[:, :2], others="two.h5", **about)
    shutil.copy(HERE / "two.h5", HERE / "alone.h5")
    for number in (0, 1):
        case("alone.h5", arrays[:, number:number + 1], number, levels=2, name=f"alone.h5: setup {number}")
    writer = npy2bdv.BdvWriter(str(HERE / "tiles.h5"), ntiles=2, blockdim=((4, 16, 16),), compression="gzip", overwrite=True)
    for tile in range(2):
        writer.append_view(arrays[0, tile], time=0, tile=tile)
    writer.write_xml()
    writer.close()
    for number in (0, 1):
        case("tiles.h5", arrays[:1, number:number + 1], number, others="tiles.xml")
    with h5py.File(HERE / "parts-00.h5", "w") as f:
        f.create_dataset("t00000/s00/0/cells", data=arrays[0, 0].view("i2"))
    with h5py.File(HERE / "parts.h5", "w") as f:
        f["t00000"] = h5py.ExternalLink("parts-00.h5", "/t00000")
        f["s00/resolutions"] = np.float64([[1, 1, 1]])
        f["s00/subdivisions"] = np.int32([[16, 16, 4]])
    case("parts.h5", arrays[0, 0], others="parts-00.h5")


# ---- What cannot be read ----

def refusals():
    with h5py.File(HERE / "no_image.h5", "w") as f:
        f.create_dataset("table", data=np.arange(9))
    refused("no_image.h5", "holds no image")
    with h5py.File(HERE / "lzf.h5", "w") as f: # which h5py has, and HDF5 has not
        f.create_dataset("data", data=noise(9, 11), chunks=(4, 4), compression="lzf")
    refused("lzf.h5", "the HDF5 filter 32000 (lzf), which is not installed")
    bytes_ = (HERE / "gzip.h5").read_bytes()
    (HERE / "cut.h5").write_bytes(bytes_[:len(bytes_) * 2 // 3])
    refused("cut.h5", "truncated or damaged")
    with h5py.File(HERE / "virtual.h5", "w") as f:
        layout = h5py.VirtualLayout(shape=(9, 9), dtype="u1")
        layout[:] = h5py.VirtualSource("type_u1.h5", "data", shape=(9, 11))[:, :9]
        f.create_virtual_dataset("data", layout)
    refused("virtual.h5", "holds no image")
    text_ = (HERE / "two.xml").read_text(encoding="utf-8")
    (HERE / "n5.xml").write_text(text_.replace("bdv.hdf5", "bdv.n5"), encoding="utf-8")
    refused("n5.xml", "'bdv.n5'")
    (HERE / "elsewhere.xml").write_text(text_.replace(">two.h5<", ">../two.h5<"), encoding="utf-8")
    refused("elsewhere.xml", "another folder")
    (HERE / "gone.xml").write_text(text_.replace(">two.h5<", ">gone.h5<"), encoding="utf-8")
    refused("gone.xml", "gone.h5 is missing")
    (HERE / "half.xml").write_text(text_[:len(text_) // 2], encoding="utf-8")
    refused("half.xml", "XML of BigDataViewer is damaged")


def main():
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()
    plain()
    axes()
    all_imaris()
    bdv()
    refusals()
    packages = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("h5py", "npy2bdv", "imaris-ims-file-reader"))
    with open(HERE / "cases.ini", "w", encoding="utf-8") as out:
        out.write(f"# Made by make.py with {packages}.\n")
        cases.write(out)


if __name__ == "__main__":
    main()
