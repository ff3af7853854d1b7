#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A golden case that fails says where, and the next one is tried all the same: check_report.py TEST_GOLDEN. Output is TAP."""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

CASES = """[first]
step=channel index=0
input.image=in.npy
expect.image=out.npy
tolerance=0
frames=1
spacing=1 1 1

[second]
step=channel index=7
input.image=in.npy
expect.image=out.npy
frames=1
spacing=1 1 1

[third]
step=channel index=0
input.image=in.npy
expect.image=in.npy
frames=1
spacing=1 1 1

[fourth]
step=otsu
input.image=in.npy
scalar.threshold=-5 -5
frames=1
spacing=1 1 1
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "tests/golden/data/channel")
        data.mkdir(parents=True)
        image = np.arange(2 * 3 * 5, dtype=np.uint8).reshape(2, 3, 5)
        other = image.copy()
        other[1, 0, 4] += 1
        other[1, 2, 2] += 1
        np.savez_compressed(data / "arrays.npz", **{"in": image, "out": other})
        (data / "cases.ini").write_text(CASES, encoding="utf-8")
        environment = {**os.environ, "FOVEA_SOURCE": folder}
        run = subprocess.run([sys.argv[1], "--tap"], env=environment, capture_output=True, text=True)
        none, third = (subprocess.run([sys.argv[1], *words], env=environment, capture_output=True, text=True)
                       for words in (["-p", "/golden/channel/thrid/cpu"], ["-r", "/golden/channel/third"]))
    said = [line for line in run.stdout.splitlines() if "/cpu" in line or line.startswith(("#", "Bail"))]
    for number, (name, words) in enumerate([
            ("the first wrong pixel and how many", "first, image: plane 1, row 0, column 4 is 19, not 20; 2 of 30 pixels are wrong"),
            ("the next case is tried", "second: channel: index: No such channel"),
            ("a good case stays good", "\nok 3 /golden/channel/third/cpu"),
            ("wrong numbers", "; 2 of 2 rows are wrong"),
    ], 1):
        good = words in "\n" + run.stdout and run.returncode
        print(f"{'' if good else 'not '}ok {number} - {name}")
        if not good:
            print("\n".join("# " + line for line in said))
    print("ok" if none.returncode and "No test has the path /golden/channel/thrid/cpu" in none.stderr else "not ok", "5 - a path of no case is a failure")
    print("ok" if third.returncode == 0 and "1..1" in third.stdout else "not ok", "6 - the cases below a path run alone")
    print("1..6")


if __name__ == "__main__":
    main()
