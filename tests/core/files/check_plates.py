#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_plates.py FOVEA: data sets of microscopes and folders with numbered names, which plate/make.py writes, by the package, the command and a batch.
tifffile reads sequences of names, too. Output is TAP."""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, str(pathlib.Path(__file__).parents[2] / "python"))
import tap

import numpy as np
import tifffile

import fovea

HERE = pathlib.Path(__file__).parent
FOVEA = os.path.abspath(sys.argv.pop(1))
WORK = tempfile.TemporaryDirectory()
DATA = pathlib.Path(WORK.name)
SETS = json.loads(subprocess.run(["/usr/bin/python3", HERE / "plate/make.py", DATA], check=True, capture_output=True, text=True).stdout)


def command(*words):
    return subprocess.run([FOVEA, *map(str, words)], capture_output=True, text=True, cwd=DATA)


def info(path):
    run = command("info", "--json", path)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def five(image):
    """The pixels with all axes t, c, z, y, x."""
    axes = [a for a in "TCZYX" if a in image.axes]
    array = image.numpy().transpose([image.axes.index(a) for a in axes])
    return np.expand_dims(array, [i for i, a in enumerate("TCZYX") if a not in axes])


def raises(kind, says, call):
    """says: a regular expression."""
    try:
        call()
    except kind as error:
        assert re.search(says, str(error)), f"'{error}' does not say '{says}'"
        return
    raise AssertionError(f"nothing was raised that says '{says}'")


def copy(name):
    """Of a data set, to be damaged."""
    target = pathlib.Path(tempfile.mkdtemp(dir=DATA)) / name
    shutil.copytree(DATA / name, target)
    return target


def check_set(about, path):
    file = fovea.File(path)
    assert len(file) == len(about["series"]), (path, len(file))
    for expected, image in zip(about["series"], file):
        pixels = five(image)
        wanted = np.load(DATA / expected["array"])
        where = [expected["well"], f"field {expected['field']}" if expected["field"] is not None else None]
        assert image.name.partition(": ")[2] == ", ".join(w for w in where if w), image.name
        assert pixels.dtype == wanted.dtype and np.array_equal(pixels, wanted), (path, image.name, pixels.shape, wanted.shape)
        assert image.channel_names == (about["channels"] or []) or image.role == "rgb", image.channel_names
        size = about["pixel_size"]
        assert np.allclose(image.spacing[1:], size or 1) and image.unit[2] == ("µm" if size else ""), (image.spacing, image.unit)
        assert not about["z"] or np.isclose(image.spacing[0], about["z"]), image.spacing
        assert np.isclose(image.interval[0], (len(wanted) > 1 and about["interval"]) or 0), image.interval


def test_package():
    """Every data set equals what was written, opened as a folder or by its index."""
    for about in SETS:
        check_set(about, DATA / about["path"])
        if about.get("entry"):
            check_set(about, DATA / about["path"] / about["entry"])


def test_command():
    """What the command says of them, and of what they lack."""
    for about in SETS:
        told = info(about["path"])
        text = json.dumps(told, ensure_ascii=False)
        assert about["left_out"] in text and ("left_out" in text) == bool(about["left_out"]), text[:3000]
        assert about.get("objective", "") in command("info", "--header", about["path"]).stdout


def test_distance_of_slices():
    """Files of one plane do not say it: it is unknown, also when ImageJ has a unit, until it is set."""
    folder = DATA / "sized"
    folder.mkdir()
    for z in (1, 2):
        tifffile.imwrite(folder / f"s{z}.tif", np.full((8, 9), z, "u1"), imagej=True, resolution=(5, 5), metadata={"unit": "um"})
    assert "0.2 µm × 0.2 µm × ?" in command("info", "sized/s{z}.tif").stdout
    run = command("run", "-q", "calibrate width=0.2 depth=0.5 unit=µm", "sized/s{z}.tif", "-o", "sized/all.tif")
    assert run.returncode == 0, run.stderr
    with tifffile.TiffFile(folder / "all.tif") as file:
        about = file.imagej_metadata
    assert about["spacing"] == 0.5 and "zunit" not in about, about


def test_regions():
    """A part of a plane, without the rest."""
    image = fovea.File(DATA / "xpress")[4]
    part = fovea.run("crop x=2 y=1 width=3 height=2", image, device="cpu").image.numpy()
    assert np.array_equal(part, image.numpy()[..., 1:3, 2:5])


def test_tifffile():
    """tifffile's sequences of names have the same pixels."""
    names = tifffile.natural_sorted(map(str, (DATA / "stack").iterdir()))
    assert np.array_equal(tifffile.imread(names), fovea.open(DATA / "stack/{z}.tif").numpy())
    wells = tifffile.TiffSequence(str(DATA / "names/*.tif"), pattern=r"_(?P<w>[A-P]\d\d)_f(?P<f>\d)_(?P<c>[a-z]+)_", categories={"w": {"A02": 0, "B10": 1}, "c": {"dapi": 0, "gfp": 1}})
    together = wells.asarray()
    assert np.array_equal(together.reshape(4, 2, 5, 7), [i.numpy() for i in fovea.File(DATA / "names/p1_{well}_f{field}_{channel}_x{_}.tif")])


def test_companion():
    """companion.ome opens as the set that it describes, as tifffile reads it."""
    folder = DATA / "ome"
    folder.mkdir()
    for file in (HERE / "data").glob("*companion*"):
        shutil.copy(file, folder)
    image = fovea.open(folder / "set.companion.ome")
    assert image.name == "set.companion.ome" and image.channel_names == ["c0", "c1", "c2"], image
    pages = [tifffile.imread(folder / f"ome_companion_{c}.ome.tif", key=range(8), is_ome=False).reshape(2, 4, 5, 7) for c in range(3)]
    assert np.array_equal(image.numpy(), np.stack(pages, 1))
    (folder / "ome_companion_0.ome.tif").unlink()
    told = info(folder / "set.companion.ome")
    assert "ome_companion_0.ome.tif" in json.dumps(told) and "left_out" in json.dumps(told), told
    for file in folder.glob("*.tif"):
        file.unlink()
    raises(fovea.Error, "not even 'ome_companion_0.ome.tif' is there", lambda: fovea.open(folder / "set.companion.ome"))
    (folder / "a.ome").write_text('<?xml version="1.0"?><OME><Image><Pixels SizeX="1"/></Image></OME>')
    raises(fovea.Error, "names no files", lambda: fovea.open(folder / "a.ome"))
    (folder / "a.ome").write_text('<?xml version="1.0"?><OME><Image')
    raises(fovea.Error, "is damaged", lambda: fovea.open(folder / "a.ome"))


def test_faults():
    """What is wrong is said, with the file that it is in."""
    def fails(path, text):
        raises(fovea.Error, text, lambda: [i.numpy() for i in fovea.File(path)])

    mixed = copy("stack")
    tifffile.imwrite(mixed / "img9.tif", np.zeros((5, 8), np.uint16))
    fails(mixed / "img{z}.tif", r"img9.tif' is 8×5 16-bit, but 'img1.tif' is 7×5 16-bit")
    (mixed / "img9.tif").write_bytes(b"II*\0broken")
    fails(mixed / "img{z}.tif", "img9.tif'")
    (mixed / "img9.tif").unlink()
    shutil.copy(mixed / "img2.tif", mixed / "img02.tif")
    fails(mixed / "img{z}.tif", "has two files for one plane: 'img02.tif' and 'img2.tif'|has two files for one plane: 'img2.tif' and 'img02.tif'")
    fails(mixed / "img{plate}.tif", "has a part 'plate'")
    fails(mixed / "img{z}{slice}.tif", "says 'slice' twice")
    fails(mixed / "img{row}.tif", "half of the well")
    fails(mixed / "none{z}.tif", "matches no file")
    for text, says in (("z:1-9", "there are only 5"), ("z:0-2", "list of positions"), ("z:3-2", "list of positions"), ("z:1-3-0", "list of positions"),
                       ("z:1--2", "list of positions"), ("z:,", "list of positions"), ("z:99999999999999999999", "there are only 5"), ("_:2", "means nothing"),
                       ("z:", "does not exist|braces"), ("z=", "does not exist|braces"), ("z=a", "matches no file")):
        fails(DATA / f"stack/img{{{text}}}.tif", says)
    fails(mixed / "img{z", "does not exist|braces")
    fails(DATA / "deep/t{z}/b.tif", "has 4 slices, and its name or index says its slice, too")
    away = copy("harmony5")
    index = away / "Images/Index.idx.xml"
    text = index.read_text(encoding="utf-8-sig")
    index.write_text(text.replace("<URL>r02c03f01p01-ch1sk1fk1fl1.tiff", "<URL>../../../etc/passwd"))
    fails(away, "outside of the folder")
    index.write_text(text[:len(text) // 2])
    fails(away, "Index.idx.xml' is damaged")
    index.write_text(re.sub("<Images>.*</Images>", "<Images/>", text, flags=re.S))
    fails(away, "has no images")
    index.write_text(text)
    for tiff in (away / "Images").glob("*.tiff"):
        tiff.unlink()
    fails(away, "has no images: files that are not there")
    pages = copy("ndtiff")
    index = (pages / "NDTiff.index").read_bytes()
    (pages / "NDTiff.index").write_bytes(index[:300])
    fails(pages, "image 3 of it is not all there|image 2 of it is not all there")
    (pages / "NDTiff.index").write_bytes(index.replace(b'"channel"', b'"channel '))
    fails(pages, "the axes of image 1 are no JSON object")
    (pages / "NDTiff.index").write_bytes(index.replace(b"a_NDTiffStack_1.tif", b"../NDTiffStack1.tif"))
    fails(pages, "outside of the folder")
    (pages / "NDTiff.index").write_bytes(index)
    tifffile.imwrite(pages / "a_NDTiffStack_1.tif", np.zeros((2, 5, 7), "u2"), metadata=None, contiguous=False)
    raises(fovea.FileError, "a_NDTiffStack_1.tif' has 2 pages, and the index says that it has", lambda: [image.numpy() for image in fovea.File(pages)])
    broken = copy("mm1")
    (broken / "Pos1/metadata.txt").write_text('{"Summary": {')
    fails(broken, "Pos1/metadata.txt' is damaged")
    fails(copy("cv8000") / "screen.mes.none", "does not exist")


def test_batch():
    """A plate is one input, each field an image, in rows with well and field."""
    out = pathlib.Path(tempfile.mkdtemp(dir=DATA))
    steps = "channel index=0 | threshold lower=1 | label | regionprops intensity=source properties=label,intensity_mean"
    run = command("batch", "-q", steps, "cv8000", "--out", out, "--table", "all.csv", "--images", "wells.csv", "--group", "well")
    assert run.returncode == 0, run.stderr
    rows = list(csv.DictReader((out / "all.csv").open()))
    assert {(r["well"], r["field"]) for r in rows} == {(w, str(f)) for w in ("A01", "P24") for f in (1, 2)}, rows[:3]
    wells = {r["well"]: r for r in csv.DictReader((out / "wells.csv").open())}
    assert list(wells) == ["A01", "P24"] and all(r["images"] == "2" for r in wells.values()), wells
    for name, row in wells.items():
        values = np.array([float(r["intensity_mean-1"]) for r in rows if r["well"] == name])
        assert int(row["rows"]) == len(values)
        assert np.isclose(float(row["mean of intensity_mean-1"]), values.mean()) and np.isclose(float(row["median of intensity_mean-1"]), np.median(values))
        assert np.isclose(float(row["sd of intensity_mean-1"]), values.std(ddof=1)), row
    again = command("batch", steps, "cv8000", "--out", out, "--table", "all.csv", "--images", "wells.csv", "--group", "well", "--resume")
    assert again.returncode == 0 and "4 " in again.stdout + again.stderr, again
    out = pathlib.Path(tempfile.mkdtemp(dir=DATA))
    run = command("batch", "-q", "channel index=0", "names/p1_{well}_f{field}_{channel}_x{_}.tif", "--out", out, "-o", "{name}.tif", "--images", "i.csv")
    assert run.returncode == 0, run.stderr
    images = list(csv.DictReader((out / "i.csv").open()))
    assert [(r["well"], r["field"]) for r in images] == [("A02", "1"), ("A02", "2"), ("B10", "1"), ("B10", "2")], images
    third = out / "p1_{well}_f{field}_{channel}_x{_}#2.tif"
    assert np.array_equal(tifffile.imread(third), fovea.File(DATA / "names/p1_{well}_f{field}_{channel}_x{_}.tif")[2].numpy()[0])


if __name__ == "__main__":
    tap.run(globals())
