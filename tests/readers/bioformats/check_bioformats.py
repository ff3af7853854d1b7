#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The helper for Bio-Formats, with a stub in the role of Bio-Formats (stub/): check_bioformats.py FOVEA JAVAC; output is TAP.

With $FOVEA_BIOFORMATS it reads a file of Bio-Formats' own, too, which Python writes."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
import tifffile

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
FOVEA, JAVAC = os.path.abspath(sys.argv[1]), sys.argv[2]
WORK = pathlib.Path(tempfile.mkdtemp())
REAL = os.environ.get("FOVEA_BIOFORMATS")
# FormatTools' types, as NumPy's.
TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"]


def make_jar():
    subprocess.run([JAVAC, "--release", "8", "-Xlint:-options", "-d", WORK / "classes", *sorted((SOURCE / "tests/readers/bioformats/stub").rglob("*.java"))], check=True)
    with zipfile.ZipFile(WORK / "bioformats_package.jar", "w") as jar:
        for path in sorted((WORK / "classes").rglob("*.class")):
            jar.write(path, path.relative_to(WORK / "classes"))


def fovea(*words, **environment):
    variables = {**os.environ, "FOVEA_BIOFORMATS": str(WORK / "bioformats_package.jar"), **environment}
    return subprocess.run([FOVEA, *map(str, words)], capture_output=True, text=True, env=variables, timeout=240, check=False)


def write(name, **about):
    path = WORK / name
    path.write_text(" ".join(["stub", *(f"{key}={value}" for key, value in about.items())]))
    return path


def truth(about, series=0):
    """t, z, c, y, x, the order of TIFF's pages."""
    t, c, z, y, x = np.indices([about.get(key, 1) for key in "tczyx"])
    number = (t * about.get("c", 1) + c) * about.get("z", 1) + z
    return ((x + 2 * y + 10 * number + 31 * series) % 100).transpose(0, 2, 1, 3, 4)


def expect(path, text, **environment):
    run = fovea("info", path, **environment)
    if run.returncode == 0 or text not in run.stderr or not run.stderr.rstrip().endswith("."):
        yield f"{path.name}: '{text}' should be in: {run.stdout}{run.stderr}"


def pixels():
    for number, dtype in enumerate(TYPES):
        about = {"x": 30, "y": 20, "z": 2, "c": 2, "t": 3, "type": number, "little": number in (2, 5, 6)}
        path = write(f"type{number}.oir", **{**about, "little": int(about["little"])})
        run = fovea("convert", path, WORK / "out.tif")
        if run.returncode:
            yield run.stderr
            continue
        found = tifffile.imread(WORK / "out.tif")
        if found.dtype != np.dtype(dtype) or not np.array_equal(found, truth(about)):
            yield f"{path.name}: other pixels of {found.dtype}{found.shape}"


def roles():
    bits = fovea("convert", write("bits.OIR", x=9, y=8, type=8), WORK / "bits.tif")
    if bits.returncode or not np.array_equal(tifffile.imread(WORK / "bits.tif") > 0, truth({"x": 9, "y": 8})[0, 0, 0] % 2 > 0):
        yield f"bits: {bits.stderr}"
    colors = fovea("convert", write("colors.zvi", x=9, y=8, c=3, rgb=1), WORK / "colors.png")
    if colors.returncode or "3 channels" not in fovea("info", WORK / "colors.png").stdout:
        yield f"colors: {colors.stderr}"


def metadata():
    said = fovea("info", "--header", write("about.vsi", x=40, y=30, c=2, series=2, levels=2)).stdout
    for text in ("image 1: 40×30 8-bit, 2 channels, 0.25 × 0.5 µm", "named scan 1", "channel 0: channel 0", "Format: Stub"):
        if text not in said:
            yield f"'{text}' should be in: {said}"


def large():
    """In tiles, and of the second series."""
    about = {"x": 5000, "y": 4200, "series": 2, "type": 3}
    run = fovea("convert", write("large.dm3", **about), "--series", 1, WORK / "large.tif")
    if run.returncode or not np.array_equal(tifffile.imread(WORK / "large.tif"), truth(about, 1)[0, 0, 0]):
        yield run.stderr


def faults():
    yield from expect(write("halts.oir", halt=1), "Bio-Formats cannot be started: ")
    yield from expect(write("endless.oir", endless=1), "no room")
    (WORK / "other.oir").write_text("nothing")
    yield from expect(WORK / "other.oir", "Bio-Formats says: It does not begin with stub.")
    run = fovea("convert", write("broken.oir", x=9, y=9, z=3, broken=2), WORK / "out.tif")
    if "Plane 2 is damaged." not in run.stderr:
        yield run.stderr


def absent():
    path = write("absent.oir", x=9, y=9)
    empty = WORK / "empty"
    empty.mkdir()
    nowhere = {"HOME": str(empty), "XDG_DATA_HOME": str(empty), "VIRTUAL_ENV": ""}
    yield from expect(path, "needs Java", PATH=str(empty), JAVA_HOME="", HOME=str(empty))
    yield from expect(path, f"FOVEA_BIOFORMATS is '{empty}', which has none", FOVEA_BIOFORMATS=str(empty))
    if not list(pathlib.Path("/usr").glob("*/java/bioformats_package.jar")):
        yield from expect(path, "download bioformats_package.jar", FOVEA_BIOFORMATS="", **nowhere)
    bad = empty / "bin"
    bad.mkdir()
    (bad / "java").write_text("#!/bin/sh\nexit 3\n")
    (bad / "java").chmod(0o755)
    yield from expect(path, "bin/java ends with the status 3", JAVA_HOME=str(empty))
    fiji = empty / "Fiji.app/jars/bio-formats"
    fiji.mkdir(parents=True)
    shutil.copy(WORK / "bioformats_package.jar", fiji / "formats-api-8.0.0.jar")
    for environment in ({"FOVEA_BIOFORMATS": str(empty / "Fiji.app")}, {"FOVEA_BIOFORMATS": "", **nowhere}):
        if fovea("info", path, **environment).returncode:
            yield f"{environment}: {fovea('info', path, **environment).stderr}"


def own():
    """What Fovea reads itself needs no Java, under any name."""
    tifffile.imwrite(WORK / "tiff.oir", np.zeros((4, 5), "u1"))
    run = fovea("info", WORK / "tiff.oir", PATH="/nowhere", JAVA_HOME="")
    if run.returncode:
        yield run.stderr


def once():
    """One process for all files, which ends with its owner. Where Python's package is not built, nothing is tested."""
    package = pathlib.Path(FOVEA).parent.parent / "python"
    if not list(package.glob("fovea/_fovea*.so")):
        return
    # Other processes of the machine may end while they are looked at.
    script = ("import os, sys, fovea\n"
              "def parent(process):\n"
              "    try:\n"
              "        return open(f'/proc/{process}/stat').read().rsplit(')', 1)[1].split()[1]\n"
              "    except OSError:\n"
              "        return None\n"
              "for name in sys.argv[1:]:\n"
              "    fovea.open(name)\n"
              "print(*[name for name in os.listdir('/proc') if name.isdigit() and parent(name) == str(os.getpid())], flush=True)\n"
              "os._exit(0)\n")
    paths = [str(write(f"once{i}.oir", x=9, y=9)) for i in range(3)]
    variables = {**os.environ, "FOVEA_BIOFORMATS": str(WORK / "bioformats_package.jar"), "PYTHONPATH": str(package)}
    run = subprocess.run([sys.executable, "-c", script, *paths], capture_output=True, text=True, env=variables, check=False)
    processes = run.stdout.split()
    if len(processes) != 1:
        yield f"{processes} {run.stderr}"
    for _ in range(100):
        if not any(os.path.exists(f"/proc/{process}") for process in processes):
            return
        subprocess.run(["sleep", "0.1"], check=True)
    yield f"{processes} has not ended"


def real():
    """Image Cytometry Standard, by Bio-Formats itself."""
    array = np.random.default_rng(3).integers(0, 60000, (2, 5, 40, 50)).astype("<u2")
    head = "\n".join(["\t", "ics_version\t2.0", "filename\treal", "layout\tparameters\t5", "layout\torder\tbits\tx\ty\tz\tch", "layout\tsizes\t16\t50\t40\t5\t2",
                      "layout\tsignificant_bits\t16", "representation\tformat\tinteger", "representation\tsign\tunsigned", "representation\tcompression\tuncompressed",
                      "representation\tbyte_order\t1\t2", "parameter\tscale\t1\t0.1\t0.2\t1.5\t1", "parameter\tunits\tbits\tmicrometers\tmicrometers\tmicrometers\tchannels", "end\n"])
    (WORK / "real.ics").write_bytes(head.encode() + array.tobytes())
    run = fovea("convert", WORK / "real.ics", WORK / "real.tif", FOVEA_BIOFORMATS=REAL)
    if run.returncode or not np.array_equal(tifffile.imread(WORK / "real.tif"), array.transpose(1, 0, 2, 3)):
        yield f"other pixels {run.stderr}"
    if "0.1 × 0.2 × 1.5 µm" not in fovea("info", WORK / "real.ics", FOVEA_BIOFORMATS=REAL).stdout:
        yield "other sizes"


def main():
    make_jar()
    tests = [pixels, roles, metadata, large, faults, absent, own, once] + ([real] if REAL else [])
    for number, test in enumerate(tests, 1):
        wrong = list(test())
        print(f"{'not ' if wrong else ''}ok {number} - {test.__name__}")
        for fault in wrong:
            print("#", fault.replace("\n", "\n# "))
    print(f"1..{len(tests)}")
    shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
