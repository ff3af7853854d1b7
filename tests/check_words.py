#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""data/words.txt has what the operations show: each label, help and choice, as the program itself says them. check_words.py FOVEA"""
import json
import os
import pathlib
import subprocess
import sys


def shown(value):
    """Every text that is a label, a help or a menu's path, however deep."""
    if isinstance(value, list):
        for part in value:
            yield from shown(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in ("label", "help", "menu") and isinstance(part, str):
                yield part
            else:
                yield from shown(part)


def main():
    kept = set(pathlib.Path(os.environ["FOVEA_SOURCE"], "data/words.txt").read_text(encoding="utf-8").splitlines())
    said = subprocess.run([sys.argv[1], "ops", "--json", "--no-plugins"], capture_output=True, check=True).stdout
    texts = sorted(set(shown(json.loads(said))))
    missing = [text for text in texts if text.replace('"', '\\"') not in kept]
    print(f"{'not ' if missing or len(texts) < 100 else ''}ok 1 - all of {len(texts)} texts of the operations are in the list")
    for text in missing:
        print("#", text)
    print("1..1")


if __name__ == "__main__":
    main()
