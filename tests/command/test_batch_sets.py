# SPDX-License-Identifier: MIT
"""fovea batch: files that are one image together are one image, by whichever of them, and outputs of batches are no inputs."""
import json
import os
import shutil

import numpy as np
import tifffile

from batches import batch, contents, good, manifest, table, write
from command import fails, fovea, main, same

SCHEMA = "http://www.openmicroscopy.org/Schemas/OME/2016-06"
UUID = ["urn:uuid:0000000%d-0000-4000-8000-000000000000" % i for i in range(3)]
STEPS = "z_profile"


def ome(uuid, content):
    return f'<?xml version="1.0" encoding="UTF-8"?><OME xmlns="{SCHEMA}" UUID="{uuid}">{content}</OME>'


def whole(folder, names):
    """The metadata of a stack of which each slice is in a file of its own."""
    blocks = "".join(f'<TiffData FirstZ="{k}" FirstC="0" FirstT="0" IFD="0" PlaneCount="1"><UUID FileName="{name}">{UUID[k]}</UUID></TiffData>'
                     for k, name in enumerate(names))
    return ('<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="8" SizeY="6" SizeZ="3" SizeC="1" SizeT="1">'
            f"{blocks}</Pixels></Image>")


def write_set(folder, kind="all", first=10):
    """kind: which files have the metadata: all; the first, whose name the others say; or the first, which the others do not know."""
    os.makedirs(folder, exist_ok=True)
    names = [f"z{k}.ome.tif" for k in range(3)]
    for k, name in enumerate(names):
        text = ome(UUID[k], whole(folder, names))
        if k and kind == "first":
            text = ome(UUID[k], f'<BinaryOnly MetadataFile="{names[0]}" UUID="{UUID[0]}"/>')
        elif k and kind == "unknown":
            text = None
        tifffile.imwrite(f"{folder}/{name}", np.full((6, 8), first + 10 * k, np.uint8), description=text, metadata=None)


def means(path="out/t.csv"):
    rows = table(path)
    return [(row[0], float(row[rows[0].index("mean")])) for row in rows[1:]]


def stack(file, first=10):
    return [(file, first + 10.0 * k) for k in range(3)]


def test_sets():
    """Whichever files have the metadata, and however many parts do the work."""
    for kind in "all", "first", "unknown":
        write_set(f"{kind}/in", kind)
        done = batch(STEPS, f"{kind}/in", "-t", "t.csv", out=f"{kind}/out")
        same((done.returncode, done.stderr), (0, b""), kind)
        same(means(f"{kind}/out/t.csv"), stack("z0.ome.tif"), kind)
        status = fovea("batch", "--status", f"{kind}/out")
        same((status.returncode, b"1 of 1 images are done" in status.stdout, b"2 files belong to other images." in status.stdout),
             (0, True, True), f"{kind}: status")
        if kind != "unknown":
            assert b"1 of 1 images" in done.stdout and b"2 files belong to other images." in done.stdout, done.stdout
            same(sorted((line["file"], line.get("belongs")) for line in manifest(f"{kind}/out/manifest.jsonl")),
                 [("z0.ome.tif", None), ("z1.ome.tif", "z0.ome.tif"), ("z2.ome.tif", "z0.ome.tif")], "manifest")
        for shard in 3, 1, 2:
            good(batch(STEPS, f"{kind}/in", "--shard", f"{shard}/3", out=f"{kind}/parts"))
        good(fovea("batch", "--merge", f"{kind}/parts", "-t", "t.csv"))
        same(contents(f"{kind}/parts")["t.csv"], contents(f"{kind}/out")["t.csv"], f"{kind}: shards")


def test_part_alone():
    """One file of the set, when the others are no inputs, is the whole image."""
    for kind in "all", "first":
        write_set(kind, kind)
        good(batch(STEPS, f"{kind}/z2.ome.tif", f"{kind}/z1.ome.tif", "-t", "t.csv", out=f"out-{kind}"))
        same(means(f"out-{kind}/t.csv"), stack("z1.ome.tif"), kind)


def test_names():
    """Links of all kinds, in the folder and elsewhere; two sets are two images, and files on their own stay so."""
    write_set("in/a")
    write_set("in/b", first=100)
    write("in/a/single.tif", 1)
    os.link("in/a/z1.ome.tif", "in/a/again.ome.tif")
    os.symlink("z2.ome.tif", "in/a/y.ome.tif")
    os.makedirs("in/c")
    os.symlink("../b/z1.ome.tif", "in/c/0.ome.tif")
    os.symlink("single.tif", "in/a/other.tif")
    good(batch(STEPS, "in", "-t", "t.csv", "-j1"))
    rows = means()
    same([row for row in rows if row[0].endswith("ome.tif")], stack("a/again.ome.tif") + stack("b/z0.ome.tif", 100), "sets")
    same([row[0] for row in rows if not row[0].endswith("ome.tif")], ["a/other.tif", "a/single.tif"], "files on their own")
    good(batch(STEPS, "in/c", "-t", "t.csv", out="linked"))
    same(means("linked/t.csv"), stack("0.ome.tif", 100), "a link to a part")


def test_resume():
    """Nothing is done twice; what changes in any file of the set makes the image again, and a first that is gone is followed by the next."""
    write_set("in")
    good(batch(STEPS, "in", "-t", "t.csv"))
    before = len(manifest())
    done = batch(STEPS, "in", "-t", "t.csv", "--resume")
    good(done)
    same((len(manifest()), b"2 files belong" in done.stdout), (before, True), "lines when nothing changed")
    write_set("other", first=50)
    shutil.copy("other/z2.ome.tif", "in/z2.ome.tif")
    good(batch(STEPS, "in", "-t", "t.csv", "--resume"))
    same(means(), stack("z0.ome.tif")[:2] + [("z0.ome.tif", 70.0)], "another slice")
    write_set("in")
    os.rename("in/z0.ome.tif", "z0.ome.tif")
    done = batch(STEPS, "in", "-t", "t.csv", "--resume")
    assert done.returncode == 0 and b"z1.ome.tif: Omitted from the file: 1 of the 3 planes" in done.stderr, done.stderr
    same(means(), [("z1.ome.tif", 20.0), ("z1.ome.tif", 30.0)], "without the first")
    os.rename("z0.ome.tif", "in/z0.ome.tif")
    good(batch(STEPS, "in", "-t", "t.csv", "--resume"))
    same(means(), stack("z0.ome.tif"), "with it")
    same(len({line["file"]: line for line in manifest()}), 3, "files")
    assert all(json.dumps(line) for line in manifest())


def test_outputs_of_batches():
    """A folder with a manifest is not walked into; named itself it is refused, and what is in it can be named."""
    write("in/a.tif", 1)
    good(batch("otsu", "in", "-o", "{name}.tif", out="in/masks"))
    good(batch("otsu", "in", "-o", "{name}.tif", "--shard", "1/1", out="in/deep/masks"))
    good(batch("otsu", "in", "-o", "{name}.tif", out="again"))
    same(list(contents("again")), ["a.tif"], "outputs of a folder")
    good(batch("otsu", "in/*", "in/a.tif", "-o", "{name}.tif", out="pattern"))
    same(list(contents("pattern")), ["a.tif"], "outputs of a pattern")
    fails(batch("otsu", "in/masks", "-o", "{name}.tif", out="no"), "in/masks", "manifest.jsonl", status=2)
    good(batch("gaussian sigma=1", "in/masks/a.tif", "-o", "{name}.tif", out="named"))
    same(list(contents("named")), ["a.tif"], "outputs of a file")


main([test_sets, test_part_alone, test_names, test_resume, test_outputs_of_batches])
