# SPDX-License-Identifier: MIT
"""Batches by Slurm: a real one on this machine, where it can run, and programs that speak as Slurm's do."""
import contextlib
import csv
import functools
import os
import re
import signal
import stat
import subprocess
import sys
import time

import numpy as np
import tifffile
from scipy import ndimage

from batches import harmless
from command import SOURCE, fails, fovea, main, same

sys.path.insert(0, os.path.join(SOURCE, "tests", "slurm"))
import cluster  # noqa: E402

SLOW, POSING = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
os.environ["FOVEA_PLUGIN_PATH"] = os.path.dirname(SLOW)  # which the tasks are given, too
COUNT = "otsu | label | regionprops properties=label,area"
IMAGES, TASKS = 200, 8
FOLDER = ".fovea-batch/slurm"


def write_images(count, folder="in"):
    """Squares of light; how many there are in each, by SciPy."""
    random, objects = np.random.default_rng(1), {}
    os.makedirs(folder)
    for i in range(count):
        image = np.zeros((40, 40), np.uint8)
        for y, x in random.integers(0, 34, (random.integers(1, 7), 2)):
            image[y:y + 5, x:x + 5] = 200
        name = f"image{i}.tif" if i else "a line\nbreak.tif"
        tifffile.imwrite(f"{folder}/{name}", image)
        objects[name] = ndimage.label(image, np.ones((3, 3)))[1]
    return objects


def until(is_so, seconds=30):
    end = time.monotonic() + seconds
    while not (answer := is_so()):
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
    return answer


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def jobs_of(done):
    """The array and the job that merges."""
    same((done.returncode, done.stderr), (0, b""), "call")
    return re.findall(r"^job (\d+):", done.stdout.decode(), re.M)


def wait_for(jobs):
    until(lambda: not said("squeue", "--noheader", f"--jobs={','.join(jobs)}"))


def content(path):
    with open(path, "rb") as file:
        return file.read()


def lines(path):
    return content(path).count(b"\n") if os.path.exists(path) else 0


# ---- Without Slurm ----

def test_wrong_use():
    write_images(1)
    for words, *arguments in (("--array", "--array=3"), ("the number of tasks", "--slurm", "--array=0"), ("'x'", "--slurm", "--array=x"),
                              ("'8%'", "--slurm", "--array=8%"), ("--shard", "--slurm", "--shard=1/2")):
        environment = {**os.environ, "PATH": speaking(sbatch="echo 1")}
        fails(fovea("batch", COUNT, "in", "--out", "out", *arguments, env=environment), words)
    fails(fovea("batch", COUNT, "in", "--out", "out", "--slurm", env={**os.environ, "PATH": "/nowhere"}), "sbatch was not found", status=1)
    assert not os.path.exists("out")


def speaking(**programs):
    """A PATH with programs that do as these lines of shell say, and no other."""
    os.makedirs("bin", exist_ok=True)
    for name, text in programs.items():
        with open(f"bin/{name}", "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(f"bin/{name}", stat.S_IRWXU)
    return os.path.abspath("bin")


def submit(*arguments, path, out="out"):
    return fovea("batch", COUNT, "in", "--out", out, "--slurm", *arguments, env={**os.environ, "PATH": path})


def test_answers():
    """What programs of Slurm can say."""
    write_images(3)
    fails(submit(path=speaking(sbatch="echo 'the account is closed' >&2; exit 1")), "sbatch refuses: the account is closed", status=1)
    fails(submit(path=speaking(sbatch="exit 1")), "it gives no reason", status=1)
    fails(submit(path=speaking(sbatch="echo Hello")), "did not report the job's id", status=1)
    path = speaking(sbatch='printf "%s\\n" "$@" >> asked; echo "12;far"', squeue="echo 'Invalid job id specified' >&2; exit 1")
    same(jobs_of(submit("--array=3%2", "--table=all.csv", "--", "--time=5", path=path)), ["12", "12"], "jobs")
    asked = content("asked").decode().split("\n")
    same([option for option in asked if option.startswith(("--array", "--time", "--dep"))],
         ["--time=5", "--array=1-3%2", "--time=5", "--dependency=afterany:12"], "options")
    speaking(sacct="printf '12_1|COMPLETED\\n12_2|CANCELLED by 0\\n12_[3]|PENDING\\n12_3|TIMEOUT\\n'")
    status = fovea("batch", "--status", "out", env={**os.environ, "PATH": path}).stdout.decode()
    assert "job 12: 1 CANCELLED, 1 COMPLETED, 1 TIMEOUT\n" in status, status
    assert f"shard 3: TIMEOUT; see {os.getcwd()}/out/{FOLDER}/3.log" in status and "shard 1" not in status, status
    speaking(squeue='echo "$@" >> asked; echo 12_3')
    fails(submit("--table=all.csv", path=path), "scancel 12", status=1)
    assert b"--jobs 12,12 " in content("asked")
    speaking(squeue="echo 'the controller sleeps' >&2; exit 1")
    fails(submit("--table=all.csv", path=path), "squeue refuses: the controller sleeps", status=1)
    assert "the controller sleeps" in fovea("batch", "--status", "out", env={**os.environ, "PATH": path}).stdout.decode()


def test_what_is_left():
    """Only shards are submitted that have something to do."""
    write_images(6)
    path = speaking(sbatch="echo 1", squeue="echo 'Invalid job id specified' >&2; exit 1")

    fovea("batch", COUNT, "in", "--out", "whole", "-q")
    fails(submit("--array=1", path=path, out="whole"), "was not submitted by this command. Use --resume", status=1)

    def run_shards(*numbers):
        for number in numbers:
            fovea("batch", COUNT, "in", "--out", "out", f"--shard={number}/3", "--resume", "--quiet")

    def left(*arguments):
        done = submit("--array=3", *arguments, path=path)
        same((done.returncode, done.stderr), (0, b""), "call")
        shards = re.search(r"^job 1: (\d) of 3 shards, (.*)$", done.stdout.decode(), re.M)
        return shards.groups() if shards else same(b"All images are done.\n" in done.stdout, True, "said")
    same(left(), ("3", "1-3"), "at first")
    run_shards(2)
    same(left(), ("2", "1,3"), "after one")
    run_shards(1, 3)
    same(left(), None, "after all")
    with open("in/image4.tif", "wb") as file:  # before it in natural order: a line break, image1 to 3
        file.write(b"no image")
    same(left(), ("1", "2"), "after a change")
    run_shards(2)
    same(left(), ("1", "2"), "after a failure")
    tifffile.imwrite("in/image4.tif", np.eye(40, dtype=np.uint8))
    run_shards(2)
    same(left(), None, "after it was mended")
    fails(submit("--array=4", path=path), "3 shards, not 4", status=1)
    fails(submit("-o", "{name}.png", path=path), "--resume", status=1)
    same(left("-o", "{name}.png", "--resume"), ("3", "1-3"), "with other outputs")
    same(left("--resume"), None, "as before")
    tifffile.imwrite("in/image9.tif", np.eye(40, dtype=np.uint8))
    fails(submit(path=path), "--resume", status=1)
    same(left("--resume"), ("3", "1-3"), "with another input")


# ---- With Slurm ----

WHY_NOT = cluster.why_not()


def with_slurm(test):
    @functools.wraps(test)
    def run():
        return WHY_NOT or test()
    return run


def check_table(path, objects):
    """As many rows as SciPy finds objects."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row["file"] for row in csv.DictReader(file)]
    for name, count in objects.items():
        same(rows.count(harmless(name)) or rows.count(name.replace("\n", "\\n")), count, f"objects in {name!r}")
    same(len(rows), sum(objects.values()), "rows")


def process_of(shard):
    """Of the task that works on it."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if f"--shard={shard}/{TASKS}".encode() in content(f"/proc/{pid}/cmdline").split(b"\0"):
                return int(pid)
        except OSError:  # it has just ended
            pass
    return None


@with_slurm
def test_array():
    """One task is put back into the queue in its middle, and one is killed; that one is submitted again."""
    objects, out = write_images(IMAGES), "out %a, 100 %"
    steps = "slow seconds=0.2 | " + COUNT  # which leaves time to stop one
    same(fovea("batch", steps, "in", "--out", "whole", "--table", "all.csv", "-o", "{name}.png", "--jobs=50", "-q").returncode, 0, "status")
    check_table("whole/all.csv", objects)
    call = ("batch", steps, "in", "--out", out, "--table", "all.csv", "-o", "{name}.png", "--slurm", "--array", str(TASKS))
    array, merge = jobs_of(fovea(*call))
    fails(fovea(*call), f"scancel {array},{merge}", status=1)
    until(lambda: lines(f"{out}/manifest-3-of-{TASKS}.jsonl") > 2)
    same(said("scontrol", "requeue", f"{array}_3"), "", "requeue")
    os.kill(until(lambda: process_of(5)), signal.SIGKILL)
    until(lambda: f"{array}_3|PENDING" in said("squeue", "--noheader", "--array", "--format=%i|%T"))
    # Slurm would wait for two minutes; in the second in which it has been stopped it must not begin again.
    same(said("scontrol", "update", f"JobId={array}_3", "StartTime=now+2"), "", "update")
    wait_for([array, merge])
    assert b"Stopped." in content(f"{out}/{FOLDER}/3.log")
    same([lines(f"{out}/manifest-{k}-of-{TASKS}.jsonl") for k in (1, 3)], [IMAGES / TASKS + 1, IMAGES / TASKS + 2], "nothing is done twice")
    done = fovea("batch", "--status", out)
    same(done.returncode, 1, "status")
    assert f"shard 5: FAILED; see {os.getcwd()}/{out}/{FOLDER}/5.log" in done.stdout.decode(), done.stdout
    assert "merging: FAILED" in done.stdout.decode() and not os.path.exists(f"{out}/all.csv"), done.stdout
    again = fovea(*call)
    wait_for(jobs_of(again))
    assert f"1 of {TASKS} shards, 5\n" in again.stdout.decode(), again.stdout
    done = fovea("batch", "--status", out)
    same((done.returncode, b"shard" in done.stdout, b"200 of 200 images" in done.stdout), (0, False, True), f"status {done.stdout}")
    same(content(f"{out}/all.csv"), content("whole/all.csv"), "table")
    for name in objects:
        png = name.replace(".tif", ".png")
        same(content(f"{out}/{png}"), content(f"whole/{png}"), png)


@with_slurm
def test_failures():
    write_images(4)
    with open("in/image2.tif", "wb") as file:
        file.write(b"no image")
    call = ("batch", COUNT, "in", "--out", "out", "--slurm", "--table", "all.csv", "--array=2")
    jobs = jobs_of(fovea(*call))
    wait_for(jobs)
    done = fovea("batch", "--status", "out")
    same(done.returncode, 1, "status")
    assert b"image2.tif" in done.stdout and b"3 of 4 images are done, 1 failed" in done.stdout, done.stdout
    assert os.path.exists("out/all.csv")
    fails(fovea(*call[:3], "--out", "other", "--slurm", "--", "--partition=nowhere"), "sbatch refuses", "partition", status=1)


@with_slurm
def test_macro():
    """A macro is run by tasks as it is here, with its answers, and from where it lies; changed, all is done again."""
    objects = write_images(4)
    os.mkdir("macros")
    text = ('open("x.tif"); run("otsu"); run("label"); run("regionprops", "properties=label,area"); '
            'Dialog.create("T"); Dialog.addString("Kind", "Tiff"); Dialog.show(); saveAs(Dialog.getString(), "image")')
    call = ("batch", "macros/count.lua", "in", "--table", "all.csv", "--arg", "kind=PNG")
    for macro, outs in (text, ("here", "there")), (text + "; run('Close All')", ()):
        with open("macros/count.lua", "w", encoding="utf-8") as file:
            file.write(macro)
        done = fovea(*call, "--out", "there", "--slurm", "--array=2")
        assert b"2 of 2 shards" in done.stdout and b"GPUs: none, because the speed-up" in done.stdout, done.stdout
        wait_for(jobs_of(done))
        if outs:
            same(fovea(*call, "--out", "here").returncode, 0, "status")
            check_table("here/all.csv", objects)
            for name in "all.csv", *(f"{name.removesuffix('.tif')}/image.png" for name in objects):
                same(*(content(f"{out}/{name}") for out in outs), name)
    same(content("there/all.csv"), b"file\r\n", "the table of a macro that ends without an image")


def gpus_of(array):
    """How many a task asks for; it is taken back."""
    asked = re.search(r"gres[:/]gpu:(\d)", said("scontrol", "show", "job", array))
    said("scancel", array)
    return int(asked[1]) if asked else 0


@with_slurm
def test_cards_by_option():
    write_images(2)
    for gpus, why, *arguments in ((1, "one for each task, set with --device", "--device=cuda", "--"), (0, "none, set with --device", "--device=cpu", "--"),
                                   (2, "as set with sbatch options", "--", "--gres=gpu:2"), (2, "as set with sbatch options", "--device=cpu", "--", "-G", "2")):
        done = fovea("batch", COUNT, "in", "--out", f"out-{why}-{len(arguments)}", "--slurm", *arguments, "--hold")
        assert f"GPUs: {why}" in done.stdout.decode(), done.stdout
        same(gpus_of(*jobs_of(done)), gpus, f"GPUs for {arguments}")


@with_slurm
def test_cards_by_cost():
    """A GPU is asked for where it gains more than it takes to wake it: not for steps that it cannot do, nor for few images."""
    for folder, count, size in (("many", 300, 3000), ("few", 2, 100)):
        os.mkdir(folder)
        tifffile.imwrite(f"{folder}.tif", np.zeros((size, size), np.uint8))
        for i in range(count):
            os.link(f"{folder}.tif", f"{folder}/{i}.tif")
    environment = {**os.environ, "XDG_CACHE_HOME": os.getcwd(), "FOVEA_PLUGIN_PATH": f"{os.path.dirname(POSING)}:{os.path.dirname(SLOW)}"}
    poses = " | ".join(["pose"] * 40)
    for number, (folder, steps, gpus, why) in enumerate((("many", poses, 1, "one for each task; the steps of a task take about"),
                                                          ("few", poses, 0, "none; the steps of a task take about"),
                                                          ("many", poses + " | slow", 0, "none, because not all steps can run on one"))):
        done = fovea("batch", steps, folder, "--out", f"out{number}", "--slurm", "--array=1", "--", "--hold", env=environment)
        assert f"GPUs: {why}" in done.stdout.decode(), done.stdout
        same(gpus_of(*jobs_of(done)), gpus, f"GPUs for {folder} images and {steps}")


if __name__ == "__main__":
    with contextlib.nullcontext({}) if WHY_NOT else cluster.running() as ENVIRONMENT:
        os.environ.update(ENVIRONMENT)
        main([test for name, test in list(globals().items()) if name.startswith("test_")])
