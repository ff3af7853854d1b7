#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/prose.py finds planted faults, exempts code and quotations, and no folder exceeds its ceiling. It prints what is wrong."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
import prose  # noqa: E402  after the path

LONG = " ".join(["word"] * (prose.LONGEST + 1))
# Name, text, and how many phrases, long sentences and words "place" it has.
PLANTED = [
    ("a.c", "/* Nobody waits. The index\n * of the step. */\nint place = 1; char *s = \"nobody\";", (1, 0, 1)),
    ("b.c", f"/* {LONG}. */\n// Two words. At the place.\nint new_place, replaced, fv_place, bar_place, in_place; .place = 1;", (0, 1, 2)),
    ("c.py", f'"""{LONG}."""\n# It goes on,\n# whatever happens.\nplaces = "nobody"\n', (1, 1, 1)),
    ("d.md", "# A title\n\nThe text `is no code` and 'whoever' end.\n\n    nobody in code\n\n- Somebody.\n- It is no list.\n", (1, 0, 0)),
    ("f.h", f"/** {LONG[:-20]}\n * @param path {LONG[:-20]}\n *   key   {LONG[:-20]}\n * path: {LONG[:-20]} */", (0, 0, 0)),
    ("e.sh", "#!/bin/sh\n# To who asks.\necho nobody\n", (1, 0, 0)),
]


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text, expected in PLANTED:
            path = pathlib.Path(folder, name)
            path.write_text(text, encoding="utf-8")
            measured = prose.Folder()
            measured.add(name, path)
            if tuple(measured.faults().values()) != expected:
                print(f"{name}: {measured.faults()}, not {expected}")
    row = prose.measure({"ui": {}})["ui"]
    if len(row.sentences) < 1000:
        print(f"ui has only {len(row.sentences)} sentences")
    none = {"ui": dict.fromkeys(("phrases", "long", "place"), -1)}
    if not prose.check({"ui": prose.Folder()}, none, print_line=lambda *said, **how: None):
        print("a folder above its ceiling is not noticed")
    ceilings = prose.read_ceilings()
    prose.check(prose.measure(ceilings), ceilings)


if __name__ == "__main__":
    main()
