# SPDX-License-Identifier: MIT
"""run("Image Sequence...") and File.openSequence() open what ImageJ opens: both run the same lines on the same folder."""
import os
import shutil
import subprocess

import numpy
import tifffile

from command import SOURCE, fails, fovea, main, same

JAR = "/usr/share/java/ij.jar"
RNG = numpy.random.default_rng(5)


def folder():
    """Names of each kind: numbers with and without zeros, two channels, other endings, files that are no images."""
    for name in ("numbers", "channels", "mixed", "wide", "shown", "colors", "stacks", "sizes"):
        os.mkdir(name)

    def write(path, shape=(6, 8), dtype="u1", **words):
        tifffile.imwrite(path, (RNG.integers(0, 200, shape) + RNG.integers(0, 50)).astype(dtype), **words)

    shutil.copytree(os.path.join(SOURCE, "tests", "core", "files", "dicom", "series"), "series")
    for i in range(1, 13):
        write(f"numbers/img{i}.tif")
    for i in range(4):
        for channel in ("DAPI", "GFP"):
            write(f"channels/s{i:02}_{channel}.tif")
    for name in ("a-1.tif", "a.tif", "b2.tif", "b10.tif", "c.TIF"):
        write(f"mixed/{name}")
    for name in ("notes.txt", "results.csv", ".hidden.tif", "b3.log"):
        with open(f"mixed/{name}", "w", encoding="utf-8") as file:
            file.write("a,b\n1,2\n3,4\n")
    os.mkdir("mixed/b5.tif")
    for i in range(3):
        write(f"wide/{i}.tif", dtype="u2")
        write(f"shown/{i}.tif", dtype="u2", imagej=True, metadata={"min": 10.0 * i + 5, "max": 100.0 + 60 * i})
        write(f"colors/{i}.tif", (6, 8, 3))
        write(f"stacks/{i}.tif", (2, 6, 8), imagej=True)
        write(f"sizes/{i}.tif", (6 + i, 8))


# Lines that open the same.
EQUAL = (
    'run("Image Sequence...", "dir=numbers/ sort");',
    'run("Image Sequence...", "open=numbers/img3.tif sort");',
    'run("Image Sequence...", "open=[numbers/img1.tif] number=12 starting=1 increment=1 scale=100 file=[] or=[] sort");',
    'run("Image Sequence...", "open=numbers number=3 starting=2 increment=4 scale=100 file=[] sort use");',
    'run("Image Sequence...", "dir=numbers start=5 count=4 step=2 sort");',
    'run("Image Sequence...", "dir=numbers start=0 count=0 step=0 sort");',
    'run("Image Sequence...", "dir=numbers start=11 count=9 step=5.7 sort");',
    'run("Image Sequence...", "dir=numbers filter=img1 sort");',
    'run("Image Sequence...", "dir=numbers filter=1.tif sort");',
    'run("Image Sequence...", "dir=numbers filter=([13]\\\\.tif) sort");',
    'run("Image Sequence...", "dir=mixed filter=(a-1.) sort");',
    'run("Image Sequence...", "dir=mixed filter=* sort");',
    'run("Image Sequence...", "open=numbers file=[] or=[img[12]\\\\.tif] sort");',
    'run("Image Sequence...", "dir=channels filter=DAPI sort");',
    'run("Image Sequence...", "dir=channels filter=(_G.P) start=2 step=2 sort use");',
    'run("Image Sequence...", "dir=channels sort virtual scale=50 use");',
    'run("Image Sequence...", "dir=mixed sort");',
    'run("Image Sequence...", "dir=mixed filter=b start=2 sort");',
    'run("Image Sequence...", "dir=mixed step=3 sort");',
    'run("Image Sequence...", "dir=colors sort");',
    'run("Image Sequence...", "dir=wide sort");',
    'run("Image Sequence...", "dir=wide sort"); run("8-bit");',
    'run("Image Sequence...", "dir=shown sort"); run("8-bit");',
    'run("Image Sequence...", "dir=wide sort"); setMinAndMax(20, 120); run("8-bit");',
    'File.openSequence("numbers");',
    'File.openSequence("numbers/", " filter=img1 start=2 step=2 count=2");',
    'File.openSequence("channels", "virtual filter=(s0[12]_D) noMetaSort");',
    'open("numbers/img1.tif"); run("Image Sequence...", "dir=numbers sort"); selectWindow("img1.tif"); selectWindow("numbers");',
)

# Lines that are refused, and words of the error.
REFUSED = (
    ('run("Image Sequence...", "dir=numbers");', "'img9.tif' before 'img10.tif'", "add sort"),
    ('run("Image Sequence...", "dir=numbers sort scale=50");', "scale=50 is not supported"),
    ('run("Image Sequence...", "dir=numbers sort type=16-bit");', "'type=16-bit' is not supported"),
    ('run("Image Sequence...", "dir=numbers sort convert_to_rgb");', "not 'convert_to_rgb'"),
    ('run("Image Sequence...", "dir=numbers sort open");', "not 'open'"),
    ('run("Image Sequence...", "dir=numbers sort start=x");', "'start=x' is not a number"),
    ('run("Image Sequence...", "dir=numbers sort start=13");', "has 12 such files: it cannot start at number 13"),
    ('run("Image Sequence...", "dir=numbers sort filter=DAPI");', "has no file with such a name"),
    ('run("Image Sequence...", "dir=numbers sort filter=(a[)");', "cannot be searched"),
    ('run("Image Sequence...", "dir=none/numbers sort");', "is not a folder"),
    ('run("Image Sequence...", "dir=series sort");', "has DICOM files", "open the folder itself"),
    ('run("Image Sequence...", "sort");', "needs dir=[FOLDER]"),
    ('run("Image Sequence...", "dir=sizes sort"); getImage():pixels();', "the files of an image must be alike"),
)


def shown_by_imagej(lines):
    """What ImageJ's lines end with: arrays of slices, rows, columns (and colors)."""
    with open("all.ijm", "w", encoding="utf-8") as file:
        file.write("setBatchMode(true);\n")
        for i, line in enumerate(lines):
            file.write(line.replace('"dir=', f'"dir={os.getcwd()}/').replace('"open=[', f'"open=[{os.getcwd()}/')
                       .replace('"open=n', f'"open={os.getcwd()}/n').replace('Sequence("', f'Sequence("{os.getcwd()}/')
                       .replace('open("', f'open("{os.getcwd()}/'))
            file.write(f'\nsaveAs("Tiff", "{os.getcwd()}/ij{i}.tif");\nrun("Close All");\n')
    subprocess.run(["xvfb-run", "-a", "java", f"-Duser.home={os.getcwd()}", "-cp", JAR, "ij.ImageJ", "-port0", "-batch", "all.ijm"], check=True,
                   capture_output=True, timeout=200)


def test_same_as_imagej():
    if not (shutil.which("java") and shutil.which("xvfb-run") and os.path.exists(JAR)):
        return "ImageJ is not installed"
    folder()
    shown_by_imagej(EQUAL)
    for i, line in enumerate(EQUAL):
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(line + '\nsaveAs("Tiff", "ours.tif");')
        done = fovea("macro", "m.lua")
        same((done.returncode, done.stderr.decode()), (0, ""), line)
        numpy.testing.assert_array_equal(numpy.squeeze(tifffile.imread("ours.tif")), numpy.squeeze(tifffile.imread(f"ij{i}.tif")), line)
        os.remove("ours.tif")
    return None


def test_refused():
    folder()
    for line, *words in REFUSED:
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(line)
        fails(fovea("macro", "m.lua"), *words, status=1)


def test_path():
    """The most readable path that opens exactly these files. mixed/b5.tif is a folder."""
    folder()
    for words, path in (("dir=numbers sort", "numbers/{z}.tif"), ("dir=numbers start=2 step=4 sort", "numbers/{z:2-10-4}.tif"),
                        ("dir=numbers start=3 sort", "numbers/{z:3-end}.tif"), ("dir=channels filter=DAPI sort", "channels/{z=*DAPI*}.tif"),
                        ("dir=channels filter=DAPI start=2 sort", "channels/{z:2-end=*DAPI*}.tif"), ("dir=channels filter=(D|s00) sort", "channels/{z:1-3,5-7-2}.tif"),
                        ("dir=channels filter=GFP", "channels/{z=*GFP*}.tif"), ("dir=mixed filter=b sort", "mixed/{z:1-end-2=*b*}.tif")):
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(f'run("Image Sequence...", "{words}"); print(getImagePath())')
        done = fovea("macro", "m.lua")
        same((done.stderr.decode(), done.stdout.decode().strip()), ("", f"{os.getcwd()}/{path}"), words)


def test_batch():
    """A batch replaces the first sequence that the macro opens by its own image."""
    folder()
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('run("Image Sequence...", "dir=/nowhere sort"); run("8-bit"); saveAs("Tiff", "{name}.tif")')
    done = fovea("batch", "m.lua", "wide/{z}.tif", "--out", "out")
    same(done.returncode, 0, done.stderr.decode())


if __name__ == "__main__":
    main([test_same_as_imagej, test_refused, test_path, test_batch])
