#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands of plugin/README.md do what it says, word for word, in the tree and beside an installation. Output is TAP."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

SOURCE, BUILD = (pathlib.Path(os.environ[name]) for name in ("FOVEA_SOURCE", "FOVEA_BUILD"))
count = 0


def commands():
    """The lines of the page that are set as code, block by block."""
    text = (SOURCE / "plugin/README.md").read_text(encoding="utf-8")
    return [re.sub("^    ", "", block, flags=re.M) for block in re.findall(r"^\n((?:    .*\n)+)", text, re.M)]


def check(name, script, folder, says, **more):
    global count
    count += 1
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "FOVEA_PLUGIN", "PKG_CONFIG"))}
    environment.update(HOME=str(home), PATH=f"{BUILD / 'command'}:{os.environ['PATH']}", **more)
    run = subprocess.run(["sh", "-ec", script], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    good = run.returncode == 0 and says in run.stdout
    print(f"{'' if good else 'not '}ok {count} - {name}")
    if not good:
        print(*("# " + line for line in (script + run.stdout).splitlines()), sep="\n")


def main():
    build, test, reader = commands()
    with tempfile.TemporaryDirectory() as scratch:
        tree, outside, prefix = (pathlib.Path(scratch, name) for name in ("tree", "outside", "prefix"))
        for folder in tree, outside, prefix / "include", prefix / "lib":
            folder.mkdir(parents=True)
            shutil.copy(SOURCE / "data/samples/cells_2channel.tif", folder / "cells.tif")
            (folder / "a.phm").write_bytes(b"Ph\n3 2\n-1\n" + bytes(12))
        for name, where in ("plugin", SOURCE / "plugin"), ("tests", SOURCE / "tests"), ("build", BUILD):
            (tree / name).symlink_to(where)
        check("a plugin is built, found and run in the tree", build, tree, "\n  local_contrast ")
        check("the tests of all operations are for it, too", test, tree, "\nok 6 /all-ops/local_contrast/nan")
        check("a reader is built, and opens files", reader, tree, "\na.phm: 3×2 16-bit float")
        # As installed: the header, and what pkg-config says of it.
        shutil.copy(SOURCE / "plugin/fovea-plugin.h", prefix / "include")
        described = (BUILD / "meson-private/fovea-plugin.pc").read_text(encoding="utf-8")
        (prefix / "lib/fovea-plugin.pc").write_text(re.sub("^prefix=.*", f"prefix={prefix}", described, flags=re.M), encoding="utf-8")
        (outside / "tests").symlink_to(SOURCE / "tests")
        check("a plugin is built, found and run beside an installation", build, outside, "\n  local_contrast ", PKG_CONFIG_PATH=str(prefix / "lib"))
    print(f"1..{count}")


if __name__ == "__main__":
    main()
