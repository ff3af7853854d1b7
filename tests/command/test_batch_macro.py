# SPDX-License-Identifier: MIT
"""A macro on many images. As recorded on one image, it makes of each what its steps make; a batch of it ends, fails and resumes like any other."""
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

import numpy
import tifffile

from batches import STEPS, batch, cells, contents, expected, good, manifest, table, write
from command import FOVEA, fails, fovea, main, same

POSING = os.path.dirname(os.path.abspath(sys.argv.pop(1)))

# As the app records it: the file and the paths are those of one image on one machine.
RECORDED = """open("/elsewhere/plate 1/well.tif");
run("Threshold...", "method=manual lower=100 as=mask");
run("Label Objects...", "as=cells");
run("Measure Objects...", "properties=label,area");
saveAs("Results", "/elsewhere/cells.csv");
saveAs("Tiff", "/elsewhere/labels.tif");
"""


def macro(text, *arguments, name="m.lua", **options):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return batch(name, *arguments, **options)


def rows(path="out/all.csv"):
    """file -> rows, without their file."""
    found = {}
    for file, *row in table(path)[1:]:
        found.setdefault(file, []).append(tuple(row))
    return found


def prints(done):
    """What each image printed."""
    return dict(line.split(": ", 1) for line in done.stdout.decode().splitlines() if ": " in line and " images in " not in line)


def test_recorded():
    """Each gives what the steps give, objects known by SciPy; the table of all is theirs in one."""
    for seed in range(5):
        write(f"in/{'even' if seed % 2 == 0 else 'odd'}/{seed}.tif", seed)
    good(macro(RECORDED, "in", "-t", "all.csv"))
    same(table()[0], ["file", "label", "area"], "columns")
    same(rows(), {f"{folder}/{seed}.tif": expected(cells(seed)) for seed, folder in enumerate(["even", "odd"] * 2 + ["even"])}, "table")
    good(batch(STEPS, "in", "-o", "cells={name}.tif", out="steps"))
    for line in manifest():
        name = line["file"].removesuffix(".tif")
        same(list(line["outputs"]), [f"{name}/cells.csv", f"{name}/labels.tif"], "outputs")
        same(table(f"out/{name}/cells.csv")[1:], [list(row) for row in rows()[line["file"]]], "its table")
        numpy.testing.assert_array_equal(tifffile.imread(f"out/{name}/labels.tif"), tifffile.imread(f"steps/{name}.tif"))
    same(sorted(os.listdir("out/even/0")), ["cells.csv", "labels.tif"], "files")


def test_first_open():
    """However the macro gets its first image, it is the batch's; a second one is the file that it names."""
    for seed in 1, 2:
        write(f"in/{seed}.tif", seed)
    tifffile.imwrite("other.tif", numpy.zeros((3, 7), "u1"))
    is_image = 'print(getTitle(), getWidth())'
    for text in (f'open("x.tif"); {is_image}', f'open("x.tif", 5); {is_image}', is_image, f'close(); open("x.tif"); {is_image}',
                 f'run("Close All"); open("other.tif"); {is_image}',
                 f'selectWindow("x.tif"); {is_image}', 'local i = Image.open("x.tif"); print(i.title, i.width)', f'open("x.tif"); open("other.tif"); close(); {is_image}',
                 f'open("x.tif"); local w = Image.open("other.tif").width; if w ~= 7 then exit("no") end; {is_image}'):
        done = macro(text, "in", "--resume")
        same((done.returncode, done.stderr), (0, b""), text)
        same(prints(done), {"1.tif": "1.tif 48", "2.tif": "2.tif 48"}, text)
    fails(macro('open("x.tif"); selectWindow("x.tif")', "in", "--resume"), "No image is called 'x.tif'", status=1)


def test_series():
    """Each image of a file."""
    with tifffile.TiffWriter("in.ome.tif") as file:
        for n, size in enumerate((48, 40)):
            file.write(cells(n, size))
    done = macro(RECORDED + "print(getWidth(), nResults())", "in.ome.tif", "-t", "all.csv")
    good(done)
    objects = [expected(cells(n, size)) for n, size in enumerate((48, 40))]
    same(prints(done), {"in.ome.tif": f"48 {len(objects[0])}", "in.ome.tif, image 1": f"40 {len(objects[1])}"}, "printed")
    same([row[1:] for row in table()[1:]], [[str(n), *row] for n in (0, 1) for row in objects[n]], "table")
    same(sorted(name for name in contents("out") if name != "all.csv"),
         ["in.ome#1/cells.csv", "in.ome#1/labels.tif", "in.ome/cells.csv", "in.ome/labels.tif"], "files")


def test_table():
    """The one that was saved last; or else what is in front at the end, of steps or of measurements; or none."""
    write("in/1.tif", 1)
    for text, columns in (('run("label"); run("regionprops", "properties=label"); saveAs("Results", "a.csv"); close()', ["file", "label"]),
                          ('run("label"); run("regionprops", "properties=area"); saveAs("Results", "a.csv"); '
                           'local t = Table.new{"n"}; t:addRow{n = 1}; t:save("b.csv")', ["file", "n"]),
                          ('run("label"); run("regionprops", "properties=area")', ["file", "area"]),
                          ('makeRectangle(1, 2, 3, 4); run("Measure"); saveAs("Measurements", "c.csv")', None),
                          ('makeRectangle(1, 2, 3, 4); run("Measure")', None),
                          ('run("label")', ["file"])):
        good(macro(text, "in", "-t", "all.csv", "--resume"))
        if columns:
            same(table()[0], columns, text)
        else:
            same((len(table()), table()[1][0]), (2, "1.tif"), text)
            assert "mean" in table()[0], table()[0]


def test_stays_in_its_folder():
    """Wherever a macro says it saves, that is in the folder of its image, and makes no other; an input stays as it is."""
    write("in/1.tif", 1)
    before = contents("in")
    good(macro('open("1.tif"); File.makeDirectory("new"); saveAs("Tiff", "in/1.tif"); saveAs("PNG", getImagePath() .. ".png"); '
               'File.saveString("x", "/etc/a.txt"); File.saveString("y", "../../b.txt")', "in"))
    same(contents("in"), before, "inputs")
    same(sorted(contents("out")), ["1/1.tif", "1/1.tif.png", "1/a.txt", "1/b.txt"], "outputs")
    same(sorted(os.listdir(".")), ["in", "m.lua", "out"], "files")


def test_files_that_are_there():
    """What lay in the folder before stays, and nothing leads out of it; what the batch has made itself it makes again without a word."""
    for seed in range(4):
        write(f"in/{seed}.tif", seed)
    os.makedirs("out/1")
    os.mkdir("elsewhere")
    with open("out/1/a.txt", "w", encoding="utf-8") as file:
        file.write("mine")
    os.symlink("../elsewhere", "out/2")
    text = 'File.saveString("x", "a.txt"); File.saveString("y", "a.txt"); saveAs("Tiff", "b")'
    done = macro(text, "in")
    fails(done, "2 of 4 images failed", f"'{os.path.abspath('out/1/a.txt')}' already exists", "--resume", status=1)
    same(sorted(os.listdir("out/1")), ["a.txt"], "files of one that failed")
    with open("out/1/a.txt", encoding="utf-8") as file:
        same(file.read(), "mine", "what was there")
    same(os.listdir("elsewhere"), [], "files behind the link")
    for name in "a.txt", "b.tif":
        assert os.path.exists(f"out/0/{name}") and os.path.exists(f"out/3/{name}"), name
    os.remove("out/2")
    good(macro(text, "in", "--resume"))
    good(macro(text + " -- another one", "in", "--resume"))
    same(sorted(contents("out")), [f"{n}/{name}" for n in range(4) for name in ("a.txt", "b.tif")], "outputs")
    for name in ".a.txt", "a.desktop", "-a.txt", "a.txt~":
        shutil.rmtree("out")
        fails(macro(f'File.saveString("x", "{name}")', "in/1.tif"), name, status=1)
        same(sorted(contents("out")), [], "outputs")


def test_failures():
    """A failure names its line and leaves no output, and the other images are done. A file that is not a macro starts nothing."""
    for seed in range(4):
        write(f"in/{seed}.tif", seed)
    wrong = 'open("x.tif");\nsaveAs("Tiff", "a.tif");\nif getTitle() == "2.tif" then\n  run("Gausian Blur...");\nend\n'
    done = macro(wrong, "in")
    same(done.returncode, 1, "status")
    assert b"2.tif: m.lua:4: Unknown command 'Gausian Blur...'. Did you mean" in done.stderr, done.stderr
    same(sorted(contents("out")), ["0/a.tif", "1/a.tif", "3/a.tif"], "outputs")
    same([line["file"] for line in manifest() if line.get("error")], ["2.tif"], "failed")
    good(macro(wrong.replace("Gausian", "Gaussian"), "in", "--resume"))
    same(sorted(contents("out")), [f"{n}/a.tif" for n in range(4)], "outputs")
    fails(macro("open(\n", "in", out="none"), "m.lua:", status=1)
    assert not os.path.exists("none")
    fails(macro("while true do end", "in", "--time", "0.2", out="long"), "longer than the limit of 0.2 s", status=1)
    fails(batch("missing.lua", "in", out="none"), "missing.lua", "does not exist", status=2)
    fails(macro("print(1)", "in", "-o", "{name}.tif", out="none"), "a macro saves its own files", status=2)
    fails(batch(STEPS, "in", "--arg", "a=1", out="none"), "work only with a macro", status=2)
    fails(macro("print(1)", "in", "-t", "2/all.csv", out="third"), "is both the table of all images and an output", status=2)


def test_answers():
    write("in/1.tif", 1)
    ask = 'Dialog.create("Blur"); Dialog.addNumber("Sigma", 2); Dialog.show(); print(Dialog.getNumber(), getArgument())'
    same(prints(macro(ask, "in")), {"1.tif": "2 "}, "printed")
    same(prints(macro(ask, "in", "--resume")), {}, "done before")
    same(prints(macro(ask, "in", "--resume", "--arg", "sigma=3", "--arg", "fast")), {"1.tif": "3 fast"}, "with another answer")
    fails(macro(ask, "in", "--arg", "radius=3", out="none"), "no such field", status=1)
    fails(macro("print(1)", "in", "--arg", "radius=3", out="other"), "did not ask", status=1)


def test_again():
    """What is done again: with another macro, or an output that is not there as it was; and in shards it is the same."""
    for seed in range(6):
        write(f"in/{seed}.tif", seed)
    good(macro(RECORDED, "in", "-t", "all.csv"))
    lines = len(manifest())
    good(macro(RECORDED, "in", "-t", "all.csv", "--resume"))
    same(len(manifest()), lines, "lines")
    os.remove("out/3/labels.tif")
    good(macro(RECORDED, "in", "-t", "all.csv", "--resume"))
    same([line["file"] for line in manifest()[lines:]], ["3.tif"], "done again")
    first = contents("out")
    good(macro(RECORDED.replace("lower=100", "lower=200"), "in", "-t", "all.csv", "--resume"))
    same(len(manifest()), lines + 7, "lines")
    good(macro(RECORDED, "in", "-t", "all.csv", "--resume"))
    same(contents("out"), first, "files")
    for shard in "1/3", "2/3", "3/3":
        good(macro(RECORDED, "in", "--shard", shard, out="parts"))
    same(fovea("batch", "--merge", "parts", "-t", "all.csv").returncode, 0, "merge")
    same(contents("parts"), first, "files in parts")


def test_files_that_are_read():
    """Other files that a macro reads are part of the manifest, however it reads them. A changed file is processed again, a touched one is not."""
    for seed in 1, 2, 3:
        write(f"in/{seed}.tif", seed)
    other = {name: numpy.random.default_rng(n).integers(0, 9, (48, 48)).astype("u1") for n, name in enumerate("abc")}
    texts = ('run("expression", "expression=a+b b=[file:" .. "x.tif]"); saveAs("Tiff", "l.tif")',
             'recipe("expression expression=a+b b=file:x.tif"):run(Image.open("1.tif")):image():save("l.tif")',
             'open("1.tif"); print(Image.open("x.tif").width)', 'print(File.openAsString("x.tif"):sub(1, 2))')
    for n, text in enumerate(texts):
        def again(lines, out=f"out{n}", text=text):
            good(macro(text, "in", "--resume", out=out))
            same(len(manifest(f"{out}/manifest.jsonl")), lines, text)

        tifffile.imwrite("x.tif", other["a"])
        again(3)
        again(3)
        os.utime("x.tif", (1, 1))
        again(3)
        tifffile.imwrite("x.tif", other["b"])
        again(6)
        same({tuple(line["reads"]) for line in manifest(f"out{n}/manifest.jsonl")}, {(os.path.abspath("x.tif"),)}, "reads")
    for seed in 1, 2, 3:
        numpy.testing.assert_array_equal(tifffile.imread(f"out0/{seed}/l.tif"), cells(seed) + other["b"].astype("f4"))
    # Files that it writes and reads again are not inputs, and a missing optional one is not an error.
    for text in ('File.saveString("a", "n.txt")', 'print(pcall(File.openAsString, "none.txt"))', 'open("z.tif"); print(getWidth())'):
        good(macro(text, "in", out="none"))
        assert not any("reads" in line for line in manifest("none/manifest.jsonl")), text
        shutil.rmtree("none")


def test_own_operations():
    """So is the file of an operation of the user's own, in macros and in steps."""
    write("in/1.tif", 1)
    os.makedirs("operations")
    env = {**os.environ, "FOVEA_OPERATION_PATH": os.path.abspath("operations")}
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('open("1.tif"); run("own"); saveAs("Tiff", "l.tif")')
    for work, out, saved in (["m.lua"], "macro", "1/l.tif"), (["own", "-o", "{name}.tif"], "steps", "1.tif"):
        for times, done in (2, 1), (2, 1), (3, 2):
            with open("operations/own.operation", "w", encoding="utf-8") as file:
                file.write(f"[operation]\nexpression=image * {times}\n[input image]\n")
            good(fovea("batch", work[0], "in", *work[1:], "--resume", "--out", out, env=env))
            same(len(manifest(f"{out}/manifest.jsonl")), done, f"images done by {out}")
            numpy.testing.assert_array_equal(tifffile.imread(f"{out}/{saved}"), cells(1) * numpy.float32(times))


def test_killed():
    """Killed at any moment, and gone on with, it ends as if nothing had been."""
    for seed in range(60):
        write(f"in/{seed}.tif", seed)
    good(macro(RECORDED, "in", "-t", "all.csv", out="whole"))
    command = [FOVEA, "batch", "m.lua", "in", "-t", "all.csv", "--out", "out", "--resume"]
    pause = random.Random(1)
    for _ in range(15):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(pause.uniform(0.005, 0.06))
        running.send_signal(signal.SIGKILL)
        running.wait()
    good(macro(RECORDED, "in", "-t", "all.csv", "--resume"))
    same(contents("out"), contents("whole"), "files")
    same({line["file"] for line in manifest()}, {f"{n}.tif" for n in range(60)}, "images")
    half_saved = "out/.fovea-batch/staging"  # made when there is something to do
    same(os.listdir(half_saved) if os.path.exists(half_saved) else [], [], "what was left half saved")


def test_full():
    """An output without space is reported under its final name, not its temporary one. No space at all ends the batch, which can resume later."""
    for seed in 1, 2:
        write(f"in/{seed}.tif", seed)

    def limited(bytes_):
        return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))}

    text = 'open("x.tif"); run("zoom", "factor=2");\nsaveAs("Tiff", "l.tif");\n'
    done = macro(text, "in", **limited(8500))
    fails(done, "2 of 2 images failed", "m.lua:2", status=1)
    for seed in 1, 2:
        assert f"'{os.path.abspath(f'out/{seed}/l.tif')}' cannot be written: File too large" in done.stderr.decode(), done.stderr
    assert b"staging" not in done.stderr, done.stderr
    assert not any("staging" in line["error"] for line in manifest())
    good(macro(text, "in", "--resume"))
    done = macro(text, "in", out="less", **limited(2000))
    fails(done, "cannot be written", "File too large", status=1)
    assert b"images failed" not in done.stderr, done.stderr
    same(manifest("less/manifest.jsonl"), [], "failures that were recorded")
    good(macro(text, "in", "--resume", out="less"))


def test_no_such_device():
    """A missing one is reported once, before anything starts."""
    write("in/1.tif", 1)
    for device, status in ("cuda:63", 1), ("tpu", 2):
        for done in macro("print(1)", "in", "-d", device), batch(STEPS, "in", "-o", "{name}.tif", "-d", device):
            fails(done, device, status=status)
            assert f"evice '{device}' does not exist".encode() in done.stderr or f"{device} cannot be used: no NVIDIA driver".encode() in done.stderr, done.stderr
            same(done.stderr.count(b"\n"), status, "lines")
            assert not os.path.exists("out")


def test_gpu():
    """On a fake GPU each result equals that of the CPU, and the device is reported; the macro's own choice of devices has precedence."""
    for seed in range(6):
        write(f"in/{seed}.tif", seed)
    environment = {**os.environ, "FOVEA_PLUGIN_PATH": POSING}
    text = 'open("x.tif"); run("pose"); saveAs("Tiff", "turned.tif")'
    for out, device, where, asked in ("gpu", "", "pose:0", ("-d", "pose")), ("cpu", "", "cpu", ("-d", "cpu")), ("said", "pose", "pose:0", ()):
        said = f'run("Set Device...", "device={device}"); ' if device else ""
        good(macro(said + text, "in", *asked, out=out, env=environment))
        same({line["device"] for line in manifest(f"{out}/manifest.jsonl")}, {where}, "device")
        for seed in range(6):
            numpy.testing.assert_array_equal(tifffile.imread(f"{out}/{seed}/turned.tif"), 255 - cells(seed))


main([test_recorded, test_first_open, test_series, test_table, test_stays_in_its_folder, test_files_that_are_there, test_failures, test_answers, test_again, test_files_that_are_read, test_own_operations,
      test_killed, test_full, test_no_such_device, test_gpu])
