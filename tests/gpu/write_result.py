#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes result.json of run.sh: who, when and which kernels, and from its input lines "name<TAB>passed<TAB>failed<TAB>skipped". What an earlier
call found with the same kernels on the same GPU stays.
"""
import datetime
import json
import subprocess
import sys


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0].strip()


def gpu(what):
    return said("nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader")


def main():
    about = {"device": gpu("name"), "driver": gpu("driver_version"), "kernels_sha256": said("tests/gpu/kernels_sha256.sh")}
    try:
        with open("result.json", encoding="utf-8") as file:
            before = json.load(file)
    except FileNotFoundError:
        before = {}
    same = all(before.get(key) == value for key, value in about.items())
    found = {"date": datetime.date.today().isoformat(), **about}
    found.update({name: value for name, value in before.items() if same and isinstance(value, dict)})
    for line in sys.stdin:
        name, *counts = line.rstrip("\n").split("\t")
        found[name] = dict(zip(("passed", "failed", "skipped"), map(int, counts)))
    text = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
    with open("result.json", "w", encoding="utf-8") as file:
        file.write("{\n" + text + "\n}\n")


main()
