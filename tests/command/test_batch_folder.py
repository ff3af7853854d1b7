# SPDX-License-Identifier: MIT
"""Folders of batches that are written here by hand: how they stand, which lines of a manifest count, and the one table, against Python's csv."""
import csv
import io
import json
import os
import random
import time

import tifffile

from batches import STEPS, batch, expected, good, harmless, manifest, write as write_image
from command import fails, fovea, main, same

HEADER = {"fovea": "0.9", "steps": "otsu", "inputs": "names", "files": 2}
RECORD = {"file": "b.tif", "series": 0, "of": 1, "size": 5, "modified_ns": 6, "changed_ns": 7, "xxh128": "0" * 32, "work": "1" * 32,
          "outputs": {}, "part": 0, "length": 0, "rows": 0, "device": "cpu", "seconds": 0.5}
FAILED = {key: RECORD[key] for key in ("file", "series", "of", "size", "modified_ns", "changed_ns", "xxh128", "work")} | {"error": "It is torn."}
CELLS = ("", "1", "2.5", "-0.001", "a b", 'say "x"', "x,y", "x;y", "two\r\nlines", "é")


def write(lines, parts=b"", shard=""):
    os.makedirs("out/.fovea-batch", exist_ok=True)
    with open(f"out/manifest{shard}.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    with open(f"out/.fovea-batch/parts{shard}", "wb") as file:
        file.write(parts)


def without(record, key):
    return {other: value for other, value in record.items() if other != key}


def stands(status, *lines):
    done = fovea("batch", "--status", "out")
    same((done.returncode, done.stdout.decode().splitlines()), (status, list(lines)), "status")


def test_counts():
    """Of a file with several images all count, of one that nothing is known of one, of one that has gone none."""
    a = [{**RECORD, "file": "a.tif", "series": n, "of": 3} for n in range(3)]
    b, gone = {**RECORD}, {"file": "c.tif", "series": 0, "removed": True}
    torn = {**FAILED, "file": "a.tif", "series": 1, "of": 3}
    write([{**HEADER, "files": 5}, a[0], torn, b, {**RECORD, "file": "c.tif"}, gone])
    stands(1, "a.tif, image 1: It is torn.", "2 of 7 images are done, 1 failed.")
    fails(fovea("batch", "--merge", "out", "-t", "all.csv"), "1 of 5 files", status=1)
    write([HEADER, a[0], torn, b, a[1], a[2]])
    stands(0, "4 of 4 images are done, 0 failed.")
    write([HEADER, b, {**FAILED, "file": "d.tif"}])
    stands(1, "d.tif: It is torn.", "1 of 2 images are done, 1 failed.")
    fails(fovea("batch", "--merge", "out", "-t", "all.csv"), "1 of 2 images failed", status=1)
    # A file had two images, and has one now.
    write([HEADER, {**b, "of": 2}, {**b, "of": 2, "series": 1}, {"file": "b.tif", "series": 1, "removed": True}, b, {**RECORD, "file": "d.tif"}])
    stands(0, "2 of 2 images are done, 0 failed.")


def test_lines():
    """What is not a whole record is as if it were not there."""
    whole = {**RECORD, "file": "a.tif", "length": 3}
    bad = [without(RECORD, key) for key in ("file", "series", "of", "xxh128", "work", "outputs", "part", "length", "rows", "device")]
    bad += [{**RECORD, **change} for change in (
        {"file": 3}, {"series": -1}, {"series": 2**32 - 1}, {"series": "0"}, {"of": 0}, {"of": -1}, {"xxh128": 5}, {"work": None}, {"outputs": []},
        {"part": -1}, {"length": -1}, {"rows": -1}, {"length": 4}, {"part": 1, "length": 3}, {"part": 3, "length": 1}, {"part": 0.5})]
    bad += [without(FAILED, key) for key in ("file", "series", "of", "xxh128", "work")]
    for line in bad:
        write([HEADER, whole, line], b"abc")
        stands(1, "1 of 2 images are done, 0 failed.")
    for line in ({**RECORD, "part": 3}, {**RECORD, "part": 1, "length": 2}, {**RECORD, "series": 2**32 - 2}, {**RECORD, "more": [1]}):
        write([HEADER, whole, line], b"abc")
        stands(0, "2 of 2 images are done, 0 failed.")
    for header in [without(HEADER, key) for key in HEADER] + [{**HEADER, "files": -1}, {**HEADER, "files": "2"}]:
        write([header, whole], b"abc")
        stands(0, "1 of 1 images are done, 0 failed.")
    write([HEADER, {**RECORD, "length": 1}, {**RECORD, "file": "a.tif"}], b"a")
    os.remove("out/.fovea-batch/parts")
    stands(1, "1 of 2 images are done, 0 failed.")
    write([{**HEADER, "files": 0}])
    stands(0, "0 of 0 images are done, 0 failed.")


def test_names():
    """Manifests have the names that a batch gives them, and all are of as many shards."""
    write([HEADER, RECORD, {**RECORD, "file": "a.tif"}])
    for name in ("manifest-0-of-3.jsonl", "manifest-4-of-3.jsonl", "manifest-01-of-3.jsonl", "manifest-1-of-3.jsonl~", "manifest-1-of-2000000.jsonl",
                 "amanifest.jsonl"):
        with open(f"out/{name}", "w", encoding="utf-8") as file:
            file.write("{}")
        stands(0, "2 of 2 images are done, 0 failed.")
        os.remove(f"out/{name}")
    os.remove("out/manifest.jsonl")
    write([HEADER, RECORD], shard="-3-of-3")
    write([HEADER, RECORD], shard="-1-of-1048576")
    fails(fovea("batch", "--status", "out"), "of 3 shards and of 1048576", status=1)
    os.remove("out/manifest-1-of-1048576.jsonl")
    stands(1, "1 of 2 images are done, 0 failed.")


def test_records():
    """What a batch writes of each image."""
    for seed in range(6):
        write_image(f"in/{seed}.tif", seed)
    start = time.monotonic()
    good(batch(STEPS, "in", "-t", "all.csv", "-o", "cells={name}.png", "-j", "1", "-d", "cpu"))
    took = time.monotonic() - start
    with open("out/.fovea-batch/parts", "rb") as file:
        parts = file.read()
    lines = manifest()
    for line in lines:
        about = os.stat(f"in/{line['file']}")
        same((line["size"], line["modified_ns"], line["changed_ns"]), (about.st_size, about.st_mtime_ns, about.st_ctime_ns), "stamp")
        rows = expected(tifffile.imread(f"in/{line['file']}"))
        text = "".join(",".join(row) + "\r\n" for row in [("label", "area"), *rows])
        same((line["rows"], parts[line["part"]:line["part"] + line["length"]].decode()), (len(rows), text), "rows")
        same((line["series"], line["of"], line["device"], list(line["outputs"])), (0, 1, "cpu", [line["file"][0] + ".png"]), "record")
        assert line["seconds"] > 0
    assert sum(line["seconds"] for line in lines) < took
    with open("out/manifest.jsonl", encoding="utf-8") as file:
        header = json.loads(file.readline())
    same((header["steps"].replace(" ", ""), header["files"]), (STEPS.replace(" ", ""), 6), "header")


def test_modes():
    """Folders and files are open to whom the umask leaves them."""
    write_image("in/a/b.tif", 1)
    write_image("in/c.tif", 2)
    good(batch(STEPS, "in", "-t", "all.csv", "-o", "cells=d/{name}.png", preexec_fn=lambda: os.umask(0o027)))
    for at, folders, names in os.walk("out"):
        for name in folders:
            same(os.stat(os.path.join(at, name)).st_mode & 0o7777, 0o750, name)
        for name in names:
            same(os.stat(os.path.join(at, name)).st_mode & 0o7777, 0o600 if name == "lock" else 0o640, name)


def table_of(chance, columns):
    """The bytes of a table as a batch keeps them, and its rows."""
    rows = [[chance.choice(CELLS) for _ in columns] for _ in range(chance.randrange(4))]
    text = io.StringIO(newline="")
    csv.writer(text).writerows([columns, *rows])
    kept = text.getvalue().encode()
    return (kept[:-2] if rows and chance.random() < 0.2 else kept), [dict(zip(columns, row)) for row in rows]


def some_columns(chance, columns):
    kind = chance.random()
    if kind < 0.4:
        return columns
    return chance.sample(columns, len(columns) if kind < 0.7 else chance.randrange(1, len(columns)))


def check_merge(chance, columns, shards, series):
    """Twenty files in so many shards; series: the fourth of them has three images."""
    lines, parts = [[{**HEADER, "files": len(range(k, 20, shards))}] for k in range(shards)], [b""] * shards
    found, rows = [], []
    for n in range(20):
        for image in range(3 if series and n == 3 else 1):
            k, kept, own = n % shards, b"", []
            if n % 7 != 6:  # else no table
                its = some_columns(chance, columns)
                kept, own = table_of(chance, its)
                found += [column for column in its if own and column not in found]
            rows += [(f"t{n}.tif", image, row) for row in own]
            lines[k].append({**RECORD, "file": f"t{n}.tif", "series": image, "of": 3 if series and n == 3 else 1, "part": len(parts[k]),
                             "length": len(kept), "rows": len(own)})
            parts[k] += kept
    for k in range(shards):
        chance.shuffle(lines[k])
        write(lines[k], parts[k], f"-{k + 1}-of-{shards}" if shards > 1 else "")
    for separator, option in (",", ()), (";", ("--semicolon",)), (",", ("--raw-cells",)):
        shown = str if option == ("--raw-cells",) else harmless
        cell = (lambda text: shown(text).replace(".", ",")) if separator == ";" else shown  # of CELLS numbers alone have points
        expected = io.StringIO(newline="")
        writer = csv.writer(expected, delimiter=separator)
        writer.writerow(["file", *(["series"] if series else []), *map(shown, found)])
        writer.writerows([file, *([image] if series else []), *(cell(row.get(column, "")) for column in found)] for file, image, row in rows)
        done = fovea("batch", "--merge", "out", "-t", "all.csv", *option)
        same((done.returncode, done.stderr), (0, b""), "end")
        with open("out/all.csv", "rb") as file:
            same(file.read().decode(), ("\ufeff" if separator == ";" else "") + expected.getvalue(), "table")
    for k in range(shards):
        os.remove(f"out/manifest-{k + 1}-of-{shards}.jsonl" if shards > 1 else "out/manifest.jsonl")


def test_tables():
    """Columns of any names in any order, texts of any kind, headers longer than what is read at first: what csv writes of all rows."""
    chance = random.Random(4)
    plain, odd = ["label", "area", "mean"], ["label", "area (µm²)", "a,b", 'say "x"', "two\nlines", "b;c"]
    for columns in (plain, odd, ["n" * 1500, "m" * 1500, "o" * 1500, "label"]):
        for shards in 1, 3:
            for series in False, True:
                check_merge(chance, columns, shards, series)


main([test_counts, test_lines, test_names, test_records, test_modes, test_tables])
