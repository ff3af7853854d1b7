#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The exit code is 2 for wrong use, which the command line shows before an image is opened, and 1 for failures: a table of cases for every command."""
import os
import shutil

from command import NUCLEI, fails, fovea, main, same

STEPS = "channel index=1 | otsu | label as=cells | regionprops"
STATUS = ["batch", "--status"]
BATCH = ["batch", STEPS, "a.tif", "--out", "out"]
# Arguments, and words of the sentence about them.
WRONG_USE = [
    ([], "Usage: fovea COMMAND"),
    (["rnu"], "unknown command 'rnu'"),
    (["--nope"], "'--nope'"),
    *(([name, "--nope"], "--nope") for name in ("run", "macro", "batch", "compare", "figure", "score", "info", "convert", "ops", "models", "formats", "help",
                                           "devices")),
    # Arguments that are missing, or too many.
    *(([name], "Usage: fovea") for name in ("run", "macro", "batch", "compare", "figure", "score", "info", "convert")),
    (["run", "gaussian"], "Usage: fovea run"),
    (["run", "gaussian", "a.tif", "a.tif"], "takes one argument of steps"),
    (["compare", "gaussian", "a.tif", "a.tif"], "Usage: fovea compare"),
    (["figure", "a.tif"], "Usage: fovea figure"),
    (["score", "a.tif"], "Usage: fovea score"),
    (["score", "a.tif", "-"], "the truth must be a file"),
    (["convert", "a.tif"], "Usage: fovea convert"),
    (["convert", "a.tif", "b.tif", "c.tif"], "Usage: fovea convert"),
    (["formats", "a.tif"], "takes no arguments"),
    (["devices", "cpu"], "takes no arguments"),
    (["help", "run", "batch"], "Usage: fovea help"),
    (["run", "gaussian", "a.tif", "-o"], "Missing argument"),
    # Operations, parameters and values.
    (["run", "gausian", "a.tif"], "Did you mean 'gaussian'"),
    (["batch", "gausian", "a.tif", "--out", "out"], "Did you mean 'gaussian'"),
    (["compare", "gausian", "a.tif"], "Did you mean 'gaussian'"),
    (["figure", "a.tif", "b.png", "--run", "gausian"], "Did you mean 'gaussian'"),
    (["run", "gaussian sgima=2", "a.tif"], "did you mean 'sigma'"),
    (["run", "gaussian sigma=-2", "a.tif"], "sigma must be from 0 to"),
    (["run", "gaussian sigma=much", "a.tif"], "sigma"),
    (["run", "gaussian border=none", "a.tif"], "border"),
    (["run", "gaussian from=nosuch", "a.tif"], "nosuch"),
    (["run", "", "a.tif"], ""),
    (["run", 'kernel operation="z = 255 - x;"', "a.tif"], "--allow-native"),
    (["figure", "a.tif", "b.png", "widht=3"], "widht"),
    (["help", "gausian"], "Did you mean 'gaussian'"),
    (["ops", "xyzzy"], "'xyzzy'"),
    # Options.
    (["run", "otsu", "a.tif", "--series", "-1"], "--series"),
    (["run", "otsu", "a.tif", "--series", "x"], "--series"),
    (["run", "otsu", "a.tif", "--tile", "17"], "--tile"),
    (["run", "otsu", "a.tif", "--compression", "rar"], "--compression"),
    (["run", "otsu", "a.tif", "--volume", "--planes"], "not both"),
    *(([*command, "--device", "gpu"], "device 'gpu' does not exist: this machine has cpu")
      for command in (["run", "otsu", "a.tif"], BATCH, ["figure", "a.tif", "b.png", "--run", "otsu"], ["macro", "m.lua"])),
    (["compare", "otsu", "a.tif", "-n", "0"], "--repeat"),
    (["macro", "m.lua", "--time", "-1"], "--time"),
    (["macro", "m.lua", "--allow", "nowhere"], "--allow"),
    ([*BATCH, "-j", "-1"], "--jobs"),
    ([*BATCH, "--shard", "3/2"], "--shard"),
    ([*BATCH, "--group", "well"], "--group"),
    ([*BATCH, "--array", "2"], "--array"),
    ([*BATCH, "--arg", "a=1"], "--arg"),
    (["batch", STEPS, "a.tif"], "--out"),
    ([*BATCH, "--images", "i.csv", "--name-pattern", "{well}_"], "does not match"),
    # Inputs that are not there.
    (["run", "otsu", "missing.tif"], "'missing.tif' does not exist"),
    (["compare", "otsu", "missing.tif"], "'missing.tif' does not exist"),
    (["figure", "missing.tif", "b.png"], "'missing.tif' does not exist"),
    (["score", "a.tif", "missing.tif"], "'missing.tif' does not exist"),
    (["convert", "missing.tif", "b.tif"], "'missing.tif' does not exist"),
    (["info", "missing.tif"], "'missing.tif' does not exist"),
    (["info", "missing.tif", "a.tif", "damaged.tif"], "'missing.tif' does not exist"),
    (["macro", "missing.lua"], "'missing.lua' does not exist"),
    (["macro", "m.lua", "missing.tif"], "'missing.tif' does not exist"),
    (["batch", STEPS, "missing", "--out", "out"], "'missing' does not exist"),
    (["batch", STEPS, "missing/*.tif", "--out", "out"], "No file matches 'missing/*.tif'"),
    (["batch", STEPS, "empty", "--out", "out"], "No image files found"),
    (["batch", "missing.lua", "a.tif", "--out", "out"], "'missing.lua' does not exist"),
    (["batch", STEPS, "@missing", "--out", "out"], "missing"),
    ([*STATUS, "missing"], "'missing' does not exist"),
    (["batch", "--merge", "missing", "-t", "t.csv"], "'missing' does not exist"),
    (["missing.tif"], "no file has that name"),
    # Outputs that cannot be.
    (["run", "otsu", "a.tif", "-o", "b.xyz"], "b.xyz"),
    (["run", "otsu", "a.tif", "-o", "a.tif"], "is also the input"),
    (["run", "otsu", "a.tif", "-o", "b.tif", "-o", "./b.tif"], "are the same file"),
    (["run", "otsu", "a.tif", "-o", "nowhere/b.tif"], "the folder 'nowhere' does not exist"),
    (["run", "otsu", "a.tif", "-o", "mask=b.tif"], "no step is called 'mask'"),
    (["run", "otsu", "a.tif", "-t", "t.csv"], "no step makes a table"),
    (["run", STEPS, "a.tif", "-t", "t.doc"], "t.doc"),
    (["run", STEPS, "a.tif", "-t", "nowhere/t.csv"], "the folder 'nowhere' does not exist"),
    (["run", STEPS, "a.tif", "--report", "nowhere/r.json"], "the folder 'nowhere' does not exist"),
    (["compare", "otsu", "a.tif", "--report", "nowhere/r.json"], "the folder 'nowhere' does not exist"),
    (["figure", "a.tif", "b.xyz"], "b.xyz"),
    (["figure", "a.tif", "nowhere/b.png"], "the folder 'nowhere' does not exist"),
    (["convert", "a.tif", "b.xyz"], "b.xyz"),
    (["convert", "a.tif", "nowhere/b.tif"], "the folder 'nowhere' does not exist"),
    ([*BATCH, "-o", "mask.png"], "one file for all images"),
    ([*BATCH, "-o", "{well}.png"], "{well}"),
    ([*BATCH, "-o", "{name}.xyz"], "xyz"),
    ([*BATCH, "-t", "t.doc"], "t.doc"),
    ([*BATCH, "--images", "i.doc"], "i.doc"),
    (["batch", "otsu", "a.tif", "--out", "out", "-t", "t.csv"], "No step makes a table"),
    (["batch", "--merge", "done", "-t", "t.doc"], "t.doc"),
]
FAILURES = [
    # Devices that another machine may have.
    (["run", "otsu", "a.tif", "--device", "cuda:99"], "cuda:99"),
    # Contents of files.
    (["run", "otsu", "damaged.tif"], "damaged.tif"),
    (["compare", "otsu", "damaged.tif"], "damaged.tif"),
    (["figure", "damaged.tif", "b.png"], "damaged.tif"),
    (["convert", "damaged.tif", "b.tif"], "damaged.tif"),
    (["info", "damaged.tif", "a.tif"], "damaged.tif"),
    (["run", "otsu", "a.tif", "--series", "7"], "number 7 does not exist"),
    (["run", "channel index=7", "a.tif"], "index"),
    (["run", "channel index=1 | gaussian", "a.tif", "-o", "b.png"], ".tif"),
    (["macro", "broken.lua"], "broken.lua:"),
    (["batch", "otsu", "damaged.tif", "--out", "failed"], "1 of 1 images failed"),
]


def prepare():
    shutil.copy(NUCLEI, "a.tif")
    for name, text in (("damaged.tif", "II*\0 and no more"), ("m.lua", "print(1)"), ("broken.lua", "print(")):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    os.mkdir("empty")
    same(fovea("batch", STEPS, "a.tif", "--out", "done").returncode, 0, "a batch")


def check(cases, status):
    """All of them, and all that is wrong."""
    prepare()
    before, wrong = sorted(os.listdir()), []
    without_display = {name: value for name, value in os.environ.items() if not name.endswith("DISPLAY")}
    for arguments, words in cases:
        done = fovea(*arguments, env=without_display)
        said = done.stderr.decode()
        if done.returncode != status or words not in said or not said.startswith(("fovea: ", "Usage: ")):
            wrong.append(f"{arguments}: {done.returncode}, {said}")
    assert not wrong, "\n".join(wrong)
    return set(os.listdir()) - set(before)


def test_wrong_use():
    same(check(WRONG_USE, 2), set(), "files that are left")


def test_environment():
    for command in (["devices"], ["ops"], ["info", NUCLEI], ["run", "otsu", NUCLEI]):
        fails(fovea(*command, env={**os.environ, "FOVEA_HOST_MEMORY": "much"}), "FOVEA_HOST_MEMORY", status=2)


def test_failures():
    same(check(FAILURES, 1), {"failed"}, "files that are left")
    same(fovea(*STATUS, "failed").returncode, 1, "the status of a batch in which an image failed")


def test_done():
    prepare()
    for arguments in (["--help"], ["--version"], ["help"], ["help", "run"], ["ops", "blur"], ["formats"], ["devices"], ["info", "a.tif"], [*STATUS, "done"]):
        same(fovea(*arguments).returncode, 0, " ".join(arguments))


if __name__ == "__main__":
    main([test_wrong_use, test_environment, test_failures, test_done])
