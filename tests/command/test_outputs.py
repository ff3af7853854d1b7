# SPDX-License-Identifier: MIT
"""Files that a run shall write are checked before it begins: names that no step has, and one file under two names."""
import os
import shutil

from command import COUNT, NUCLEI, fails, fovea, main, same


def refused(*arguments, words=(), status=2):
    """Before anything is computed: the image that is read need not even be there."""
    before = {name: os.stat(name).st_mtime_ns for name in os.listdir(".")}
    fails(fovea(*arguments), *words, status=status)
    same({name: os.stat(name).st_mtime_ns for name in os.listdir(".")}, before, "files")


def test_name_that_no_step_has():
    for steps in (COUNT, "gaussian"):
        refused("run", steps, "in.tif", "-o", "nam=x.tif", words=("no step is called 'nam'", "as=nam", "./nam=x.tif"))
    refused("run", "otsu as=mask", "in.tif", "-o", "=x.tif", words=("no step is called ''",))
    refused("run", COUNT + " as=rows", "in.tif", "-o", "rows=x.tif", words=("'rows' is a table", "--table"))
    refused("run", "otsu as=a skip=yes", "in.tif", "-o", "a=x.tif", words=("'a' is skipped",))
    refused("run", "gaussian", "in.tif", "-o", "x.xyz", words=("'x.xyz'", ".tif"))
    refused("run", "gaussian as=a", "in.tif", "-o", "a=x", words=("'x'", ".tif"))
    same(fovea("run", "-q", "channel index=1 | otsu as=a", NUCLEI, "-o", "./nam=x.tif", "-o", "a=b=c.png").returncode, 0, "status")
    same(sorted(os.listdir(".")), ["b=c.png", "nam=x.tif"], "files")


def make_names():
    """One file under many names, and folders."""
    shutil.copy(NUCLEI, "in.tif")
    os.symlink("in.tif", "link.tif")
    os.link("in.tif", "hard.tif")
    os.mkdir("folder")
    os.symlink("folder", "way")


def test_input_is_no_output():
    make_names()
    for name in ("in.tif", "./in.tif", "link.tif", "hard.tif", "way/../in.tif", os.path.abspath("in.tif")):
        for option in ("-o", "-t", "--report"):
            refused("run", COUNT, "in.tif", option, name, words=(f"'{name}' is also the input",))
        refused("run", COUNT, name, "-t", "in.tif", words=("'in.tif' is also the input",))
        refused("convert", "in.tif", name, words=("is also the input",))
    refused("run", COUNT, "in.tif", "-o", "mask=in.tif", words=("is also the input",))


def test_outputs_differ():
    make_names()
    for one, other in (("a.png", "a.png"), ("a.png", "./a.png"), ("way/a.png", "folder/a.png"), ("a.png", "folder/../a.png"),
                       ("a.png", os.path.abspath("a.png"))):
        refused("run", COUNT, "in.tif", "-o", "mask=" + one, "-o", "cells=" + other, words=(f"'{one}'", f"'{other}'", "the same file"))
        refused("run", COUNT, "in.tif", "-o", "mask=" + one, "-t", other, words=("the same file",))
        refused("run", COUNT, "in.tif", "--report", one, "-t", other, words=("the same file",))
    shutil.copy(NUCLEI, "there.tif")
    os.symlink("../there.tif", "folder/there.tif")
    refused("run", COUNT, "in.tif", "-o", "there.tif", "-t", "way/there.tif", words=("the same file",))
    same(fovea("run", "-q", COUNT, "in.tif", "-o", "mask=a.png", "-o", "cells=way/a.png", "-o", "A.png", "-t", "a.csv", "--report", "a.json").returncode,
         0, "status")
    same(sorted(os.listdir("folder")), ["a.png", "there.tif"], "files")


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
