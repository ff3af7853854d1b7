# SPDX-License-Identifier: MIT
"""What opens less than all of a file says so: with 'info', in one line on standard error with commands that take an image, and in a manifest."""
import json
import os

import numpy as np
import tifffile

from batches import batch, good, manifest
from command import fovea, main, same

PLANE = np.arange(48 * 64, dtype=np.uint16).reshape(48, 64)


def says(path, *words, images=1):
    """All that opens the file."""
    info = fovea("info", path).stdout.decode()
    about = json.loads(fovea("info", "--json", path).stdout)
    same(len(about), images, "images")
    convert, run = fovea("convert", path, "out.tif"), fovea("run", "--planes", "threshold method=manual lower=9", path, "-o", "out.tif")
    for done in (convert, run):
        same(done.returncode, 0, "status")
        same(done.stderr.count(b"\n"), 1 if words or images > 1 else 0, f"lines in {done.stderr!r}")
    same(fovea("run", "-q", "threshold method=manual lower=9", path, "-o", "out.tif").stderr, b"", "errors of --quiet")
    for word in words:
        for text in (info, about[0].get("left_out", ""), convert.stderr.decode(), run.stderr.decode()):
            assert word in text, f"{word!r} is not in {text!r}"
    if not words:
        assert "left out" not in info and "left_out" not in about[0], info
    return convert.stderr.decode()


def test_whole():
    """Nothing to say: stacks, pyramids and thumbnails of what is shown."""
    tifffile.imwrite("plain.tif", np.stack([PLANE] * 5))
    says("plain.tif")
    with tifffile.TiffWriter("thumbnail.tif") as file:
        file.write(PLANE)
        file.write(PLANE[::2, ::2], subfiletype=1)
        file.write(PLANE[::3, ::4][:, :16].astype(np.uint8), subfiletype=1)  # 16 x 16: of another shape
    says("thumbnail.tif", "page 3 (16×16 pixels)")


def test_slide():
    """Nothing of Aperio's slides: label and macro are images, and the thumbnail shows what an image shows."""
    with tifffile.TiffWriter("slide.svs") as file:
        for array, text, kind in ((PLANE, "Aperio Image Library v11.2.1\n64x48", 0), (PLANE[::2, ::2], "Aperio Image Library v11.2.1\n64x48 -> 32x24", 1),
                                  (PLANE[:20, :21], "Aperio Image Library v11.2.1\nlabel 21x20", 1),
                                  (PLANE[:10, :50], "Aperio Image Library v11.2.1\nmacro 50x10", 9)):
            file.write(array, description=text, subfiletype=kind, metadata=None)
    says("slide.svs", images=3)


def test_several():
    """Image 0 of three, unless another is asked for."""
    with tifffile.TiffWriter("three.tif") as file:
        for size in (48, 40, 30):
            file.write(PLANE[:size], metadata=None)
    said = says("three.tif", images=3)
    assert "3 images" in said and "image 0" in said and "--series" in said, said
    for n in "012":
        same(fovea("convert", "--series", n, "three.tif", "out.tif").stderr, b"", "errors")


def test_acquisition():
    """An OME text about more planes than there are."""
    planes = np.stack([PLANE + n for n in range(12)]).reshape(4, 3, 48, 64)
    tifffile.imwrite("all.ome.tif", planes, metadata={"axes": "TZYX"})
    text = tifffile.TiffFile("all.ome.tif").ome_metadata.replace("all.ome.tif", "aborted.ome.tif")
    tifffile.imwrite("aborted.ome.tif", planes.reshape(-1, 48, 64)[:7], description=text, metadata=None)
    said = says("aborted.ome.tif", "6 of the 12 planes, as 5 are missing")
    same(json.loads(fovea("info", "--json", "aborted.ome.tif").stdout)[0]["frames"], 2, "frames")
    assert "Omitted from 'aborted.ome.tif'" in said, said


def test_set():
    """A set of files of which one is not there."""
    text = ('<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" UUID="urn:uuid:{own}"><Image ID="Image:0" Name="s">'
            '<Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint16" SizeX="64" SizeY="48" SizeZ="3" SizeC="1" SizeT="1">'
            '<Channel ID="Channel:0:0" SamplesPerPixel="1"/>'
            + "".join(f'<TiffData IFD="0" FirstZ="{z}" PlaneCount="1"><UUID FileName="z{z}.ome.tif">urn:uuid:{z}</UUID></TiffData>' for z in range(3))
            + "</Pixels></Image></OME>")
    for z in (0, 2):
        tifffile.imwrite(f"z{z}.ome.tif", PLANE + z, description=text.format(own=z), metadata=None)
    says("z0.ome.tif", "1 of the 3 planes, which are missing", "'z1.ome.tif'")


def test_imagej():
    """A stack of which planes were taken out, or that was cut off between two of them."""
    tifffile.imwrite("two.tif", np.stack([PLANE] * 2), description="ImageJ=1.53t\nimages=5\nslices=5\n", metadata=None)
    says("two.tif", "3 of the 5 planes")


def test_batch():
    """In the manifest of a batch, and on standard error."""
    os.mkdir("in")
    with tifffile.TiffWriter("in/slide.tif") as file:
        file.write(PLANE)
        file.write(PLANE[:20, :21], subfiletype=1)
    done = batch("threshold method=manual lower=9", "in", "-o", "{name}.tif")
    same((done.returncode, done.stderr.decode()), (0, "fovea: slide.tif: Omitted from the file: page 2 (21×20 pixels).\n"), "status and errors")
    good(batch("-q", "threshold method=manual lower=9", "in", "-o", "{name}.tif", out="quiet"))
    (record,) = manifest()
    assert "page 2 (21×20 pixels)" in record["warning"], record


main([test_whole, test_slide, test_several, test_acquisition, test_set, test_imagej, test_batch])
