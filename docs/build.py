#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the manual with Sphinx: build.py SOURCE OUTPUT DEPFILE RELEASE EXAMPLES [--strict]. With --strict warnings are errors. EXAMPLES is the
folder of docs/operation_examples.py.

The dependency file names all pages and their folders, so that ninja notices new and removed pages.
"""
import os
import pathlib
import shutil
import subprocess
import sys


def main():
    source, output, depfile, examples = (pathlib.Path(word).absolute() for word in (*sys.argv[1:4], sys.argv[5]))
    trees = output.with_name("doctrees")
    # -a: each page has the tree of all, so that all are written again. Without -j, since several processes put titles into the index in any order.
    command = [sys.executable, "-m", "sphinx", "-q", "-a", "-b", "html", "-d", trees, "-D", f"release={sys.argv[4]}"]
    if "--strict" in sys.argv:
        command += ["-W", "--keep-going"]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "FOVEA_EXAMPLES": str(examples)}
    status = subprocess.run([*command, source, output], env=environment).returncode
    if status:
        shutil.rmtree(trees, ignore_errors=True)  # what was made is not made again, and its warnings would not be repeated
        return status
    shutil.copytree(examples, output / examples.name, dirs_exist_ok=True)
    found = [source, *(path for path in source.rglob("*") if "__pycache__" not in path.parts)]
    depfile.write_text(f"{sys.argv[2]}: " + " ".join(str(path).replace(" ", "\\ ") for path in found) + "\n", encoding="utf-8")
    os.utime(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
