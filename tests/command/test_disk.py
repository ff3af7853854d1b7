# SPDX-License-Identifier: MIT
"""Images that do not fit into memory: the same files as with memory enough, a report that says so, and nothing that stays on the disk."""
import json
import os
import resource
import signal
import subprocess
import time

from command import FOVEA, NUCLEI, fails, fovea, main, same

WORKFLOW = ("channel index=1 as=green | gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=cells | "
            "regionprops intensity=green properties=label,intensity_mean,area,solidity | label2rgb from=cells")
LITTLE = {"FOVEA_HOST_MEMORY": "200"}


def make_large():
    os.mkdir("scratch")
    same(fovea("run", "-q", "zoom factor=8", NUCLEI, "-o", "large.tif", "--compression=deflate", "--tile=512").returncode, 0, "status")


def scratch(**more):
    return {**os.environ, "FOVEA_SCRATCH": os.path.abspath("scratch"), **more}


def run(name, **options):
    return fovea("run", WORKFLOW, "large.tif", "-d", "cpu", "-o", name + ".tif", "-o", f"cells={name}-cells.tif", "-t", name + ".csv",
                 "--report", name + ".json", **options)


def on_disk(name):
    with open(name + ".json", encoding="utf-8") as file:
        return [step["operation"] for step in json.load(file)["steps"] if step["bytes_on_disk"] > 0]


def test_same_files():
    make_large()
    enough, little = run("enough", env=scratch()), run("little", env=scratch(**LITTLE))
    same((enough.returncode, little.returncode), (0, 0), "status")
    same(on_disk("enough"), [], "on disk")
    assert "label" in on_disk("little"), on_disk("little")
    assert b"on disk" not in enough.stdout
    assert f", {len(on_disk('little'))} results on disk\n".encode() in little.stdout, little.stdout
    for kind in (".tif", "-cells.tif", ".csv"):
        with open("enough" + kind, "rb") as one, open("little" + kind, "rb") as other:
            assert one.read() == other.read(), kind
    same(os.listdir("scratch"), [], "files")


def test_too_little_of_both():
    make_large()
    fails(run("x", env=scratch(**LITTLE, FOVEA_SCRATCH_LIMIT="10")), "Not enough memory", "of FOVEA_HOST_MEMORY, and 10.0\u00a0MiB on the disk of",
          os.path.abspath("scratch"), "FOVEA_SCRATCH selects another folder", status=1)
    fails(run("x", env=scratch(**{**LITTLE, "FOVEA_SCRATCH": "nowhere"})), "and 0 bytes on the disk of nowhere", status=1)
    # What the disk refuses when it is asked, as one that has become full.
    fails(run("x", env=scratch(**LITTLE), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))),
          "Not enough memory", os.path.abspath("scratch"), "File too large", status=1)
    same(sorted(os.listdir(".")), ["large.tif", "scratch"], "files")
    same(os.listdir("scratch"), [], "files")


def mapped(process):
    """Whether something of the process lies on the disk."""
    with open(f"/proc/{process.pid}/maps", encoding="utf-8") as maps:
        return any("rw-s" in line and "(deleted)" in line for line in maps)


def test_nothing_stays():
    make_large()
    for number in (signal.SIGINT, signal.SIGKILL):
        with subprocess.Popen([FOVEA, "run", WORKFLOW, "large.tif", "-d", "cpu", "-o", "x.tif"], env=scratch(**LITTLE),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            end = time.monotonic() + 60
            while not mapped(process) and time.monotonic() < end:
                time.sleep(0.002)
            assert mapped(process)
            same(os.listdir("scratch"), [], "files")
            process.send_signal(number)
            assert process.wait(timeout=60) != 0
        same(os.listdir("scratch"), [], "files")
        assert not os.path.exists("x.tif")


main([test_same_files, test_too_little_of_both, test_nothing_stays])
