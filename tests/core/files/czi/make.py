#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes data/: small CZI files of all kinds, the arrays that they hold in the order t, c, z, y, x (.npy) and what else is known about
them (cases.ini).

    python3 tests/core/files/czi/make.py

pylibCZIrw, which is Zeiss's own library, writes what it can, and reads all files that it can read, from by_hand.py, too: arrays are what it reads where
these are not simply what went in. Pillow makes JPEG, JxrEncApp (libjxr-tools) JPEG XR. The files are kept in the tree."""
import configparser
import importlib.metadata
import io
import pathlib
import struct
import subprocess
import tempfile

import numpy as np
import tifffile
from PIL import Image
from pylibCZIrw import czi as zeiss

from by_hand import block, czi

HERE = pathlib.Path(__file__).parent / "data"
random = np.random.default_rng(20261128)
cases = configparser.ConfigParser(interpolation=None)
cases.optionxform = str


def noise(rows, columns, dtype="u2", samples=1):
    y, x = np.indices((rows, columns))
    values = (3 * y + 2 * x)[..., None] + random.integers(0, 60, (rows, columns, samples))
    return (values / 7 - 20 if dtype == "f4" else values * (1 if dtype == "u1" else 40)).astype(dtype)


def five(planes):
    """planes[t][c][z], of which each is (row, column, sample), as t, c, z, y, x; blue, green, red become red, green, blue."""
    array = np.asarray(planes)
    order = [2, 1, 0, 3][:array.shape[-1]] if array.shape[-1] > 1 else [0]
    array = np.moveaxis(array[..., order], -1, 2)
    return array.reshape(array.shape[0], -1, *array.shape[3:])


def case(name, array, number=0, /, **about):
    """Image `number` of name.czi is this array; about: see test_czi.c."""
    section = f"{name} {number}" if number else name
    cases[section] = {"file": f"{name}.czi", "number": str(number), "expect": section.replace(" ", "_") + ".npy",
                      **{key: str(value) for key, value in about.items()}}
    np.save(HERE / cases[section]["expect"], np.ascontiguousarray(array))


def refused(name, contents, error, **about):
    (HERE / f"{name}.czi").write_bytes(contents)
    cases[name] = {"file": f"{name}.czi", "error": error, **about}


def read(name, scene=None, frames=(0,), channels=(0,), slices=(0,), zoom=1):
    """What pylibCZIrw reads."""
    with zeiss.open_czi(str(HERE / f"{name}.czi")) as file:
        box = file.total_bounding_rectangle if scene is None else file.scenes_bounding_rectangle[scene]
        return five([[[file.read(roi=box, plane={"T": t, "C": c, "Z": z}, scene=scene, zoom=zoom) for z in slices] for c in channels] for t in frames])


def by_zeiss():
    """Planes of all kinds."""
    options = {"raw": "uncompressed:", "zstd0": "zstd0:ExplicitLevel=3", "zstd1": "zstd1:ExplicitLevel=3;PreProcess=HiLoByteUnpack"}
    for compression, dtype, samples in (("raw", "u1", 1), ("raw", "u2", 1), ("raw", "u2", 3), ("raw", "u1", 3), ("zstd0", "u2", 1), ("zstd0", "f4", 1),
                                        ("zstd0", "u1", 3), ("zstd1", "u1", 1), ("zstd1", "u2", 1), ("zstd1", "u2", 3)):
        name = f"{compression}_{dtype}_{samples}"
        frames, channels, slices = (1, 1, 2) if samples == 3 else (2, 2, 3)
        planes = [[[noise(11, 17, dtype, samples) for _ in range(slices)] for _ in range(channels)] for _ in range(frames)]
        (HERE / f"{name}.czi").unlink(missing_ok=True)
        with zeiss.create_czi(str(HERE / f"{name}.czi"), compression_options=options[compression]) as file:
            for t in range(frames):
                for c in range(channels):
                    for z in range(slices):
                        file.write(planes[t][c][z], plane={"T": t, "C": c, "Z": z})
            file.write_metadata("a", channel_names={0: "DAPI", 1: "GFP"}, scale_x=2e-7, scale_y=3e-7, scale_z=1e-6)
        if name != "zstd1_u2_3":  # of which version 6.1 reads other pixels than it wrote
            assert np.array_equal(read(name, None, range(frames), range(channels), range(slices)), five(planes)), name
        about = dict(role="rgb") if (dtype, samples) == ("u1", 3) else dict(names="red;green;blue") if samples == 3 else dict(names="DAPI;GFP")
        case(name, five(planes), spacing="1 0.3 0.2", units="µm;µm;µm", **about)


def mosaics():
    """Tiles that overlap, of two scenes."""
    for compression, dtype, samples in (("uncompressed:", "u2", 1), ("zstd1:ExplicitLevel=3;PreProcess=HiLoByteUnpack", "u2", 1), ("zstd0:ExplicitLevel=3", "u1", 3)):
        name = f"mosaic_{compression.partition(':')[0]}_{samples}"
        (HERE / f"{name}.czi").unlink(missing_ok=True)
        with zeiss.create_czi(str(HERE / f"{name}.czi"), compression_options=compression) as file:
            for scene in range(2):
                for z in range(2):
                    for i in range(6):
                        rows, columns = random.integers(5, 20, 2)
                        x, y = random.integers(-20, 20, 2)
                        file.write(noise(rows, columns, dtype, samples), location=(int(x) + 100 * scene, int(y)), plane={"T": 0, "Z": z, "C": 0}, scene=scene)
            file.write_metadata("a")
        for scene in range(2):
            case(name, read(name, scene, slices=range(2)), scene, images=2, name=f"{name}.czi: scene {scene + 1}", role="rgb" if samples == 3 else "")


def keep(name, *arguments):
    (HERE / f"{name}.czi").write_bytes(czi(*arguments))


def halves(array):
    return array[::2, ::2]


def pyramids():
    for name, rows, columns in (("pyramid", 44, 72), ("pyramid_odd", 45, 71)):
        whole = noise(rows, columns)
        first, second = halves(whole), halves(halves(whole))
        corners = [(0, 0), (0, columns - 40), (rows - 24, 0), (rows - 24, columns - 40)]
        tiles = [block(whole[y:y + 24, x:x + 40], 1000 + x, y - 500, M=m, C=0, S=0) for m, (y, x) in enumerate(corners)]
        keep(name, tiles + [block(reduced, 1000, -500, (columns, rows), pyramid=2, C=0, S=0) for reduced in (first, second)])
        assert np.array_equal(read(name, 0), five([[[whole]]]))
        if name == "pyramid":  # whose levels have the same pixels after rounding
            assert np.array_equal(read(name, 0, zoom=0.5), five([[[first]]])) and np.array_equal(read(name, 0, zoom=0.25), five([[[second]]]))
        case(name, five([[[whole]]]), level1=f"{name}_1.npy", level2=f"{name}_2.npy", levels=3)
        np.save(HERE / f"{name}_1.npy", first[..., 0])
        np.save(HERE / f"{name}_2.npy", second[..., 0])
    # A level that lacks a part is not used; an overview of all scenes is no image.
    part = block(first[:12], 1000, -500, (columns, 24), pyramid=2, C=0, S=0)
    keep("pyramid_part", [*tiles, part, block(second, 1000, -500, (columns, rows), pyramid=2, C=0)])
    case("pyramid_part", five([[[whole]]]), levels=1)


def by_jpeg():
    for name, array in (("jpeg_gray", noise(20, 30, "u1")), ("jpeg_color", noise(20, 30, "u1", 3))):
        file = io.BytesIO()
        Image.fromarray(array[..., ::-1].squeeze()).save(file, "JPEG", quality=90)
        keep(name, [block(array, data=file.getvalue(), compression=1, C=0)])
        seen = np.atleast_3d(np.asarray(Image.open(file)))[..., ::-1]
        case(name, five([[[seen]]]), role="rgb" if array.shape[2] == 3 else "", tolerance=1)


def by_jpeg_xr():
    """Lossless, so that arrays are what went in."""
    kinds = {("u1", 1): 2, ("u2", 1): 3, ("u1", 3): 0, ("u2", 3): 10}  # numbers of JxrEncApp's pixel formats
    for (dtype, samples), kind in kinds.items():
        array = noise(20, 30, dtype, samples)
        with tempfile.TemporaryDirectory() as folder:
            source, made = pathlib.Path(folder, "a.tif"), pathlib.Path(folder, "a.jxr")
            tifffile.imwrite(source, array[..., ::-1].squeeze(), photometric="rgb" if samples == 3 else "minisblack")
            subprocess.run(["JxrEncApp", "-i", source, "-o", made, "-q", "1", "-c", str(kind)], check=True, stdout=subprocess.DEVNULL)
            name, packed = f"jpeg_xr_{dtype}_{samples}", made.read_bytes()
        keep(name, [block(array, data=packed, compression=4, C=0)])
        assert np.array_equal(read(name), five([[[array]]]))
        case(name, five([[[array]]]), role="rgb" if (dtype, samples) == ("u1", 3) else "", library="libjxr0")
    # An orientation that does not exist, on which the library ends its process.
    orientation = packed.index(struct.pack("<HHI", 0xBC02, 4, 1)) + 8
    ends = packed[:orientation] + struct.pack("<I", 9) + packed[orientation + 4:]
    refused("jpeg_xr_ends", czi([block(array, data=ends, compression=4, C=0)]), "cannot be decoded by libjxrglue", library="libjxr0")
    refused("jpeg_xr_not", czi([block(array, compression=4, C=0)]), "is not JPEG XR", library="libjxr0")
    refused("jpeg_xr_other", czi([block(noise(9, 9), data=packed, compression=4, C=0)]), "another size or pixel type", library="libjxr0")


METADATA = """<?xml version="1.0" encoding="utf-8"?>
<ImageDocument><Metadata>
 <Information>
  <Image><AcquisitionDateAndTime>2026-11-28T10:11:12.5Z</AcquisitionDateAndTime>
   <Dimensions>
    <Channels><Channel Id="Channel:0" Name="DAPI"><Color>#FF0000FF</Color></Channel><Channel Id="Channel:1" Name="GFP &amp; more"><Color>#FFFFFFFF</Color></Channel></Channels>
    <T><Positions><Interval><Increment>30</Increment></Interval></Positions></T>
    <S><Scenes><Scene Index="0" Name="A1"/><Scene Index="1" Name="B2"/></Scenes></S>
   </Dimensions>
   <ObjectiveSettings><ObjectiveRef Id="Objective:1"/></ObjectiveSettings></Image>
  <Application><Name>ZEN</Name><Version>3.1</Version></Application>
  <Instrument><Objectives>
   <Objective Id="Objective:0" Name="other"/>
   <Objective Id="Objective:1" Name="Plan-Apochromat 63x/1.4"><LensNA>1.4</LensNA><NominalMagnification>63</NominalMagnification><Immersion>Oil</Immersion></Objective>
  </Objectives></Instrument>
 </Information>
 <Scaling><Items><Distance Id="X"><Value>1.3E-07</Value></Distance><Distance Id="Y"><Value>1.4E-07</Value></Distance><Distance Id="Z"><Value>5E-07</Value></Distance></Items></Scaling>
 <DisplaySetting><Channels>
  <Channel Id="Channel:0"><Low>0.25</Low><High>0.5</High></Channel>
  <Channel Id="Channel:1"><Color>#FF00FF00</Color></Channel>
 </Channels></DisplaySetting>
</Metadata></ImageDocument>"""
TAGS = """<METADATA><Tags><StageXPosition>+000000047493.8135</StageXPosition><StageYPosition>-000000019720.6970</StageYPosition>
<FocusPosition>+000000000594.5220</FocusPosition></Tags></METADATA>"""


def about_images():
    planes = [[[noise(6, 9)] for c in range(2)] for t in range(3)]
    times = struct.pack("<ii3d", 32, 3, 1.5, 3.5, 5.6)
    blocks = [block(planes[t][c][0], C=c, T=t + 4, S=1, metadata=TAGS) for t in range(3) for c in range(2)]
    keep("metadata", blocks + [block(planes[0][0][0], S=0, C=0)], METADATA, [(b"TimeStamps", b"CZTIMS", struct.pack("<ii7d", 64, 7, 0, 0, 0, 0, 1.5, 3.5, 5.6)), (b"Label", b"CZI", b"?"), (b"Thumbnail", b"JPG", b"?")])
    description = "Acquired: 2026-11-28T10:11:12.5Z;Objective: Plan-Apochromat 63x/1.4;Magnification: 63;Numerical aperture: 1.4;Immersion: Oil;"
    case("metadata", five([[[planes[0][0][0]]]]), 0, images=2, name="metadata.czi: scene A1", names="DAPI", colors="0000ff")
    case("metadata", five(planes), 1, images=2, name="metadata.czi: scene B2", spacing="0.5 0.14 0.13", units="µm;µm;µm", names="DAPI;GFP & more",
         colors="0000ff;00ff00", interval=2.05, interval_unit="s", ranges="16383.75 32767.5;0 65535", left_out="the attachments Label, Thumbnail",
         description=description + "Stage x (µm): 47493.8135;Stage y (µm): -19720.697;Focus (µm): 594.522;Time stamps (s): 1.5 3.5 5.6;Program: ZEN 3.1;")
    keep("interval", [block(planes[t][0][0], T=t) for t in range(3)], METADATA)
    case("interval", five([[[planes[t][0][0]]] for t in range(3)]), interval=30, interval_unit="s")
    # ZEN nests the settings of a microscope 65 deep, before what else there is; display settings of other programs have ids of their own.
    settings = "".join(f"<Part Level='{n}'>" for n in range(100)) + "</Part>" * 100
    deep = METADATA.replace("<ImageDocument><Metadata>", f"<ImageDocument><Metadata><HardwareSetting>{settings}</HardwareSetting>")
    deep = deep.replace(' Name="GFP &amp; more"', "").replace('<Channel Id="Channel:1"><Color>#FF00FF00', '<Channel Id="c15b6ce0" Name="GFP"><Color>#FF00FF00')
    keep("deep_xml", [block(planes[0][c][0], C=c) for c in range(2)], deep)
    case("deep_xml", five([[[planes[0][0][0]], [planes[0][1][0]]]]), spacing="0.5 0.14 0.13", units="µm;µm;µm", names="DAPI;GFP", colors="0000ff;00ff00",
         ranges="16383.75 32767.5;0 65535")
    keep("too_deep_xml", [block(planes[0][0][0])], METADATA.replace("<ImageDocument><Metadata>", "<ImageDocument><Metadata>" + "<Part>" * 4096))
    case("too_deep_xml", five([[[planes[0][0][0]]]]), left_out="damaged metadata")
    keep("bad_xml", [block(planes[0][0][0])], "<ImageDocument><Metadata></ImageDocument>")
    case("bad_xml", five([[[planes[0][0][0]]]]), left_out="damaged metadata")
    # Axes beyond five are images; a plane that the file lacks is zero.
    keep("axes", [block(planes[0][0][0], H=0, V=0, Z=0), block(planes[0][1][0], H=0, V=0, Z=2), block(planes[1][0][0], H=1, V=1, Z=5)])
    gap = np.zeros_like(planes[0][0][0])
    case("axes", five([[[planes[0][0][0], gap, planes[0][1][0]]]]), 0, images=2, name="axes.czi: view 1, phase 1", left_out="1 plane that the file lacks, which is zero")
    case("axes", five([[[planes[1][0][0]]]]), 1, images=2, name="axes.czi: view 2, phase 2")
    # Channels of different types, colors among them.
    kinds = [noise(6, 9), noise(6, 9, "u1"), noise(6, 9, "u1", 3), noise(6, 9, "u1", 3), noise(6, 9, "u2")]
    keep("types", [block(array, C=c) for c, array in enumerate(kinds)])
    for number, (array, more) in enumerate([([kinds[1]], dict(name="types.czi #1")), ([kinds[0], kinds[4]], dict(name="types.czi #2")),
                                            ([kinds[2]], dict(name="types.czi: channel 3", role="rgb")), ([kinds[3]], dict(name="types.czi: channel 4", role="rgb"))]):
        case("types", five([[[one] for one in array]]), number, images=4, **more)
    others = {"i4": -noise(6, 9, "i4"), "f8": noise(6, 9, "f4").astype("f8") / 3, "f4_3": noise(6, 9, "f4", 3), "u1_4": noise(6, 9, "u1", 4)}
    for name, array in others.items():
        keep(f"type_{name}", [block(array, C=0)])
        case(f"type_{name}", five([[[array]]]), names={"f4_3": "red;green;blue", "u1_4": "red;green;blue;alpha"}.get(name, ""))
    # Without an order of the tiles the last one is on top.
    below, above = noise(8, 8), noise(8, 8)
    keep("no_order", [block(below, 0, 0), block(above, 4, 4)])
    case("no_order", read("no_order"))
    shown = np.zeros((12, 12), "u2")
    shown[:8, :8], shown[4:, 4:] = below[..., 0], above[..., 0]
    assert np.array_equal(read("no_order")[0, 0, 0], shown)
    # Some sub-blocks are stretched, complex or in another file.
    good = noise(20, 20)
    other = block(good, 0, 0, C=1) | dict(part=1)
    keep("left_out", [block(good, C=0), block(good, 0, 0, (40, 20), C=0), block(good[..., 0].astype("c8"), C=2), other])
    case("left_out", five([[[good]]]), left_out="1 sub-block, 1 stretched sub-block, sub-blocks of complex numbers")


def lies():
    array = noise(16, 16)
    one = block(array, C=0)
    good = czi([one])
    directory, = struct.unpack_from("<q", good, 32 + 52)
    refused("cut_header", good[:50], "ends within its header")
    refused("cut_directory", good[:-100], "no directory")
    refused("cut_before", good[:700], "no directory")
    refused("no_blocks", czi([]), "without an image")
    refused("no_entries", good[:directory + 32] + struct.pack("<i", 1 << 30) + good[directory + 36:], "ends too early")
    refused("outside", good[:directory + 160 + 6] + struct.pack("<q", 1 << 40) + good[directory + 160 + 14:], "outside of the file")
    refused("elsewhere", good[:directory + 160 + 6] + struct.pack("<q", 64) + good[directory + 160 + 14:], "is not there")
    refused("larger", czi([block(array, shown=(1 << 20, 1 << 20)) | dict(axes={"X": (0, 1 << 20, 1 << 20), "Y": (0, 1 << 20, 1 << 20)})]), "more pixels than the file can hold")
    refused("short", czi([one | dict(data=one["data"][:-1])]), "fewer bytes")
    refused("size", czi([one | dict(size=1 << 60)]), "do not fit")
    refused("negative_size", czi([one | dict(size=-1)]), "do not fit")
    refused("negative", czi([one | dict(axes={"X": (0, -16, 16), "Y": (0, 16, 16)})]), "no sub-block that is a rectangle")
    refused("far", czi([one, block(array, 1 << 28, 1 << 28, C=0)]), "too far from each other")
    refused("planes", czi([block(array, T=0), block(array, T=1 << 20)]), "planes are missing")
    refused("index", czi([block(array, T=-1)]), "no sub-block that is a rectangle")
    refused("complex", czi([block(array[..., 0].astype("c8"))]), "complex numbers")
    refused("stretched", czi([block(array, shown=(16, 64))]), "stretched")
    refused("lzw", czi([one | dict(compression=2)]), "LZW")
    refused("camera", czi([one | dict(compression=104)]), "method of its camera (104)")
    refused("bad_zstd", czi([one | dict(compression=5)]), "Zstandard")
    refused("bad_zstd1", czi([one | dict(compression=6, data=b"\x05" + bytes(99))]), "header of Zstandard")
    refused("bad_jpeg", czi([block(noise(9, 9, "u1"), compression=1)]), "libjpeg")


if __name__ == "__main__":
    cases["versions"] = {"made": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("pylibCZIrw", "numpy", "Pillow", "tifffile"))}
    for old in [*HERE.glob("*.czi"), *HERE.glob("*.npy")]:
        old.unlink()
    by_zeiss()
    mosaics()
    pyramids()
    by_jpeg()
    by_jpeg_xr()
    about_images()
    lies()
    with open(HERE / "cases.ini", "w", encoding="utf-8") as file:
        cases.write(file)
