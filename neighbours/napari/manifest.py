#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes napari_fovea/napari.yaml, of the declarations of the installed Fovea: a reader for its formats, and a widget for each operation.

    manifest.py [FILE]     standard output by default
"""
import sys

import fovea


def shown(operation):
    """What the menu has: the label without its dots, after the submenu that the app has it in."""
    return f"{operation['menu'].split('/')[-1]}: {operation['label'].rstrip('.')}"


def operations():
    """Those of a menu that take an image. Others need a table, or are about the app."""
    declared = [fovea.describe(key) for key in fovea.operations()]
    return [o for o in declared if o["menu"] and o["inputs"] and not any(i["table"] for i in o["inputs"])]


def lines():
    yield "# Made by manifest.py."
    yield "name: napari-fovea"
    yield "display_name: Fovea"
    yield "contributions:"
    yield "  commands:"
    yield "    - {id: napari-fovea.read, title: Read with Fovea, python_name: 'napari_fovea.reader:reader_of'}"
    for o in operations():
        yield f"    - {{id: napari-fovea.{o['key']}, title: \"{shown(o)}\", python_name: 'napari_fovea.widgets:{o['key']}'}}"
    yield "  readers:"
    yield "    - command: napari-fovea.read"
    yield "      accepts_directories: true"
    endings = sorted({ending for f in fovea.formats() if f["in_folders"] for ending in f["endings"]})
    yield f"      filename_patterns: [{', '.join(repr('*.' + ending) for ending in endings)}]"
    yield "  widgets:"
    for o in sorted(operations(), key=shown):
        yield f"    - {{command: napari-fovea.{o['key']}, display_name: \"{shown(o)}\"}}"


def main():
    text = "\n".join(lines()) + "\n"
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
