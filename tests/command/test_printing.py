# SPDX-License-Identifier: MIT
"""What the command prints: names that are not text, texts that would command a terminal, and a standard output that takes nothing."""
import json
import os
import shutil
import subprocess
import unicodedata

import numpy as np
import tifffile

from command import COUNT, FOVEA, NUCLEI, fails, fovea, main, same

NAME = b"a\xff\xc3\xa4.tif"
SHOWN = "a\\xffä.tif"
HOSTILE = "\x1b]0;owned\x07\x1b[31m\u009b31m\u202eevil\u2066\x7f"


def is_harmless(output):
    """Nothing that a terminal obeys: no control character but the end of a line, no turn of the direction of writing."""
    wrong = [c for c in output.decode("utf-8") if c != "\n" and unicodedata.category(c) in ("Cc", "Zl", "Zp")]
    wrong += [c for c in output.decode("utf-8") if unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")]
    assert not wrong, f"{wrong!r} in {output!r}"


def test_name_that_is_not_utf8():
    shutil.copy(NUCLEI, NAME)
    info = fovea("info", NAME)
    same(info.returncode, 0, "status")
    assert info.stdout.decode("utf-8").startswith(SHOWN + ": 640×640"), info.stdout
    info = fovea("info", "--json", NAME)
    same(info.returncode, 0, "status")
    same(json.loads(info.stdout)[0]["file"], SHOWN, "name")
    run = fovea("run", COUNT, NAME, "-o", b"cells=\xfe.png", "-t", b"\xfe.csv", "--report", b"\xfe.json")
    same((run.returncode, run.stderr), (0, b""))
    is_harmless(run.stdout)
    assert "saved cells=\\xfe.png" in run.stdout.decode("utf-8"), run.stdout
    same(sorted(os.listdir(b".")), sorted([NAME, b"\xfe.png", b"\xfe.csv", b"\xfe.json"]), "files")
    with open(b"\xfe.json", encoding="utf-8") as report:
        same(json.load(report)["input"], SHOWN, "name in the report")
    same(fovea("convert", NAME, b"\xfd.png").returncode, 0, "status")
    fails(fovea("info", b"\xfa.tif"), "'\\xfa.tif' does not exist.", status=2)
    fails(fovea("convert", NAME, b"none\xfa/x.png"), "'none\\xfa/x.png'", "the folder 'none\\xfa' does not exist", status=2)


def test_arguments_that_are_not_utf8():
    fails(fovea("run", b"gaussian | label as=\xff", NUCLEI), "as=\\xff", status=2)
    fails(fovea("run", b"\xff\x1b[31m", NUCLEI), "\\xff", status=2)
    fails(fovea("run", "otsu", NUCLEI, "-d", b"\xff"), status=2)
    fails(fovea(b"\xff"), "\\xff", status=2)
    fails(fovea("help", b"\xff"), "\\xff", status=2)
    fails(fovea("info", b"--\xff"), "\\xff", status=2)


def test_texts_that_command_a_terminal():
    name = HOSTILE.replace("/", "") + "\n.tif"
    pixels = np.zeros((2, 3, 4), np.uint16)
    ascii_only = "".join(c for c in HOSTILE if ord(c) < 128)
    tifffile.imwrite(name, pixels, imagej=True, resolution=(2, 2),
                     metadata={"axes": "CYX", "unit": ascii_only, "finterval": 2, "tunit": ascii_only, "Labels": [HOSTILE, "b"]})
    tifffile.imwrite("ome.ome.tif", pixels, photometric="minisblack", metadata={
        "axes": "CYX", "Channel": {"Name": ["\u009b31m\u202e", "\u2028b"]}, "PhysicalSizeX": 2, "PhysicalSizeXUnit": "\u009bm"})
    for arguments in (("info", name), ("info", "ome.ome.tif"), ("info", "--json", name), ("info", "--json", "ome.ome.tif"),
                      ("run", "gaussian", name), ("run", f"gaussian as='{HOSTILE}'", name), ("run", HOSTILE, name), ("run", f"gaussian sigma='{HOSTILE}'", name),
                      ("run", "channel index=7", name), ("info", HOSTILE), (HOSTILE,), ("help", HOSTILE), ("ops", f"--{HOSTILE}"),
                      ("run", "otsu", name, "-d", HOSTILE), ("run", "gaussian", name, "-o", HOSTILE + ".png")):
        done = fovea(*arguments)
        is_harmless(done.stdout)
        is_harmless(done.stderr)
        assert done.stdout or done.stderr, arguments
    assert b"\\x1b[31m\\u009b31m" in fovea("info", name).stdout
    files = json.loads(fovea("info", "--json", name, "ome.ome.tif").stdout)
    same(files[0]["file"], name, "name")  # nothing is lost
    same(files[1]["channel_names"], ["\\u009b31m\\u202e", "\\u2028b"], "channels")
    same(fovea("run", "-q", "channel index=0 | threshold lower=0 | label | regionprops", name, "-t", "t.csv").returncode, 0, "status")
    with open("t.csv", "rb") as table:
        is_harmless(table.read().replace(b"\r\n", b"\n"))
    same(fovea("run", f"gaussian as='{HOSTILE}'", name, "--report", "r.json").returncode, 0, "status")
    with open("r.json", "rb") as report:
        text = report.read()
    is_harmless(text)
    assert HOSTILE in json.loads(text)["steps"][0]["step"]


def test_long_unit():
    """What is cut to fit is cut between characters."""
    for n in range(12, 20):
        tifffile.imwrite("long.ome.tif", np.ones((9, 9), np.uint8), metadata={"axes": "YX", "PhysicalSizeX": 2, "PhysicalSizeXUnit": "x" * n + "µ" * 9})
        done = fovea("run", "-q", "gaussian | threshold lower=0 | label | regionprops", "long.ome.tif", "-t", "t.csv")
        same((done.returncode, done.stderr), (0, b""), f"{n} letters")
        with open("t.csv", encoding="utf-8") as table:
            table.read()


def test_full_standard_output():
    for arguments in (("--version",), ("--help",), ("ops",), ("ops", "--json"), ("ops", "--markdown"), ("help", "gaussian"), ("devices",),
                      ("run", "--help"), ("info", NUCLEI), ("info", "--json", NUCLEI), ("run", "channel index=1 | otsu", NUCLEI)):
        with open("/dev/full", "wb") as full:
            done = fovea(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        fails(done, "Standard output cannot be written: No space left on device.", status=1)


def closed(*arguments, descriptor):
    return subprocess.run(["sh", "-c", f'exec "$@" {descriptor}>&-', "sh", FOVEA, *arguments], stderr=subprocess.PIPE, check=False,
                          stdout=subprocess.PIPE, timeout=120)


def test_closed_standard_output():
    fails(closed("info", NUCLEI, descriptor=1), "Standard output cannot be written", status=1)
    # Saved files do not inherit the descriptor, and messages do not go into it.
    fails(closed("run", "channel index=1 | otsu", NUCLEI, "-o", "x.tif", descriptor=1), "Standard output", status=1)
    same(tifffile.imread("x.tif").shape, (640, 640), "image")
    same(closed("run", "-q", "channel index=1 | otsu", NUCLEI, "-o", "y.tif", descriptor=1).returncode, 0, "status")
    same(closed("run", "channel index=1 | otsu", "none.tif", "-o", "z.tif", descriptor=2).returncode, 2, "status")
    same(closed("run", "-q", "channel index=1 | otsu", NUCLEI, "-o", "z.tif", descriptor=2).returncode, 0, "status")
    with open("y.tif", "rb") as y, open("z.tif", "rb") as z:
        same(y.read(), z.read(), "image")


def test_pipe_that_nobody_reads():
    """Quietly, whether SIGPIPE ends the program or is ignored."""
    for trap in ("", "trap '' PIPE; "):
        process = subprocess.Popen(["sh", "-c", trap + '"$@"; echo $? >status', "sh", FOVEA, "ops", "--markdown"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)  # Python gives it back the default action
        process.stdout.close()
        same(process.stderr.read(), b"", "standard error")
        process.wait()
        with open("status", encoding="ascii") as status:
            assert int(status.read()) != 0, "status 0"


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
