#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes data/words.txt: every text of the sources that a person can read, one a line, for those who check and translate them.

    scripts/words.py          # renews the list
    scripts/words.py --check  # says what has changed since

A text is a literal of C, joined with its neighbors and with escapes as in the source, or one of the Python package that is not a docstring. It has
words: it begins with a capital or has a space between letters. Keys, names of signals and the like have neither.
"""
import ast
import json
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LIST = SOURCE / "data" / "words.txt"
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|\\\n|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#[ \t]*include[^\n]*|(?P<text>"(?:\\.|[^"\\\n])*")|(?P<code>[^\s"\'/]+|/)',
                   re.S | re.M)
WORDS = re.compile(r"^[^A-Za-z%]*[A-Z]|[A-Za-z][,;:.)]* [(‘'\"\\]*[A-Za-z]")
FORMAT = re.compile(r"(G_G\w+_FORMAT|PRI[a-z]\d+)\b")
# CSS, headers of files, source for compilers: texts for machines.
MACHINES = re.compile(r"^[.#\w* -]+ *\{|[{};](?:\\n|\s)*$|^#(?:define|if|ifdef|line|pragma) |xmlns|^omp |^GL_|::|^<|^(?:Fovea|Gtk|Gdk)[A-Z]|^[A-Z][A-Z0-9]*_[A-Z0-9_]+$")


def texts(source):
    """Each literal, joined with those beside it."""
    joined = None
    for token in TOKEN.finditer(source):
        if token["text"] is not None:
            joined = (joined or "") + token["text"][1:-1]
        elif joined is not None and FORMAT.match(token["code"] or ""):
            joined += f"<{token['code']}>"
        elif joined is not None and token["code"]:
            yield joined
            joined = None
    if joined is not None:
        yield joined


def python_texts(source):
    """Each literal but docstrings; what is filled in is {}."""
    tree = ast.parse(source)
    skipped = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= set(node.values)
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            parts = [node.value]
        else:
            continue
        yield json.dumps("".join(parts), ensure_ascii=False)[1:-1]


READERS = {".c": texts, ".h": texts, ".cu": texts, ".cuh": texts, ".py": python_texts}


def words():
    found = set()
    for top in ("command", "core", "kernels", "library", "plugin", "python/fovea", "python/module", "readers", "runtime", "ui"):
        for path in sorted((SOURCE / top).rglob("*")):
            if path.suffix in READERS:
                read = READERS[path.suffix](path.read_text(encoding="utf-8"))
                # Formats and names between C and Python are left out; they have no spaces.
                found |= {text for text in read if WORDS.search(text) and not MACHINES.search(text) and (" " in text or not top.startswith("python"))}
    return sorted(found)


def main():
    now = words()
    if sys.argv[1:] != ["--check"]:
        LIST.write_text("\n".join(now) + "\n", encoding="utf-8")
        return
    kept = LIST.read_text(encoding="utf-8").splitlines()
    changes = [f"gone: {text}" for text in sorted(set(kept) - set(now))] + [f"new: {text}" for text in sorted(set(now) - set(kept))]
    if changes or kept != now:
        print(*changes, "If that is as it should be: scripts/words.py", sep="\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
