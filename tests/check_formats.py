#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every list of formats of image files agrees with their declarations, as `fovea formats` prints them.
check_formats.py FOVEA; output is TAP."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
FOVEA = os.path.abspath(sys.argv[1])
# Lists of endings that are not of formats of images.
OWN = {"ui/figure/export.c": "figures have formats of their own", "command/save_options.c": "ways to compress have such names, too",
       "command/streams.c": "text can go to a terminal"}


def fovea(*arguments):
    return subprocess.run([FOVEA, *arguments, "--no-plugins"], capture_output=True, text=True)


FORMATS = json.loads(fovea("formats", "--json").stdout)
ENDINGS = {ending for f in FORMATS for ending in f["endings"]}


def text(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def bare(path):
    """Without comments."""
    return re.sub(r"/\*.*?\*/", " ", text(path), flags=re.S)


def differ(what, found, declared):
    for name in sorted(set(found) ^ set(declared)):
        yield f"{what}: {name} is {'missing' if name in set(declared) else 'too much'}"


def declarations():
    keys = [f["key"] for f in FORMATS]
    if len(set(keys)) < len(keys) or len(keys) < 8:
        yield f"keys: {keys}"
    if len(ENDINGS) != sum(len(f["endings"]) for f in FORMATS):
        yield "an ending has two formats"
    for f in FORMATS:
        if not f["endings"] or not f["mime_types"] or f["endings"][:len(f["saved"])] != f["saved"]:
            yield f"{f}"


def page():
    if fovea("formats", "--markdown").stdout != text("data/formats.md"):
        yield "data/formats.md is stale: run 'fovea formats --markdown > data/formats.md'"


def desktop():
    types = re.search(r"^MimeType=(.*);$", text("data/org.fovea.Fovea.desktop"), re.M)[1].split(";")
    yield from differ("desktop file", types, [mime for f in FORMATS if f["in_folders"] for mime in f["mime_types"]])


def manual():
    section = text("data/fovea.1").split(".SH FORMATS\n")[1].split(".SH")[0]
    yield from differ("manual page", re.findall(r"^\.B ([A-Z][\w -]*)$", section, re.M), [f["label"] for f in FORMATS])
    for f in FORMATS:
        said = re.search(rf"^\.B {f['label']}\n(.*)$", section, re.M)
        said = said[1].split("also saved") if said else [""]
        found = re.findall(r"\.([a-z][a-z0-9.]*[a-z0-9])", " ".join(said))
        yield from differ(f"manual page of {f['label']}", found, f["endings"])
        yield from differ(f"manual page of saved {f['label']}", re.findall(r"\.([a-z0-9]+)", said[0]) if len(said) > 1 else [], f["saved"])


def use():
    section = text("docs/reference/formats.md").split("## What it reads and writes\n")[1].split("\n## ")[0]
    for f in FORMATS:
        if not re.search(rf"\b{f['label']}\b", section):
            yield f"docs/reference/formats.md does not say what is read of {f['label']}"


def batch():
    """A folder's files with these endings are taken, and no others; where tables have the same endings, none."""
    taken = {ending for f in FORMATS if f["in_folders"] for ending in f["endings"]}
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/in")
        for ending in ENDINGS | {ending.upper() for ending in ENDINGS} | {"doc", "xtif", "gz"}:
            pathlib.Path(folder, "in", f"a.{ending}").write_bytes(b"nothing")
        fovea("batch", "otsu", f"{folder}/in", "--out", f"{folder}/out", "--quiet")
        lines = pathlib.Path(folder, "out/manifest.jsonl").read_text(encoding="utf-8").splitlines()
        found = [json.loads(line)["file"].partition(".")[2] for line in lines if '"file"' in line]
    yield from differ("batch", found, taken | {ending.upper() for ending in taken})


def saved():
    """Every ending can be saved that says so, and opened again; no other."""
    with tempfile.TemporaryDirectory() as folder:
        for ending in sorted(ENDINGS):
            path = f"{folder}/a.{ending}"
            run = fovea("run", "-q", "plain fill=ramp width=10 height=6 type=u8", "-o", path)
            if "need the program ffmpeg" in run.stderr and not shutil.which("ffmpeg"):
                continue
            if any(ending in f["saved"] for f in FORMATS):
                if run.returncode or "10×6" not in fovea("info", path).stdout:
                    yield f".{ending}: {run.stderr}"
            elif "does not end in" not in run.stderr:
                yield f".{ending} is saved, and no format says so"


def sources():
    """What opens, lists and offers images asks core/files/formats.h: a list of endings elsewhere would not know a new format."""
    one = r'"\.?(?:' + "|".join(map(re.escape, sorted(ENDINGS))) + r')"'
    several = re.compile(rf"{one}\s*,\s*{one}")
    planted = '  static const char *const endings[] = {"tif", "png", NULL};'
    if not several.search(planted):
        yield "a list of endings is not noticed"
    for top in ("core", "ui", "library", "command", "python"):
        for path in sorted((SOURCE / top).rglob("*")):
            name = str(path.relative_to(SOURCE))
            if path.suffix in (".c", ".h", ".py") and not name.startswith("core/files/") and name not in OWN and several.search(bare(name)):
                yield f"{name} has a list of endings of its own"


def main():
    tests = [declarations, page, desktop, manual, use, batch, saved, sources]
    for number, test in enumerate(tests, 1):
        faults = list(test())
        print(f"{'not ' if faults else ''}ok {number} - {test.__name__}")
        for fault in faults:
            print("#", fault)
    print(f"1..{len(tests)}")


if __name__ == "__main__":
    main()
