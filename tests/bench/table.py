#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes Markdown tables of results/*.json.

    table.py                    prints them
    table.py --update README.md replaces what stands between <!-- bench:cpu --> and <!-- /bench -->, likewise bench:cuda
    table.py --check README.md  fails when that is not what the results say
"""
import argparse
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MARKED = re.compile(r"(<!-- bench:(\w+) -->\n)(.*?)(<!-- /bench -->)", re.S)


def number(value):
    """Three digits: 0.043, 1.21, 28.2, 434."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.{2 if value >= 1 else 3}f}" if value < 10 else f"{value:.1f}"


def milliseconds(timed, line, kind):
    """On a GPU the device's own clock, but for work that brings its result to the host; else the wall's."""
    clock = "device_ms" if kind == "cuda" and line["work"] != "workflow" else "wall_ms"
    return timed[clock]["median"]


def size(text):
    return text.replace("x", "×") if "x" in text else text + "²"


def measured(results):
    return [line for line in results["lines"] if "wall_ms" in line]


def peer_names(results):
    """In the order in which they first appear."""
    names = []
    for line in measured(results):
        names += [p["name"] for p in line["peers"] if "failed" not in p and p["name"] not in names]
    return names


def row(line, names, kind, notes):
    """notes: what peers do otherwise, in the order of their marks; grows."""
    ours, cells, alike = milliseconds(line, line, kind), dict.fromkeys(names, ""), []
    for peer in line["peers"]:
        if "failed" in peer:
            continue
        mark, ms = "", milliseconds(peer, line, kind)
        if "unlike" in peer:
            notes += [peer["unlike"]] if peer["unlike"] not in notes else []
            mark = f" <sup>{notes.index(peer['unlike']) + 1}</sup>"
        else:
            alike.append(ms)
        cells[peer["name"]] = number(ms) + mark
    factor = f"{number(min(alike) / ours)} ×" if alike else ""
    return "| " + " | ".join([line["work"], size(line["size"]), f"**{number(ours)}**", *cells.values(), factor]) + " |"


def caption(results, kind):
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    where = results["device_name"] if kind == "cuda" else f"{results['cpu']}, {results['cores']} cores"
    clock = "on the wall's clock"
    if kind == "cuda":
        clock = "on the device's clock, the workflow with its transfers on the wall's"
    return (f"Milliseconds, medians, {clock}; the last column is the time of the fastest peer that does the same over "
            f"Fovea's. {where}; "
            f"{results['machine']}; {results['date'][:10]}; {results['program']}, {results['compiler']}; {versions}.")


def table(results, kind):
    names, notes = peer_names(results), []
    head = ["work", "size", "Fovea", *names, "faster"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * 2 + "---:|" * (len(names) + 2)]
    lines += [row(line, names, kind, notes) for line in measured(results)]
    footnotes = "; ".join(f"<sup>{i}</sup> {note}" for i, note in enumerate(notes, 1))
    return "\n".join(lines) + "\n\n" + (footnotes + ".\n\n" if notes else "") + caption(results, kind) + "\n"


def tables():
    """{kind of device: its table}"""
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "results", "*.json"))):
        kind = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as file:
            found[kind] = table(json.load(file), kind)
    return found


def filled(text, found):
    """The text with each marked part replaced; a part without results is an error."""
    def fill(match):
        if match[2] not in found:
            sys.exit(f"table.py: there is no results/{match[2]}.json")
        return match[1] + found[match[2]] + match[4]
    return MARKED.sub(fill, text)


def main():
    parser = argparse.ArgumentParser(description="Makes Markdown tables of results/*.json.")
    parser.add_argument("--update", metavar="FILE", help="replace the marked parts")
    parser.add_argument("--check", metavar="FILE", help="fail when the marked parts are not up to date")
    options = parser.parse_args()
    path = options.update or options.check
    if not path:
        print("\n".join(f"{kind}\n\n{text}" for kind, text in tables().items()), end="")
        return
    with open(path, encoding="utf-8") as file:
        before = file.read()
    if not MARKED.search(before):
        sys.exit(f"table.py: {path} has no <!-- bench:... --> part")
    after = filled(before, tables())
    if options.update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(after)
    elif after != before:
        sys.exit(f"table.py: {path} does not say what the results say; run table.py --update {path}")


if __name__ == "__main__":
    main()
