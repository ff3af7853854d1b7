#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py: writes the Zarr hierarchies in data/, with zarr-python 3, tensorstore and ome-zarr-py; arrays.npz, with what zarr-python and tensorstore read
of them as t, c, z, y, x; and cases.ini, with what else is known of them. The files are kept in the tree."""
import configparser
import importlib.metadata
import json
import pathlib
import shutil

import numcodecs.zarr3
import numpy as np
import ome_zarr.format
import ome_zarr.writer
import tensorstore
import zarr
from numcodecs import BZ2, LZ4, Blosc, GZip, Zlib, Zstd
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec

DATA = pathlib.Path(__file__).resolve().parent / "data"
RNG = np.random.default_rng(30)
CASES = configparser.ConfigParser(interpolation=None)
ARRAYS = {}


def values(shape, dtype):
    """A ramp with noise, in which floats have a fraction."""
    dtype = np.dtype(dtype)
    if dtype == bool:
        return RNG.random(shape) < 0.5
    ramp = np.add.outer(*(np.arange(n) for n in shape[-2:])) * 3 + RNG.integers(0, 90, shape)
    return (ramp / 8 - 2 if dtype.kind == "f" else ramp - 60 if dtype.kind == "i" else ramp).astype(dtype)


def case(name, array, number=0, **about):
    """array: t, c, z, y, x, or the last ones of these."""
    section = f"{name} {number}"
    CASES[section] = {key: str(value) for key, value in about.items() if value != ""}
    array = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("="))
    ARRAYS[section] = array.reshape((1,) * (5 - array.ndim) + array.shape)


def read(name, key=""):
    return np.asarray(zarr.open(str(DATA / name / key), mode="r"))


# ---- Arrays alone ----

def plain(name, array, chunks, version, **options):
    """An array without names of axes."""
    stored = zarr.create_array(str(DATA / name), shape=array.shape, chunks=chunks, dtype=options.pop("dtype", array.dtype), zarr_format=version,
                               fill_value=options.pop("fill_value", 0), **options)
    stored[...] = array
    assert np.array_equal(read(name), array)
    return array


def types():
    for version in 2, 3:
        for dtype in "?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8":
            name = f"type{version}_{'b1' if dtype == '?' else dtype}"
            array = plain(name, values((3, 5), dtype), (3, 5), version, compressors=None)
            source = {"?": "bool", "u8": "uint64", "i8": "int64"}.get(dtype, "")
            case(name, array.astype("f8") if dtype in ("u8", "i8") else array * np.uint8(255) if dtype == "?" else array, source=source)
    array = plain("big2", values((2, 3, 5), "u2"), (1, 3, 5), 2, dtype=">u2", compressors=None)
    case("big2", array)
    array = plain("big3", values((3, 5), "f4"), (3, 5), 3, serializer=BytesCodec(endian="big"), compressors=None)
    case("big3", array)


def codecs():
    pixels = values((2, 5, 9), "u2")
    for name, compressor in {"zlib": Zlib(), "gzip": GZip(), "zstd": Zstd(), "lz4": LZ4(), "bz2": BZ2(), "blosc_lz4": Blosc("lz4", 5, Blosc.SHUFFLE),
                             "blosc_zstd": Blosc("zstd", 3, Blosc.BITSHUFFLE), "blosc_zlib": Blosc("zlib", 3, Blosc.NOSHUFFLE)}.items():
        case(f"two_{name}", plain(f"two_{name}", pixels, (2, 4, 9), 2, compressors=compressor), library="libblosc" if "blosc" in name else "")
    case("two_fortran", plain("two_fortran", pixels, (2, 4, 5), 2, order="F", compressors=Zstd()))
    case("two_slash", plain("two_slash", pixels, (1, 5, 9), 2, compressors=Zstd(), chunk_key_encoding={"name": "v2", "separator": "/"}))
    for name, options in {
            "gzip": {"compressors": GzipCodec()},
            "zstd_checksum": {"compressors": ZstdCodec(checksum=True)},
            "blosc": {"compressors": BloscCodec(cname="lz4", shuffle="shuffle")},
            "lz4": {"compressors": numcodecs.zarr3.LZ4()},
            "bz2": {"compressors": numcodecs.zarr3.BZ2()},
            "crc": {"compressors": [Crc32cCodec()]},
            "crc_around": {"compressors": [Crc32cCodec(), ZstdCodec(), Crc32cCodec()]},
            "transpose": {"filters": [TransposeCodec(order=(2, 0, 1))], "compressors": ZstdCodec()},
            "keys": {"compressors": None, "chunk_key_encoding": {"name": "v2", "separator": "."}},
            "dots": {"compressors": None, "chunk_key_encoding": {"name": "default", "separator": "."}},
    }.items():
        case(f"three_{name}", plain(f"three_{name}", pixels, (2, 4, 9), 3, **options), library="libblosc" if name == "blosc" else "")
    case("sharded", plain("sharded", values((2, 11, 9), "u2"), (1, 3, 4), 3, shards=(2, 6, 8), compressors=ZstdCodec()))
    store = tensorstore.open({
        "driver": "zarr3", "kvstore": {"driver": "file", "path": str(DATA / "sharded_first")}, "create": True,
        "metadata": {"shape": [7, 9], "data_type": "float32", "fill_value": "NaN", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8, 6]}},
                     "codecs": [{"name": "sharding_indexed", "configuration": {
                         "chunk_shape": [4, 3], "index_location": "start", "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
                         "codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "bytes", "configuration": {"endian": "big"}},
                                    {"name": "gzip", "configuration": {"level": 5}}]}}]}}).result()
    array = values((7, 9), "f4")
    array[:4, 3:6] = np.nan
    store[:, :6].write(array[:, :6]).result()
    array[:, 6:] = np.nan  # a shard that is not there
    assert np.array_equal(store.read().result(), array, equal_nan=True)
    case("sharded_first", array)


def fills():
    """Only the first chunk is there."""
    for name, dtype, fill, version in (("fill_nan", "f4", "NaN", 2), ("fill_infinity", "f8", "-Infinity", 3), ("fill_bits", "f4", "0x40490fdb", 3),
                                       ("fill_seven", ">i2", 7, 2), ("fill_minus", "i4", -1, 3), ("fill_none", "u1", None, 2), ("fill_true", "?", True, 3)):
        number = np.frombuffer(bytes.fromhex("40490fdb"), ">f4")[0] if name == "fill_bits" else fill
        number = 0 if fill is None else float(str(number).replace("Infinity", "inf")) if isinstance(number, str) else number
        array = plain(name, values((3, 6), dtype), (3, 3), version, dtype=dtype, compressors=None, fill_value=number)
        array = array.astype(np.dtype(dtype).newbyteorder("=")).copy()
        array[:, 3:] = number
        shutil.rmtree(DATA / name / "c/0/1", ignore_errors=True)
        (DATA / name / ("c/0/1" if version == 3 else "0.1")).unlink(missing_ok=True)
        document = DATA / name / ("zarr.json" if version == 3 else ".zarray")
        about = json.loads(document.read_text())
        about["fill_value"] = fill
        document.write_text(json.dumps(about, indent=1))
        if fill is not None:
            assert np.array_equal(read(name), array, equal_nan=array.dtype.kind == "f")
        case(name, array * np.uint8(255) if dtype == "?" else array, source="bool" if dtype == "?" else "")


def names():
    """Axes that arrays name themselves."""
    array = values((4, 3, 5), "u1")
    stored = zarr.create_array(str(DATA / "named3"), data=array, chunks=(4, 3, 5), dimension_names=["y", "c", "x"], zarr_format=3)
    case("named3", np.asarray(stored).transpose(1, 0, 2)[None, :, None])
    stored = zarr.create_array(str(DATA / "named2"), data=array, chunks=(4, 3, 5), zarr_format=2, attributes={"_ARRAY_DIMENSIONS": ["time", "y", "x"]})
    case("named2", np.asarray(stored)[:, None, None])


# ---- OME-Zarr ----

def multiscale(name, arrays, axes, transforms, version, chunks=None, key="", **ome):
    """A group with levels as they are told, written by hand where ome-zarr-py writes none such."""
    group = zarr.open_group(str(DATA / name), path=key or None, mode="a", zarr_format=3 if version == "0.5" else 2)
    for i, array in enumerate(arrays):
        options = {} if version == "0.5" else {"chunk_key_encoding": {"name": "v2", "separator": "/"}}
        group.create_array(str(i), data=array, chunks=chunks or array.shape, compressors=None, **options)
    about = {"datasets": [{"path": str(i), "coordinateTransformations": t} if t else {"path": str(i)} for i, t in enumerate(transforms)]}
    about |= {"axes": axes} if axes else {}
    about |= {} if version == "0.5" else {"version": version}
    attributes = {"multiscales": [about], **ome}
    group.attrs.put({"ome": {"version": version, **attributes}} if version == "0.5" else attributes)
    return group


AXES = {"t": {"name": "t", "type": "time", "unit": "millisecond"}, "c": {"name": "c", "type": "channel"},
        **{n: {"name": n, "type": "space", "unit": "micrometer"} for n in "zyx"}}


def scale(*numbers):
    return {"type": "scale", "scale": list(numbers)}


def translation(*numbers):
    return {"type": "translation", "translation": list(numbers)}


def add_units(group, axes, omero=None):
    """What ome-zarr-py leaves out."""
    attributes = dict(group.attrs)
    ome = attributes.get("ome", attributes)
    ome["multiscales"][0]["axes"] = axes
    if omero:
        ome["omero"] = omero
    group.attrs.put(attributes)


def images():
    """By ome-zarr-py, with a pyramid and labels."""
    array = values((2, 2, 20, 24), "u2")
    omero = {"channels": [{"label": "DAPI", "color": "0000FF", "active": True, "window": {"start": 5, "end": 90, "min": 0, "max": 65535}},
                          {"label": "GFP", "color": "#00FF00", "active": True, "window": {"start": 0, "end": 65535, "min": 0, "max": 65535}}]}
    for name, form in ("ome05", ome_zarr.format.FormatV05()), ("ome04", ome_zarr.format.FormatV04()):
        group = zarr.open_group(str(DATA / name), mode="w", zarr_format=form.zarr_format)
        axes = [AXES["c"], AXES["z"], AXES["y"], AXES["x"]]
        ome_zarr.writer.write_image(array, group, axes=axes, fmt=form, scale_factors=(2,), storage_options={"chunks": (1, 2, 16, 24)},
                                    scale={"c": 1.0, "z": 2.0, "y": 0.5, "x": 0.25}, metadata={"omero": omero})
        labels = (array[0] % 7).astype("u1")
        ome_zarr.writer.write_labels(labels, group, name="cells", axes=axes[1:], fmt=form, scale_factors=(), scale={"z": 2.0, "y": 0.5, "x": 0.25},
                                     storage_options={"chunks": (2, 20, 24)})
        add_units(group, axes, omero)
        add_units(group["labels/cells"], axes[1:])
        levels = 0
        while (DATA / name / f"s{levels}").exists():
            level = read(name, f"s{levels}")
            ARRAYS[f"{name} level {levels}"] = level.reshape((1, *level.shape))
            levels += 1
        case(name, array, spacing="2 0.5 0.25", units="µm;µm;µm", names="DAPI;GFP", colors="0000ff;00ff00", ranges="5 90 0 65535", levels=levels,
             origin="0 0 0")
        case(name, labels.astype("i4")[None, None], 1, title="labels/cells", role="labels", spacing="2 0.5 0.25", units="µm;µm;µm")


def orders():
    array = values((3, 4, 5, 6, 2), "u1")  # x, y, t, z, c
    multiscale("reversed", [array], [AXES[n] for n in "xytzc"], [[scale(0.5, 0.25, 100, 2, 1), translation(1, 2, 50, -4, 0)]], "0.5")
    case("reversed", array.transpose(2, 4, 3, 1, 0), spacing="2 0.25 0.5", units="µm;µm;µm", origin="2 -8 -2", interval="100 ms")
    array = values((4, 5), "f4")
    multiscale("flat", [array], [AXES["y"], {"name": "x", "type": "space"}], [[scale(2, 3)]], "0.4",
               coordinateTransformations=[])
    case("flat", array, spacing="1 2 1", units=";µm;")
    array = values((2, 3, 4), "u1")
    multiscale("words", [array], ["c", "y", "x"], [None], "0.3")
    case("words", array[None, :, None], units=";;")
    array = values((2, 1, 3, 4, 5), "u1")
    multiscale("oldest", [array], None, [None], "0.1")
    case("oldest", array)
    array = values((3, 4, 5), "u1")
    group = multiscale("twice", [array], [AXES[n] for n in "zyx"], [[scale(1, 2, 2)]], "0.4")
    about = group.attrs["multiscales"]
    about[0]["coordinateTransformations"] = [scale(3, 0.5, 0.25), translation(6, 0, 1)]
    group.attrs["multiscales"] = about
    case("twice", array, spacing="3 1 0.5", units="µm;µm;µm", origin="-2 0 -2")
    array = values((3, 4, 5), "u1")
    channels = [{"label": name, "color": color, "window": {"start": 0, "end": 255, "min": 0, "max": 255}}
                for name, color in (("Red", "FF0000"), ("Green", "00FF00"), ("Blue", "0000FF"))]
    multiscale("rgb", [array], [AXES[n] for n in "cyx"], [[scale(1, 1, 1)]], "0.5", omero={"channels": channels})
    case("rgb", array[None, :, None], role="rgb")
    first, small, other = values((6, 16, 12), "u2"), values((3, 8, 6), "u2"), values((3, 4, 3), "f4")
    multiscale("halved", [first, small, other], [AXES[n] for n in "zyx"], [[scale(1, 1, 1)], [scale(2, 2, 2)], [scale(2, 4, 4)]], "0.5", chunks=(4, 8, 9))
    ARRAYS["halved level 1"] = small[[0, 0, 1, 1, 2, 2]].reshape(1, 1, 6, 8, 6)
    case("halved", first, levels=2)


def collections():
    """A plate, one of its wells alone, and series."""
    zarr.open_group(str(DATA / "plate"), mode="w", zarr_format=3, attributes={"ome": {"version": "0.5", "plate": {
        "name": "p", "columns": [{"name": "1"}, {"name": "2"}], "rows": [{"name": "A"}], "field_count": 2,
        "wells": [{"path": f"A/{n}", "rowIndex": 0, "columnIndex": n - 1} for n in (1, 2)]}}})
    zarr.open_group(str(DATA / "plate"), path="A", mode="a", zarr_format=3)
    number = 0
    for well in "A/1", "A/2":
        fields = ["0", "1"] if well == "A/1" else ["0"]
        zarr.open_group(str(DATA / "plate"), path=well, mode="a", zarr_format=3,
                        attributes={"ome": {"version": "0.5", "well": {"images": [{"path": f} for f in fields]}}})
        for field in fields:
            array = values((3, 4), "u1")
            multiscale("plate", [array], [AXES[n] for n in "yx"], [[scale(1, 1)]], "0.5", key=f"{well}/{field}")
            case("plate", array, number, title=f"{well}/{field}")
            if well == "A/1":
                case("plate/A/1", array, number, title=field)
            number += 1
    for name, listed in ("series", True), ("series_unlisted", False):
        zarr.open_group(str(DATA / name), mode="w", zarr_format=2, attributes={"bioformats2raw.layout": 3})
        if listed:
            zarr.open_group(str(DATA / name), path="OME", mode="a", zarr_format=2, attributes={"series": ["1", "0"]})
        for i in "01":
            array = values((3, 4), "u1")
            multiscale(name, [array], [AXES[n] for n in "yx"], [[scale(1, 1)]], "0.4", key=i)
            case(name, array, 1 - int(i) if listed else int(i), title=i)


def main():
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir()
    CASES["versions"] = {"made": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("zarr", "tensorstore", "ome-zarr", "numpy"))}
    for part in types, codecs, fills, names, images, orders, collections:
        part()
    with open(DATA.parent / "cases.ini", "w", encoding="utf-8") as file:
        CASES.write(file)
    np.savez_compressed(DATA.parent / "arrays.npz", **ARRAYS)


main()
