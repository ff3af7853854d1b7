#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py: writes the DICOM files beside it with pydicom 3 (and its encoders: pylibjpeg-openjpeg, pyjpegls, python-gdcm, imagecodecs, Pillow), and values.npz with
what pydicom reads of them, rescaled, and levels.npz, the same of a slide in several files. Nothing in them is of a person."""
import io
import os
import pathlib
import shutil
import tempfile

import numpy as np
import pydicom
from PIL import Image
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.fileset import FileSet
from pydicom.pixels import apply_color_lut, apply_rescale, convert_color_space
from pydicom.sequence import Sequence
from pydicom.uid import (CTImageStorage, DeflatedExplicitVRLittleEndian, ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian,
                         JPEG2000Lossless, JPEGBaseline8Bit, JPEGExtended12Bit, JPEGLosslessSV1, JPEGLSLossless,
                         JPEGLSNearLossless, RLELossless)

HERE = pathlib.Path(__file__).resolve().parent
RNG = np.random.default_rng(30)
SERIES = "1.2.826.0.1.3680043.8.498.1"
VALUES = {}


def image(shape, bits, low=0):
    """A smooth ramp with noise, as scanners have."""
    ramp = np.add.outer(*(np.linspace(0, 1, n) for n in shape[-2:])) / 2 if len(shape) > 1 else 0
    return (low + (ramp + RNG.random(shape) / 8) / 1.2 * (2**bits - 1)).astype(np.int64)


def dataset(pixels, syntax=ExplicitVRLittleEndian, **elements):
    """pixels: (frames,) rows, columns (, samples), of the type that is stored."""
    ds = FileDataset(None, {}, file_meta=FileMetaDataset(), preamble=b"\0" * 128, is_implicit_VR=syntax == ImplicitVRLittleEndian,
                     is_little_endian=syntax != ExplicitVRBigEndian)
    ds.file_meta.TransferSyntaxUID = syntax
    ds.file_meta.MediaStorageSOPClassUID = ds.SOPClassUID = CTImageStorage
    ds.file_meta.MediaStorageSOPInstanceUID = ds.SOPInstanceUID = f"{SERIES}.{RNG.integers(1 << 30)}"
    ds.SeriesInstanceUID, ds.Modality, ds.PatientName = SERIES, "CT", "Secret^Name"
    samples = 3 if pixels.ndim > 2 and pixels.shape[-1] == 3 else 1
    rows, columns = pixels.shape[-3:-1] if samples == 3 else pixels.shape[-2:]
    frames = pixels.size // (rows * columns * samples)
    ds.Rows, ds.Columns, ds.SamplesPerPixel = int(rows), int(columns), samples
    ds.PhotometricInterpretation = "RGB" if samples == 3 else "MONOCHROME2"
    if samples == 3:
        ds.PlanarConfiguration = 0
    if frames > 1:
        ds.NumberOfFrames = frames
    ds.BitsAllocated = ds.BitsStored = 8 * pixels.dtype.itemsize
    ds.HighBit = ds.BitsStored - 1
    ds.PixelRepresentation = int(pixels.dtype.kind == "i")
    for name, value in elements.items():
        setattr(ds, name, value)
    big = syntax == ExplicitVRBigEndian
    ds.PixelData = pixels.astype(pixels.dtype.newbyteorder(">" if big else "<")).tobytes()
    if len(ds.PixelData) % 2:
        ds.PixelData += b"\0"
    ds["PixelData"].VR = "OB" if ds.BitsAllocated == 8 and not big else "OW"
    return ds


def save(ds, name, values=None):
    path = HERE / name
    path.parent.mkdir(exist_ok=True)
    ds.save_as(path, enforce_file_format=True)
    if values is None:
        read = pydicom.dcmread(path)
        values = apply_rescale(read.pixel_array, read)
    VALUES[name] = values


def save_gray():
    save(dataset(image((6, 7), 8).astype("u1")), "u8.dcm")
    save(dataset(image((6, 7), 12).astype("u2"), BitsStored=12, HighBit=11, RescaleSlope=1, RescaleIntercept=-1024, RescaleType="HU",
                 PixelSpacing=[0.5, 0.75], WindowCenter=40, WindowWidth=400), "hu.dcm")
    save(dataset(image((6, 7), 12, -2000).astype("i2"), ImplicitVRLittleEndian), "i16_implicit.dcm")
    save(dataset(image((5, 7), 16).astype("u2"), ExplicitVRBigEndian), "u16_big_endian.dcm")
    odd = image((3, 5), 8).astype("u1")
    words = np.append(odd.ravel(), 0).astype("u1").reshape(-1, 2)[:, ::-1]  # of 16 bits
    ds = dataset(odd, ExplicitVRBigEndian)
    ds.PixelData = words.tobytes()
    save(ds, "u8_big_endian_words.dcm", odd)
    save(dataset(image((6, 7), 31).astype("u4"), RescaleSlope=0.25, RescaleIntercept=3), "u32_scaled.dcm")
    save(dataset(image((6, 7), 8).astype("u1"), PhotometricInterpretation="MONOCHROME1"), "inverted.dcm")
    high = (image((6, 7), 10) << 4).astype("u2")
    save(dataset(high | 0x8005, BitsStored=10, HighBit=13), "high_bit.dcm", (high >> 4).astype("u2"))  # other bits do not count
    mask = RNG.integers(0, 2, (2, 5, 7)).astype("u1")
    ds = dataset(mask, BitsAllocated=1, BitsStored=1, HighBit=0)
    ds.PixelData = np.packbits(mask.ravel(), bitorder="little").tobytes() + b"\0"
    save(ds, "bits.dcm", mask * 255)


def save_colors():
    rgb = image((6, 8, 3), 8).astype("u1")
    save(dataset(rgb), "rgb.dcm")
    ds = dataset(rgb, PlanarConfiguration=1)
    ds.PixelData = np.moveaxis(rgb, -1, 0).tobytes()
    save(ds, "rgb_planes.dcm")
    ybr = dataset(rgb, PhotometricInterpretation="YBR_FULL")
    save(ybr, "ybr.dcm", convert_color_space(rgb, "YBR_FULL", "RGB"))
    save(dataset(image((6, 8, 3), 16).astype("u2")), "rgb16.dcm")
    ds = dataset(image((6, 7), 4).astype("u1"), PhotometricInterpretation="PALETTE COLOR")
    for color in ("Red", "Green", "Blue"):
        setattr(ds, f"{color}PaletteColorLookupTableDescriptor", [12, 2, 16])
        setattr(ds, f"{color}PaletteColorLookupTableData", RNG.integers(0, 1 << 16, 12).astype("<u2").tobytes())
    save(ds, "palette.dcm", (apply_color_lut(ds.pixel_array, ds) >> 8).astype("u1"))


def save_compressed():
    frames = image((3, 33, 35), 12).astype("u2")
    for syntax, name, encoder in ((RLELossless, "rle", "pydicom"), (JPEG2000Lossless, "jpeg2000", "pylibjpeg"), (JPEGLSLossless, "jpeg_ls", "pyjpegls")):
        ds = dataset(frames, BitsStored=12, HighBit=11, RescaleSlope=1, RescaleIntercept=-1024)
        ds.compress(syntax, encoding_plugin=encoder, generate_instance_uid=False)
        save(ds, f"{name}.dcm", frames.astype("i2") - 1024)
        if name == "jpeg_ls":
            continue  # save_jpeg_ls()
        ds = dataset(image((33, 35, 3), 8).astype("u1"))
        want = ds.pixel_array.copy()
        ds.compress(syntax, encoding_plugin=encoder, generate_instance_uid=False)
        save(ds, f"{name}_rgb.dcm", want)
    import gdcm
    save(dataset(frames, BitsStored=12, HighBit=11), "made.dcm", frames)
    reader, change = gdcm.ImageReader(), gdcm.ImageChangeTransferSyntax()
    reader.SetFileName(str(HERE / "made.dcm"))
    assert reader.Read()
    change.SetTransferSyntax(gdcm.TransferSyntax(gdcm.TransferSyntax.JPEGLosslessProcess14_1))
    change.SetInput(reader.GetImage())
    assert change.Change()
    writer = gdcm.ImageWriter()
    writer.SetFileName(str(HERE / "jpeg_lossless.dcm"))
    writer.SetFile(reader.GetFile())
    writer.SetImage(change.GetOutput())
    assert writer.Write()
    os.remove(HERE / "made.dcm")
    VALUES["jpeg_lossless.dcm"] = VALUES.pop("made.dcm")
    assert pydicom.dcmread(HERE / "jpeg_lossless.dcm").file_meta.TransferSyntaxUID == JPEGLosslessSV1
    smooth = np.add.outer(np.arange(16), np.arange(24)).astype("u1") * 5
    stream = io.BytesIO()
    Image.fromarray(smooth).save(stream, "jpeg", quality=95)
    ds = dataset(smooth, JPEGBaseline8Bit)
    ds.PixelData = encapsulate([stream.getvalue()])
    ds["PixelData"].is_undefined_length = True
    save(ds, "jpeg.dcm", np.asarray(Image.open(stream)))


def save_refused():
    save(dataset(image((6, 7), 8).astype("u1"), DeflatedExplicitVRLittleEndian), "deflated.dcm")
    ds = dataset(image((6, 7), 8).astype("u1"))
    del ds.PixelData
    save(ds, "report.dcm", np.zeros(0))
    whole = (HERE / "hu.dcm").read_bytes()
    (HERE / "truncated.dcm").write_bytes(whole[:-20])


def slice_of(volume, z, time=None, **more):
    ds = dataset(volume[z].astype("u2"), more.pop("syntax", ExplicitVRLittleEndian), BitsStored=12, HighBit=11, RescaleSlope=1,
                 RescaleIntercept=-1024, RescaleType="HU", PixelSpacing=[0.5, 0.75], SliceThickness=3,
                 ImageOrientationPatient=[1, 0, 0, 0, 0.6, 0.8], **more)
    ds.ImagePositionPatient = [10, 20 - 0.8 * 2.5 * z, -30 + 0.6 * 2.5 * z]  # 2.5 mm along the normal, 0, -0.8, 0.6
    if time is not None:
        ds.TemporalPositionIdentifier = time
    return ds


def save_series():
    """Names and numbers of files say nothing about the order."""
    volume = image((5, 6, 7), 12)
    for z, (name, syntax) in enumerate((("c", ExplicitVRLittleEndian), ("a10", ImplicitVRLittleEndian), ("e", ExplicitVRBigEndian),
                                        ("a9", RLELossless), ("b", DeflatedExplicitVRLittleEndian))):
        ds = slice_of(volume, z, syntax=ExplicitVRLittleEndian if syntax == RLELossless else syntax, InstanceNumber=(3 * z) % 5)
        if syntax == RLELossless:
            ds.compress(syntax, encoding_plugin="pydicom", generate_instance_uid=False)
        save(ds, f"series/{name}.dcm", None)
    VALUES["series"] = volume.astype("i2") - 1024
    times = image((2, 3, 6, 7), 12)
    for i, (t, z) in enumerate(((0, 2), (1, 0), (1, 2), (0, 0), (0, 1), (1, 1))):
        save(slice_of(times[t], z, TriggerTime=40 * t), f"times/{i}.dcm", None)
    VALUES["times"] = times.astype("i2") - 1024
    for z in (0, 1, 3, 4):
        save(slice_of(volume, z), f"gap/{z}.dcm", None)
    VALUES["gap"] = volume[[0, 1, 3, 4]].astype("i2") - 1024


def save_multiframe():
    """Enhanced: each frame has its position and its own slope."""
    frames, order = image((4, 6, 7), 12).astype("u2"), (2, 0, 3, 1)
    ds = dataset(frames[list(order)], ImplicitVRLittleEndian)
    shared, measures, plane = Dataset(), Dataset(), Dataset()
    measures.PixelSpacing, measures.SliceThickness = [0.5, 0.75], 1
    plane.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
    shared.PixelMeasuresSequence, shared.PlaneOrientationSequence = Sequence([measures]), Sequence([plane])
    ds.SharedFunctionalGroupsSequence, groups = Sequence([shared]), []
    for z in order:
        group, position, values = Dataset(), Dataset(), Dataset()
        position.ImagePositionPatient = [0, 0, 1.5 * z]
        values.RescaleSlope, values.RescaleIntercept, values.RescaleType = 0.5 * (z + 1), 10, "US"
        group.PlanePositionSequence, group.PixelValueTransformationSequence = Sequence([position]), Sequence([values])
        groups.append(group)
    ds.PerFrameFunctionalGroupsSequence = Sequence(groups)
    save(ds, "multiframe.dcm", frames * (0.5 * np.arange(1, 5))[:, None, None] + 10)


def save_jpeg_12():
    """Is refused."""
    from imagecodecs import jpeg_encode
    smooth = np.add.outer(np.arange(16), np.arange(24)).astype("u2") * 50
    ds = dataset(smooth, JPEGExtended12Bit, BitsStored=12, HighBit=11)
    ds.PixelData = encapsulate([jpeg_encode(smooth, level=95, bitspersample=12)])
    ds["PixelData"].is_undefined_length = True
    save(ds, "jpeg_12.dcm", np.zeros(0))


def save_jpeg_ls():
    """Colors, signed numbers, bytes in numbers of 16 bits, and with an error of at most 3."""
    cases = (("rgb", image((33, 35, 3), 8).astype("u1"), {}), ("signed", (image((33, 35), 12) - 2048).astype("i2"), {"BitsStored": 12, "HighBit": 11}),
             ("bytes", image((33, 35), 7).astype("u2"), {"BitsStored": 7, "HighBit": 6}))
    for name, pixels, elements in cases:
        ds = dataset(pixels, **elements)
        ds.compress(JPEGLSLossless, encoding_plugin="pyjpegls", generate_instance_uid=False)
        save(ds, f"jpeg_ls_{name}.dcm", pixels)
    ds = dataset(image((33, 35), 12).astype("u2"), BitsStored=12, HighBit=11)
    ds.compress(JPEGLSNearLossless, encoding_plugin="pyjpegls", generate_instance_uid=False, jls_error=3)
    save(ds, "jpeg_ls_near.dcm")


def tiles_of(whole, rows, columns):
    """Row by row; those at the right and at the bottom reach beyond it."""
    down, across = -(-whole.shape[0] // rows), -(-whole.shape[1] // columns)
    padded = np.full((down * rows, across * columns, *whole.shape[2:]), 7, whole.dtype)
    padded[:whole.shape[0], :whole.shape[1]] = whole
    return np.array([padded[r * rows:][:rows, c * columns:][:, :columns] for r in range(down) for c in range(across)])


def save_slides():
    """Frames are tiles of a large image, all of them in order, or each where it says; one is missing. Focal planes are slices, optical paths channels."""
    for name, syntax, size in ("full", ExplicitVRLittleEndian, (21, 26, 3)), ("sparse", RLELossless, (21, 26, 3)), ("gray", ExplicitVRLittleEndian, (16, 9)):
        whole = image(size, 8).astype("u1")
        tiles = tiles_of(whole, 8, 6)
        shared, measures = Dataset(), Dataset()
        measures.PixelSpacing = [0.00025, 0.0005]
        shared.PixelMeasuresSequence = Sequence([measures])
        order = list(range(len(tiles))) if name != "sparse" else [i for i in RNG.permutation(len(tiles)) if i != 5]
        ds = dataset(tiles[order], SharedFunctionalGroupsSequence=Sequence([shared]), DimensionOrganizationType="TILED_SPARSE" if name == "sparse" else "TILED_FULL")
        ds.add_new(0x00480006, "UL", whole.shape[1])
        ds.add_new(0x00480007, "UL", whole.shape[0])
        if name == "sparse":
            groups = []
            for i in order:
                group, position = Dataset(), Dataset()
                position.ColumnPositionInTotalImagePixelMatrix, position.RowPositionInTotalImagePixelMatrix = int(i % 5 * 6 + 1), int(i // 5 * 8 + 1)
                group.PlanePositionSlideSequence = Sequence([position])
                groups.append(group)
            ds.PerFrameFunctionalGroupsSequence = Sequence(groups)
            ds.compress(RLELossless, generate_instance_uid=False)
            whole[8:16, :6] = 0
        save(ds, f"slide_{name}.dcm", whole)
    for name, paths in ("focus", 1), ("paths", 2):
        whole = image((paths * 3, 15, 11), 8).astype("u1")  # a path after the other, of each its focal planes
        ds = dataset(np.concatenate([tiles_of(one, 8, 6) for one in whole]), NumberOfOpticalPaths=paths, TotalPixelMatrixFocalPlanes=3)
        ds.add_new(0x00480006, "UL", 11)
        ds.add_new(0x00480007, "UL", 15)
        save(ds, f"slide_{name}.dcm", np.swapaxes(whole.reshape(paths, 3, 15, 11), 0, 1))


def save_pyramid():
    """A slide in a folder: three levels, of which the last is a part of one tile, and its label, overview and thumbnail; their names are in another order."""
    rng, images = np.random.default_rng(31), {}
    for name, flavor, size, tile in (("d", "VOLUME", (40, 52), (8, 6)), ("c", "VOLUME", (20, 26), (8, 6)), ("e", "VOLUME", (10, 13), (16, 16)), ("a", "LABEL", (9, 7), None),
                                     ("b", "OVERVIEW", (9, 7), None), ("f", "THUMBNAIL", (5, 6), None)):
        whole = rng.integers(0, 256, (*size, 3)).astype("u1")
        shared, measures = Dataset(), Dataset()
        measures.PixelSpacing = [0.00025 * 40 / size[0]] * 2
        shared.PixelMeasuresSequence = Sequence([measures])
        ds = dataset(tiles_of(whole, *tile) if tile else whole, ImageType=["ORIGINAL", "PRIMARY", flavor, "NONE"], FrameOfReferenceUID=SERIES + ".7",
                     SharedFunctionalGroupsSequence=Sequence([shared]), Modality="SM", DimensionOrganizationType="TILED_FULL")
        ds.add_new(0x00480006, "UL", size[1])
        ds.add_new(0x00480007, "UL", size[0])
        (HERE / "slide").mkdir(exist_ok=True)
        ds.save_as(HERE / "slide" / f"{name}.dcm", enforce_file_format=True)
        images[flavor.lower() if flavor != "VOLUME" else f"level {len(images)}"] = whole
    np.savez_compressed(HERE / "levels.npz", **images)


def save_personal():
    """Of an invented person."""
    texts = {"PatientName": "Secret^Näme", "PatientID": "Secret-1", "PatientBirthDate": "19010203", "PatientSex": "O", "PatientAge": "099Y", "PatientAddress": "Secret Street 1",
             "InstitutionName": "Secret Hospital", "ReferringPhysicianName": "Secret^Doctor", "StudyDate": "19020304", "StudyDescription": "Secret study",
             "AccessionNumber": "Secret-2", "OperatorsName": "Secret^Operator", "StationName": "SecretStation", "Manufacturer": "SecretWorks",
             "PatientComments": "Secret comment", "SpecificCharacterSet": "ISO_IR 100"}
    ds = dataset(image((6, 7), 12).astype("u2"), BitsStored=12, HighBit=11, **texts)
    ds.add_new(0x00091001, "LO", "Secret of a vendor")
    save(ds, "personal.dcm")


def save_parts():
    """Multi-frame images in several files (concatenations), whose names and numbers are in another order: frames in time, slices of their own slopes, and slides whose tiles are
    all there in order, or each where it says. Also an index, as a disc has it."""
    rng, images = np.random.default_rng(32), {}

    def write(folder, pixels, divided, groups=None, **elements):
        (HERE / folder).mkdir(exist_ok=True)
        first, ends = 0, np.cumsum(divided)
        for i, end in enumerate(ends):
            ds = dataset(pixels[first:end], InstanceNumber=9 - i, ConcatenationUID=f"{SERIES}.{len(images)}.1", InConcatenationNumber=i + 1,
                         InConcatenationTotalNumber=len(ends), ConcatenationFrameOffsetNumber=int(first), **elements)
            ds.SeriesInstanceUID = f"{SERIES}.{len(images)}"
            ds.file_meta.MediaStorageSOPInstanceUID = ds.SOPInstanceUID = f"{SERIES}.{len(images)}.2.{i}"
            ds.NumberOfFrames = int(end - first)
            if groups:
                ds.PerFrameFunctionalGroupsSequence = Sequence(groups[first:end])
            ds.save_as(HERE / folder / f"{'bca'[i]}.dcm", enforce_file_format=True)
            first = end

    frames = rng.integers(0, 4096, (7, 6, 7)).astype("u2")
    write("parts_frames", frames, (3, 2, 2), FrameTime=40)
    images["parts_frames"] = frames
    order = [3, 0, 4, 1, 2]
    volume, groups = rng.integers(0, 4096, (5, 6, 7)).astype("u2"), []
    shared, measures, plane = Dataset(), Dataset(), Dataset()
    measures.PixelSpacing, measures.SliceThickness = [0.5, 0.75], 1
    plane.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
    shared.PixelMeasuresSequence, shared.PlaneOrientationSequence = Sequence([measures]), Sequence([plane])
    for z in order:
        group, position, values = Dataset(), Dataset(), Dataset()
        position.ImagePositionPatient = [0, 0, 1.5 * z]
        values.RescaleSlope, values.RescaleIntercept, values.RescaleType = 0.5 * (z + 1), 10, "US"
        group.PlanePositionSequence, group.PixelValueTransformationSequence = Sequence([position]), Sequence([values])
        groups.append(group)
    write("parts_slices", volume[order], (2, 2, 1), groups, SharedFunctionalGroupsSequence=Sequence([shared]))
    images["parts_slices"] = volume * (0.5 * np.arange(1, 6))[:, None, None] + 10
    shared, measures = Dataset(), Dataset()
    measures.PixelSpacing = [0.00025, 0.0005]
    shared.PixelMeasuresSequence = Sequence([measures])
    for name in "full", "sparse":
        whole = rng.integers(0, 256, (21, 26, 3)).astype("u1")
        tiles, order, groups = tiles_of(whole, 8, 6), list(range(15)), None
        if name == "sparse":
            order, groups = [int(i) for i in rng.permutation(15)], []
            for i in order:
                group, position = Dataset(), Dataset()
                position.ColumnPositionInTotalImagePixelMatrix, position.RowPositionInTotalImagePixelMatrix = i % 5 * 6 + 1, i // 5 * 8 + 1
                group.PlanePositionSlideSequence = Sequence([position])
                groups.append(group)
            images["parts_sparse_order"] = np.array(order)
        write(f"parts_{name}", tiles[order], (6, 4, 5), groups, ImageType=["ORIGINAL", "PRIMARY", "VOLUME", "NONE"], Modality="SM", SharedFunctionalGroupsSequence=Sequence([shared]),
              TotalPixelMatrixColumns=26, TotalPixelMatrixRows=21, DimensionOrganizationType=f"TILED_{name.upper()}")
        images[f"parts_{name}"] = whole
    np.savez_compressed(HERE / "parts.npz", **images)
    files = FileSet()
    for name, uid in (("hu", "5"), ("rgb", "6")):
        ds = pydicom.dcmread(HERE / f"{name}.dcm")
        ds.PatientID, ds.StudyInstanceUID, ds.StudyID, ds.SeriesNumber, ds.InstanceNumber, ds.StudyDate, ds.StudyTime = "Secret", f"{SERIES}.{uid}", uid, 1, 1, "19020304", "010203"
        files.add(ds)
    with tempfile.TemporaryDirectory() as folder:
        files.write(folder)
        shutil.copy(pathlib.Path(folder, "DICOMDIR"), HERE / "index.dcm")


def main():
    for path in HERE.iterdir():
        if path.is_dir() and path.name != "__pycache__":
            shutil.rmtree(path)
        elif path.suffix == ".dcm":
            path.unlink()
    for step in (save_gray, save_colors, save_compressed, save_refused, save_series, save_multiframe, save_jpeg_12, save_personal, save_jpeg_ls, save_slides, save_pyramid, save_parts):
        step()
    for name in [name for name in VALUES if "/" in name]:
        del VALUES[name]
    np.savez_compressed(HERE / "values.npz", **{name: values for name, values in VALUES.items() if values.size})


if __name__ == "__main__":
    main()
