# SPDX-License-Identifier: MIT
"""fovea batch: which files are taken and in what order, what outputs are called, what is in the tables, and what becomes of images that fail."""
import ctypes
import mmap
import glob
import os
import resource
import subprocess
import sys
import time

import numpy as np
import tifffile

from batches import STEPS, batch, cells, contents, expected, good, manifest, table, write
from command import FOVEA, fails, fovea, main, same


POSING, SLOW = (os.path.dirname(os.path.abspath(sys.argv.pop(1))) for _ in range(2))


def rows_of(seeds):
    """The merged table: file -> seed."""
    return [["file", "label", "area"]] + [[file, *row] for file, seed in seeds.items() for row in expected(cells(seed))]


def test_table_and_outputs():
    seeds = {"a1.tif": 1, "a2.tif": 2, "a10.tif": 3, "b/x1.tif": 4, "b/x01.tif": 5}
    for file, seed in seeds.items():
        write(f"in/{file}", seed)
    write("in/.hidden.tif", 9)
    write("in/.folder/a.tif", 9)
    with open("in/notes.txt", "w", encoding="utf-8") as file:
        file.write("no image")
    good(batch(STEPS, "in", "-t", "all.csv", "-o", "mask={name}_mask.png", "-o", "cells=labels/{name}.tif", "-o", "{name}.tif"))
    files = ["a1.tif", "a2.tif", "a10.tif", "b/x01.tif", "b/x1.tif"]
    same(table(), rows_of({file: seeds[file] for file in files}), "table")
    stems = [file[:-4] for file in files]
    names = {f"{stem}_mask.png" for stem in stems} | {f"labels/{stem}.tif" for stem in stems} | {f"{stem}.tif" for stem in stems}
    same(set(contents("out")), names | {"all.csv"}, "files")
    for file, seed in seeds.items():
        rows = expected(cells(seed))
        areas = np.bincount(tifffile.imread(f"out/labels/{file}").ravel())
        same([str(area) for area in areas[1:]], [area for _, area in rows], file)


def test_edit_that_finds_no_object():
    """An object that a hand has deleted in one image is not in the other: that one is done, and says so."""
    pixels = np.zeros((32, 32), np.uint8)
    pixels[20:25, 20:30] = 200
    tifffile.imwrite("b.tif", pixels)
    pixels[5:10, 5:15] = 200
    tifffile.imwrite("a.tif", pixels)
    good(batch('otsu | label | edit commands="delete 8,7" | regionprops properties=label,area', "a.tif", "b.tif", "-t", "all.csv"))
    same([row[::2] for row in table()], [["file", "area"], ["a.tif", "50.0"], ["b.tif", "50.0"]], "table")
    same({line["file"]: line.get("warning") for line in manifest()}, {"a.tif": None, "b.tif": "Step 3, edit: 1 of its commands found no object."},
         "warnings")


def test_as_one_by_one():
    """Every output is what `fovea run` makes of the file, for any number of workers."""
    steps = "gaussian sigma=1.5 | otsu as=mask | label as=cells | regionprops"
    for seed in range(12):
        write(f"in/{seed}.tif", seed)
    for jobs in ("1", "5"):
        good(batch(steps, "in", "-t", "all.csv", "-o", "cells={name}.tif", "-o", "{name}.png", "-j", jobs, out="out" + jobs))
    same(contents("out1"), contents("out5"), "files")
    merged = table("out1/all.csv")
    for seed in range(12):
        good(fovea("run", "-q", steps, f"in/{seed}.tif", "-o", "cells=one.tif", "-o", "one.png", "-t", "one.csv"))
        for end, name in (".tif", "one.tif"), (".png", "one.png"):
            with open(name, "rb") as file:
                same(contents("out1")[f"{seed}{end}"], file.read(), f"{seed}{end}")
        same([row[1:] for row in merged if row[0] in ("file", f"{seed}.tif")], table("one.csv"), f"rows of {seed}")


def test_columns():
    """Tables of images with different columns: each column once, in the order in which they come."""
    tifffile.imwrite("in1.tif", cells(1), resolution=(2, 2), metadata={"unit": "um"}, imagej=True)
    write("in2.tif", 2)
    good(batch(STEPS, "in1.tif", "in2.tif", "-t", "all.csv", "--semicolon"))
    got = table(separator=";")
    same(got[0], ["file", "label", "area (µm²)", "area"], "columns")
    same([row for row in got if row[0] == "in2.tif"], [["in2.tif", label, "", area] for label, area in expected(cells(2))], "rows")
    same([row for row in got if row[0] == "in1.tif"],
         [["in1.tif", label, str(int(area) / 4).removesuffix(".0").replace(".", ","), ""] for label, area in expected(cells(1))], "rows with a unit")


def test_series():
    with tifffile.TiffWriter("in.ome.tif") as file:
        for seed, size in (1, 48), (2, 40):
            file.write(cells(seed, size))
    write("one.tif", 3)
    good(batch(STEPS, "in.ome.tif", "one.tif", "-t", "all.csv", "-o", "cells={name}.tif"))
    same(table(), [["file", "series", "label", "area"]]
         + [["in.ome.tif", str(n), *row] for n, image in enumerate((cells(1), cells(2, 40))) for row in expected(image)]
         + [["one.tif", "0", *row] for row in expected(cells(3))], "table")
    same(set(contents("out")), {"all.csv", "in.ome.tif", "in.ome#1.tif", "one.tif"}, "files")


def test_names():
    """Inputs whose outputs would be one file keep their endings, any bytes may be in a name, and each file is one input."""
    odd = os.fsdecode(b"in/odd \xff\n\\x41,\".tif")
    write("in/a.tif", 1)
    tifffile.imwrite("in/a.tiff", cells(2))
    write("in/b#1.tif", 3)
    write(odd, 4)
    os.symlink("a.tif", "in/link.tif")
    os.symlink("in", "again")
    good(batch(STEPS, "in", "in/a.tif", "./in/../in/a.tif", "again/a.tif", "in/*.tif", "-t", "all.csv", "-o", "cells={name}.png"))
    stem = odd[3:-4]
    same(set(contents("out")), {"all.csv", "a.tif.png", "a.tiff.png", "b#1.tif.png", "link.png", stem + ".png"}, "files")
    shown = "odd \\xff␊\\x41,\".tif"
    same(table(), rows_of({"a.tif": 1, "a.tiff": 2, "b#1.tif": 3, "link.tif": 1, shown: 4}), "table")
    same([line["outputs"] for line in manifest() if line["file"].startswith("odd")], [{"odd \\xff\n\\\\x41,\".png": os.path.getsize(f"out/{stem}.png")}],
         "outputs")
    # And is found again.
    good(batch(STEPS, "in", "-t", "all.csv", "-o", "cells={name}.png", "--resume"))
    same(len(manifest()), 5, "lines")


def test_formulas():
    """Names that a spreadsheet would run as formulas get an apostrophe, unless raw cells are asked for; numbers stay."""
    names = ["+1.tif", "-2+3.tif", "=1+2.tif", "@SUM(1).tif", "plain.tif"]
    for seed, name in enumerate(names):
        write("in/" + name, seed)
    good(batch(STEPS, "in", "-t", "all.csv"))
    rows = {("" if name == "plain.tif" else "'") + name: seed for seed, name in enumerate(names)}
    same(sorted(table()), sorted(rows_of(rows)), "table")
    good(batch(STEPS, "in", "-t", "all.csv", "--raw-cells", "-j1", out="raw"))
    same(sorted(table("raw/all.csv")), sorted(rows_of({name: seed for seed, name in enumerate(names)})), "raw table")
    write("-n.tif", 1)
    good(fovea("run", "-q", STEPS, "-tone.csv", "--", "-n.tif"))
    same(table("one.csv")[1:], [list(row) for row in expected(cells(1))], "rows of a name with a dash")


def test_lists():
    for seed, name in enumerate(("in/a.tif", "in/new\nline.tif", "in/c.tif", "in/-.tif")):
        write(name, seed)
    with open("list.txt", "w", encoding="utf-8") as file:
        file.write("in/c.tif\r\n\nin/a.tif\n")
    good(batch(STEPS, "@list.txt", "-t", "all.csv"))
    same(table(), rows_of({"a.tif": 0, "c.tif": 2}), "table")
    with open("nul", "wb") as file:
        file.write(b"in/new\nline.tif\0in/c.tif")
    with open("nul", "rb") as file:
        good(batch(STEPS, "-", "-0", "-t", "all.csv", out="out0", stdin=file))
    same(table("out0/all.csv"), rows_of({"c.tif": 2, "new␊line.tif": 1}), "table")
    with open("nul", "rb") as file:
        good(batch(STEPS, "-", "-0", "-t", "all.csv", "--raw-cells", out="raw", stdin=file))
    same(table("raw/all.csv"), rows_of({"c.tif": 2, "new\nline.tif": 1}), "raw table")
    with open("nul", "rb") as file:
        fails(batch(STEPS, "-", stdin=file, out="out1"), "null bytes", "-0", status=2)
    write("in/x[1].tif", 4)
    with open("list.txt", "a", encoding="utf-8") as file:
        file.write("in\nin/x[1].tif\nin/*\n")
    same(batch(STEPS, "@list.txt", "--files", "-t", "all.csv", out="out2").returncode, 1, "status")
    same(table("out2/all.csv"), rows_of({"in/a.tif": 0, "in/c.tif": 2, "in/x[1].tif": 4}), "table")
    same({line["file"] for line in manifest("out2/manifest.jsonl") if "error" in line}, {"in", "in/*"}, "what is not a file")
    fails(batch(STEPS, "@nowhere", out="out1"), "nowhere", status=2)
    fails(batch(STEPS, "@/dev/zero", out="out1"), "larger than 256 MiB", status=2)


def test_failures():
    """They are recorded, the rest is done, and nothing of a failed image is left."""
    write("in/1.tif", 1)
    write("in/3.tif", 3)
    tifffile.imwrite("in/2.tif", np.zeros((3, 8, 8), np.uint8), photometric="minisblack")
    with open("in/4.tif", "wb") as file:
        file.write(b"nonsense")
    os.symlink("nowhere", "in/gone.tif")
    os.makedirs("in/closed")
    write("in/closed/5.tif", 5)
    os.chmod("in/closed", 0)
    with open("list", "w", encoding="utf-8") as file:
        file.write("in\nin/missing.tif\n")
    done = batch(STEPS, "@list", "-t", "all.csv", "-o", "mask={name}.tif", "-o", "cells={name}.png")
    os.chmod("in/closed", 0o700)
    root = os.geteuid() == 0  # whom no permission stops
    failed = ["2.tif", "4.tif", "gone.tif", "missing.tif"] + ([] if root else ["closed"])
    fails(done, f"{len(failed)} of {6 + root} images failed", "4.tif: ", "is not an image", "2.tif: ", "PNG holds one plane",
          "missing.tif", "does not exist", "--status", *([] if root else ["closed: ", "Permission denied"]), status=1)
    seeds = {"1.tif": 1, "3.tif": 3, **({"closed/5.tif": 5} if root else {})}
    same(table(), rows_of(seeds), "table")
    same(set(contents("out")), {"all.csv"} | {file[:-4] + end for file in seeds for end in (".tif", ".png")}, "files")
    same(sorted(line["file"] for line in manifest() if "error" in line), sorted(failed), "recorded")
    status = fovea("batch", "--status", "out")
    same(status.returncode, 1, "status")
    for name in failed:
        assert f"{name}: ".encode() in status.stdout, status.stdout
    assert f"{len(seeds)} of {len(seeds) + len(failed)} images are done, {len(failed)} failed.".encode() in status.stdout, status.stdout
    # A failed one that has been mended.
    write("in/4.tif", 4)
    os.remove("in/2.tif")
    batch(STEPS, "@list", "-t", "all.csv", "-o", "mask={name}.tif", "-o", "cells={name}.png", "--resume")
    same(table(), rows_of({"1.tif": 1, "3.tif": 3, "4.tif": 4, "closed/5.tif": 5}), "table")


class Hash(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def hash_of(path):
    """By the library, of the whole file at one go."""
    library = ctypes.CDLL("libxxhash.so.0")
    library.XXH3_128bits.restype = Hash
    with open(path, "rb") as file:
        contents_ = file.read()
    hash_ = library.XXH3_128bits(contents_, ctypes.c_size_t(len(contents_)))
    return f"{hash_.high:016x}{hash_.low:016x}"


def test_hashes():
    """The checksum covers the whole file, regardless of which parts were read and in which order, also when it is not an image."""
    large = np.kron(cells(1), np.ones((40, 40), np.uint8)).astype(np.uint16)
    os.makedirs("in")
    tifffile.imwrite("in/strips.tif", large, rowsperstrip=7)
    tifffile.imwrite("in/tiles.tif", large, tile=(256, 256), compression="zlib", predictor=2)
    tifffile.imwrite("in/described.tif", large, byteorder=">", description="x" * 200000)
    with tifffile.TiffWriter("in/two.tif") as file:
        file.write(large)
        file.write(large[:99])
    with open("in/longer.tif", "wb") as file:
        with open("in/strips.tif", "rb") as strips:
            file.write(strips.read() + bytes(300000))
    with open("in/nonsense.tif", "wb") as file:
        file.write(b"nonsense" * 100)
    good(fovea("run", "-q", "otsu", "in/strips.tif", "-o", "in/mask.png"))
    for jobs in "1", "4":
        fails(batch(STEPS, "in", "-o", "{name}.tif", "-j", jobs, out="out" + jobs), "1 of 8 images failed", status=1)
        for line in manifest(f"out{jobs}/manifest.jsonl"):
            same(line["xxh128"], hash_of("in/" + line["file"]), line["file"])


def is_open(path, process):
    names = [f"/proc/{process}/fd/{name}" for name in os.listdir(f"/proc/{process}/fd")]
    return os.path.realpath(path) in map(os.path.realpath, names)


def test_changed_meanwhile():
    """An input that changes while it is processed is done again when the batch resumes."""
    write("in/a.tif", 1)
    write("held", 1)
    environment = {**os.environ, "FOVEA_PLUGIN_PATH": SLOW, "FOVEA_HELD": os.path.abspath("held")}
    arguments = ("held | " + STEPS, "in", "-t", "all.csv", "-o", "cells={name}.tif")
    with subprocess.Popen([FOVEA, "batch", *arguments, "--out", "out"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not is_open("in/a.tif", process.pid):
            time.sleep(0.01)
        write("in/a.tif", 2)
        os.remove("held")
        output, errors = process.communicate(timeout=60)
        fails(subprocess.CompletedProcess(arguments, process.returncode, output, errors), "1 of 1 images failed", "was changed during", status=1)
    same(set(contents("out")), {"all.csv"}, "files")
    good(batch(*arguments, "--resume", env=environment))
    same(table(), rows_of({"a.tif": 2}), "table")


def test_changed_field():
    """Of a data set of many files only those images fail whose own files change: the one in work, and one that is still to come."""
    for field in "1234":
        write(f"in/f{field}.tif", 1)
    write("held", 1)
    environment = {**os.environ, "FOVEA_PLUGIN_PATH": SLOW, "FOVEA_HELD": os.path.abspath("held")}
    arguments = ("held | " + STEPS, "in/f{field}.tif", "--images", "images.csv", "-j", "1")
    with subprocess.Popen([FOVEA, "batch", *arguments, "--out", "out"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not is_open("in/f1.tif", process.pid):
            time.sleep(0.01)
        for field in "135":
            write(f"in/f{field}.tif", 2)
        os.remove("held")
        output, errors = process.communicate(timeout=60)
        fails(subprocess.CompletedProcess(arguments, process.returncode, output, errors), "2 of 4 images failed", "was changed during", status=1)
    rows = {row[0]: row[-1] for row in table("out/images.csv")[1:]}
    same({field: "was changed" in error for field, error in rows.items()}, {"1": True, "2": False, "3": True, "4": False}, "errors")
    good(batch(*arguments, "--resume", env=environment))
    same([row[0] for row in table("out/images.csv")[1:]], list("12345"), "fields")


def resident(path):
    """How many pages of a file are in memory."""
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as pages:
        start, flags = ctypes.c_char.from_buffer(pages), (ctypes.c_ubyte * (len(pages) // mmap.PAGESIZE + 1))()
        same(ctypes.CDLL(None, use_errno=True).mincore(ctypes.byref(start), ctypes.c_size_t(len(pages)), flags), 0, "mincore()")
        del start
    return sum(flag & 1 for flag in flags)


def test_reads_ahead():
    """While a thread works on an image, the disk reads the next one."""
    for name in "ab":
        write(f"in/{name}.tif", 1)
        with open(f"in/{name}.tif", "ab") as file:
            file.write(bytes(1 << 20))
            file.flush()
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if resident("in/b.tif") > 16:
        return "the file system is in memory"
    write("held", 1)
    environment = {**os.environ, "FOVEA_PLUGIN_PATH": SLOW, "FOVEA_HELD": os.path.abspath("held")}
    with subprocess.Popen([FOVEA, "batch", "held | " + STEPS, "in", "--out", "out", "-j", "1", "-q"], env=environment) as process:
        until = time.monotonic() + 30
        while (there := resident("in/b.tif")) < 256 and time.monotonic() < until:
            time.sleep(0.01)
        first = is_open("in/a.tif", process.pid)
        os.remove("held")
        same(process.wait(60), 0, "status")
    assert there >= 256 and first, f"{there} pages, while the first was {'' if first else 'not '}worked on"


def test_refused():
    """Before anything begins."""
    write("in/a.tif", 1)
    write("in/a_mask.tif", 2)
    write("in/b/c.tif", 3)
    for words, arguments in {
        "{name}": (STEPS, "in", "-o", "all.tif"),
        "more than once": (STEPS, "in", "-o", "{name}{name}.tif"),
        "must stay inside": (STEPS, "in", "-o", "../{name}.tif"),
        "does not end in .tif": (STEPS, "in", "-o", "{name}.xyz"),
        ".csv": (STEPS + " as=t", "in", "-o", "t={name}.tif"),
        "the same output": (STEPS, "in", "-o", "{name}.png", "-o", "./{name}.png", "-o", "{name}.png"),
        "no step is called": (STEPS, "in", "-o", "absent={name}.tif"),
        "regionprops": ("otsu", "in", "-t", "all.csv"),
        "No file matches": (STEPS, "in", "nowhere"),
        "No file matches": (STEPS, "in/*.jpg"),
        "operation": ("nonsense", "in"),
        "K/N": (STEPS, "in", "--shard", "3/2"),
        "when all shards are done": (STEPS, "in", "--shard", "1/2", "-t", "all.csv"),
        "not -1": (STEPS, "in", "-j", "-1"),
        "no steps": (STEPS, "in", "--status", "in"),
        "needs --table": ("--merge", "in"),
        "no batch": ("--status", "in"),
    }.items():
        fails(batch(*arguments), words)
        assert not os.path.exists("out"), words
    fails(fovea("batch", STEPS, "in"), "--out", status=2)
    fails(batch(STEPS, "in", out="in"), "also the output folder", status=2)
    fails(batch(STEPS, "in/a.tif", "-o", "{name}_x.tif", out="in"), "contains inputs", status=2)
    fails(batch(STEPS, "in/b", "-o", "b/{name}_x.tif", out="in"), "contains inputs", status=2)
    write("csv/a.csv", 1)
    fails(batch(STEPS, "csv/a.csv", "-t", "a.csv", out="csv"), "is an input", status=2)
    same(sorted(os.listdir("in")), ["a.tif", "a_mask.tif", "b"], "files")
    # Outputs of one that would be those of another.
    good(batch(STEPS, "in/a.tif", "in/a_mask.tif", "-o", "{name}.tif", "-o", "mask={name}_mask.tif"))
    same(set(contents("out")), {"a.tif.tif", "a.tif_mask.tif", "a_mask.tif.tif", "a_mask.tif_mask.tif"}, "files")


def test_outputs_among_inputs():
    """The output folder may be inside the input folder; the inputs are the same when the batch resumes."""
    write("in/a.tif", 1)
    for more in ((), ("--resume",)):
        good(batch(STEPS, ".", "-t", "all.csv", "-o", "cells={name}.tif", *more, out="results"))
        same(table("results/all.csv"), rows_of({"a.tif": 1}), "table")


def test_little_memory():
    """As many at once as fit."""
    for seed in range(4):
        tifffile.imwrite(f"{seed}.tif", np.kron(cells(seed), np.ones((64, 64), np.uint8)))
    steps = "gaussian sigma=2 | otsu | label | regionprops properties=label,area"
    good(batch(steps, "?.tif", "-t", "all.csv", "-j", "4"))
    good(batch(steps, "?.tif", "-t", "all.csv", "-j", "4", out="little", env={**os.environ, "FOVEA_HOST_MEMORY": "300"}))
    same(contents("little"), contents("out"), "files")


def test_gpu():
    """On a GPU, here one that poses, several images are under way at once, and each comes out as from the CPU."""
    for seed in range(12):
        write(f"in/{seed}.tif", seed)
    environment = {**os.environ, "FOVEA_PLUGIN_PATH": POSING}
    for device, out in ("pose", "gpu"), ("cpu", "cpu"):
        good(batch("pose as=turned", "in", "-o", "{name}.tif", "-o", "turned={name}.png", "-d", device, "-j", "4", out=out, env=environment))
    same({line["device"] for line in manifest("gpu/manifest.jsonl")}, {"pose:0"}, "device")
    same(contents("gpu"), contents("cpu"), "files")
    for seed in range(12):
        assert (tifffile.imread(f"gpu/{seed}.tif") == 255 - cells(seed)).all(), seed
    # Two of them share the images, and one that is named takes all.
    environment["FOVEA_POSING_TWICE"] = "yes"
    for device, out, shares in ("pose", "two", [6, 6]), ("pose:1", "second", [0, 12]):
        good(batch("pose as=turned", "in", "-o", "{name}.tif", "-o", "turned={name}.png", "-d", device, "-j", "1", out=out, env=environment))
        used = [line["device"] for line in manifest(f"{out}/manifest.jsonl")]
        same([used.count("pose:0"), used.count("pose:1")], shares, device)
        same(contents(out), contents("cpu"), "files")


def frail_inputs(n=12):
    """A GPU fails on 3 and 7, as real ones do: every later call of the process fails, too. The CPU fails on 3, too."""
    for i in range(n):
        os.makedirs("in", exist_ok=True)
        tifffile.imwrite(f"in/{i:02d}.tif", np.full((64, 64), {3: 255, 7: 0}.get(i, i + 10), np.uint8))
    return {f"{i:02d}.tif": i for i in range(n)}


def check_frail(inputs, out, output):
    """All are done but 3, and the manifest says what became of 3 and 7."""
    last = {line["file"]: line for line in manifest(f"{out}/manifest.jsonl")}
    same(set(last), set(inputs), "images")
    for file, i in inputs.items():
        if i == 3:
            assert "Both the GPU and the CPU fail on this image: " in last[file]["error"] and "It begins white" in last[file]["error"], last[file]
            assert not os.path.exists(output(i))
            continue
        same((last[file].get("error"), last[file]["device"]), (None, "cpu" if i == 7 else "pose:0"), file)
        same(last[file].get("warning"), "The GPU fails on this image, so it was processed on the CPU." if i == 7 else None, file)
        assert (tifffile.imread(output(i)) == 255 - tifffile.imread(f"in/{file}")).all(), file


def failures(done):
    """The files that are named on standard error as failed."""
    return [line.split(": ")[1] for line in done.stderr.decode().splitlines() if ".tif: " in line]


def test_gpu_fails():
    """The image on which a GPU fails is found among those in work, and the rest is done."""
    inputs = frail_inputs()
    environment = {**os.environ, "FOVEA_PLUGIN_PATH": POSING}
    for jobs in "1", "4":
        done = batch("pose_frail", "in", "-o", "{name}.tif", "-d", "pose", "-j", jobs, out=jobs, env=environment)
        same((done.returncode, failures(done)), (1, ["03.tif"]), f"failures, {jobs} at a time")
        check_frail(inputs, jobs, lambda i: f"{jobs}/{i:02d}.tif")
    # On resume the GPU is not tried again with the image on which it fails.
    done = batch("pose_frail", "in", "-o", "{name}.tif", "-d", "pose", "--resume", out="4", env=environment)
    same((done.returncode, failures(done), b"new process" in done.stderr), (1, ["03.tif"], False), "failures")
    check_frail(inputs, "4", lambda i: f"4/{i:02d}.tif")


def test_gpu_fails_on_list():
    """What standard input has named is known in the new process, too; in shards, and with macros."""
    inputs = frail_inputs()
    environment = {**os.environ, "FOVEA_PLUGIN_PATH": POSING}
    with open("list", "w", encoding="utf-8") as file:
        file.writelines(f"in/{name}\n" for name in inputs)
    for shard in "1/2", "2/2":
        with open("list", encoding="utf-8") as file:
            done = batch("pose_frail", "-", "-o", "{name}.tif", "-d", "pose", "-j", "3", "--shard", shard, env=environment, stdin=file)
        same((done.returncode, failures(done)), ((1, ["03.tif"]) if shard == "2/2" else (0, [])), shard)
    same(len(glob.glob("out/*.tif")), 11, "outputs")
    with open("frail.lua", "w", encoding="utf-8") as file:
        file.write('run("Pose Frail")\nsaveAs("Tiff", "turned.tif")\n')
    done = batch("frail.lua", "in", "-d", "pose", "-j", "3", out="macro", env=environment)
    same((done.returncode, failures(done)), (1, ["03.tif"]), "failures of a macro")
    check_frail(inputs, "macro", lambda i: f"macro/{i:02d}/turned.tif")


def test_gpu_fails_on_all():
    """When it fails on one after the other it is at fault itself: the rest is done on the CPU, and says so."""
    for i in range(40):
        os.makedirs("in", exist_ok=True)
        tifffile.imwrite(f"in/{i:02d}.tif", np.zeros((8, 8), np.uint8))
    done = batch("pose_frail", "in", "-o", "{name}.tif", "-d", "pose", "-j", "2", env={**os.environ, "FOVEA_PLUGIN_PATH": POSING})
    same(done.returncode, 0, "status")
    last = {line["file"]: line for line in manifest()}
    same({line["device"] for line in last.values()}, {"cpu"}, "device")
    same(len(last), 40, "images")
    same({line["warning"].split(",")[0] for line in last.values()}, {"The GPU had failed on another image"}, "warnings")


def test_full():
    """No space for an image's output is its failure; no space at all is a failure of the batch, which can resume later."""
    for seed in range(20):
        write(f"in/{seed}.tif", seed)

    def limited(bytes_):
        return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))}

    arguments = (STEPS, "in", "-t", "all.csv", "-o", "cells={name}.tif")
    done = batch(*arguments, "-j", "20", **limited(8500))  # which all fail at once
    fails(done, "20 of 20 images failed", "File too large", status=1)
    fails(batch(*arguments, out="less", **limited(1000)), "cannot be written", "File too large", status=1)
    for out in "out", "less":
        good(batch(*arguments, "--resume", out=out))
        same(table(f"{out}/all.csv"), rows_of({f"{seed}.tif": seed for seed in range(20)}), "table")


main([test_table_and_outputs, test_as_one_by_one, test_columns, test_series, test_names, test_formulas, test_lists, test_failures, test_hashes, test_changed_meanwhile, test_reads_ahead, test_refused,
      test_outputs_among_inputs, test_little_memory, test_gpu, test_gpu_fails, test_gpu_fails_on_list, test_gpu_fails_on_all, test_full])
