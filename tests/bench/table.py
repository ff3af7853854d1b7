#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes Markdown tables of results/*.json.

    table.py                    prints them
    table.py --update FILE      replaces the table between <!-- bench:NAME --> and <!-- /bench --> by that of NAME.json
                                (window: of all results/window/*.json; load: of load.py; summary: six lines of cpu.json beside the fastest peer)
    table.py --check FILE       fails when a table differs from the results
"""
import argparse
import glob
import json
import os
import re
import sys

STARTUP = {"process_ms": "for the process", "driver_ms": "for the driver", "context_ms": "for the context",
           "read_ms": "to read it", "upload_ms": "to upload it", "first_run_ms": "to load and run the kernels"}
# What the window's benchmark finds: the case, its keys, what it is, and the goal on a CPU and on a GPU.
WINDOW = [("start", ("first_frame_ms",), "from start to the first frame", 500, 500),
          ("latency 2048", ("median_ms",), "from a slider's move to picture and table, 2048²", 100, 100),
          ("latency 4096", ("median_ms",), "the same, 4096²", None, 16),
          ("twelve 2048", ("median_ms",), "the same with twelve steps, split among them, 2048²", 100, 100),
          ("preview 16384", ("95_percent_ms",), "from a slider's move to the visible part of its result, 16384², 95 %", 50, 50),
          ("stall", ("longest_stall_ms",), "longest stall of the main loop in 8 s of dragging, 4096²", 8, 8),
          ("stall", ("longest_own_ms",), "the longest that it worked itself in one, and did not wait for a core", None, None),
          ("plane", ("pan_95_percent_ms", "zoom_95_percent_ms"), "a frame while panning and zooming a plane of 30000² u16, 95 %",
           16.7, 16.7),
          ("stack", ("in_open_window_ms",), "first plane of a stack of 1 GiB", 500, 500),
          ("slide", ("in_open_window_ms",), "a plane of 65536² u16, 8 GiB, with a pyramid in its file", 500, 500),
          ("slide", ("pan_95_percent_ms", "zoom_95_percent_ms"), "a frame while panning and zooming it, 95 %", 16.7, 16.7)]
# Lines of the README: the work, and in words. All are 2048².
SUMMARY = {"gaussian sigma=5 u16": "Gaussian, sigma 5, 16 bits", "median 5x5 u16": "median 5 × 5, 16 bits",
           "zoom order 3 x2": "zoom × 2 by cubic splines", "watershed": "watershed",
           "regionprops 12 basic": "12 properties of each object", "workflow": "six steps, from blur to table and colored objects"}
HERE = os.path.dirname(os.path.abspath(__file__))
MARKED = re.compile(r"(<!-- bench:([\w-]+) -->\n)(.*?)(<!-- /bench -->)", re.S)


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
    share = [f"{100 * line['share']:.0f} %"] if "share" in line else []
    return "| " + " | ".join([line["work"], size(line["size"]), f"**{number(ours)}**", *share, *cells.values(),
                              factor]) + " |"


def caption(results, kind):
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    where = results["device_name"] if kind == "cuda" else f"{results['cpu']}, {results['cores']} cores"
    clock, share = "on the wall's clock", ""
    if kind == "cuda":
        clock = "on the device's clock, the workflow with its transfers on the wall's"
    if "gigabytes_per_second" in results:
        share = (f" Bandwidth: what the steps must read and write, over their time on the device, of the "
                 f"{results['gigabytes_per_second']['copy']:.0f} GB/s that a copy reaches.")
    return (f"Milliseconds, medians, {clock}; the last column is the time of the fastest peer that does the same over "
            f"Fovea's.{share} {where}; "
            f"{results['machine']}; {results['date'][:10]}; {results['program']}, {results['compiler']}; {versions}.")


def summary(results):
    """A few lines, each beside the fastest peer that does the same."""
    lines = ["| milliseconds, 2048² pixels | Fovea | fastest peer | |", "|---|---:|---:|---|"]
    for work, words in SUMMARY.items():
        line = next(line for line in measured(results) if (line["work"], line["size"]) == (work, "2048"))
        peer = min((p for p in line["peers"] if "failed" not in p and "unlike" not in p), key=lambda p: milliseconds(p, line, "cpu"))
        version = results["versions"][peer["name"]].split(",")[0]
        lines.append(f"| {words} | {number(milliseconds(line, line, 'cpu'))} | {number(milliseconds(peer, line, 'cpu'))} | {peer['name']} {version} |")
    return "\n".join(lines) + f"\n\n{results['cpu']}, {results['cores']} cores, {results['date'][:10]}.\n"


def missed(results, kind):
    """A sentence about the goals; nothing when there are none."""
    aimed = [line for line in measured(results) if "goal" in line]
    late = [f"{line['work']} {size(line['size'])} {number(milliseconds(line, line, kind))} ({line['goal']['ms']:.3g})"
            for line in aimed if not line["goal"]["met"]]
    if not aimed:
        return ""
    return (f"{len(late)} of {len(aimed)} lines with a goal miss it: {', '.join(late)}." if late
            else f"All {len(aimed)} lines with a goal meet it.") + "\n\n"


def startup(results):
    """A sentence about the median of the runs."""
    runs = sorted(results.get("startup", []), key=lambda run: run["total_ms"])
    if not runs:
        return ""
    run = runs[len(runs) // 2]
    parts = ", ".join(f"{run[key]:.0f} {what}" for key, what in STARTUP.items() if run[key] >= 0.5)
    return (f"A fresh process has the first result on a 640² image ({run['steps'].count('|') + 1} steps) after "
            f"{run['total_ms']:.0f} ms: {parts}; the same once more takes {number(run['second_run_ms'])} ms.\n\n")


def table(results, kind):
    names, notes = peer_names(results), []
    head = ["work", "size", "Fovea", *(["bandwidth"] if "gigabytes_per_second" in results else []), *names, "faster"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * 2 + "---:|" * (len(head) - 2)]
    lines += [row(line, names, kind, notes) for line in measured(results)]
    footnotes = "; ".join(f"<sup>{i}</sup> {note}" for i, note in enumerate(notes, 1))
    return "\n".join(lines) + "\n\n" + (footnotes + ".\n\n" if notes else "") + missed(results, kind) + startup(
        results) + caption(results, kind) + "\n"


def window_table(found):
    """found: results of interaction.py."""
    lines = ["| milliseconds | " + " | ".join("on the GPU" if r["device"] != "cpu" else "on the CPU" for r in found) + " | goal |",
             "|---|" + "---:|" * (len(found) + 1)]
    for case, keys, what, *goals in WINDOW:
        if not any(case in r for r in found):
            continue  # not measured yet
        worst = [max(r[case][key] for key in keys) if case in r else None for r in found]
        cells = ["" if ms is None else f"{ms:.{int(ms < 100)}f}" for ms in worst]
        goal = str(goals[0] or "") if goals[0] == goals[1] else f"{goals[1]} on a GPU"
        lines.append(f"| {what} | " + " | ".join(cells) + f" | {goal} |")
    where = [(f"{r['device_name']} with {r['cpu']}" if r["device"] != "cpu" else r["cpu"]) + f", {r['cores']} cores, {r['date'][:10]}"
             for r in found]
    return "\n".join(lines) + f"\n\n{'; '.join(where)}; drawn by GTK's Cairo renderer on a display without a graphics card.\n"


def load_table(results):
    """Results of load.py."""
    lines = ["| milliseconds | alone | beside other work | times | with threads that sleep |", "|---|---:|---:|---:|---:|"]
    for name, found in results["cases"].items():
        loaded = found["loaded"]
        lines.append(f"| {name} | {number(found['quiet']['default'])} | {number(loaded['default'])} | {found['loaded_by_quiet']:.1f} | "
                     f"{number(loaded['passive'])} |")
    return "\n".join(lines) + (f"\n\nThe least of {results['rounds']} rounds; the other work is {results['loops']} busy loops on {results['cores']} cores, which leave a "
                               f"program a quarter of each; the last column is with OMP_WAIT_POLICY=passive. {results['cpu']}; {results['machine']}; "
                               f"{results['date'][:10]}.\n")


def read(*names):
    with open(os.path.join(HERE, "results", *names), encoding="utf-8") as file:
        return json.load(file)


def tables():
    """{name of the file of results: its table}"""
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "results", "*.json"))):
        results = read(path)
        if "loops" in results:
            found["load"] = load_table(results)
            continue
        found[os.path.splitext(os.path.basename(path))[0]] = table(results, results["device"].split(":")[0])
    windows = sorted(glob.glob(os.path.join(HERE, "results", "window", "*.json")))
    return found | {"summary": summary(read("cpu.json")), "window": window_table([read(path) for path in windows])}


def filled(text, found):
    """The text with each marked part replaced; a part without results is an error."""
    def fill(match):
        if match[2] not in found:
            sys.exit(f"table.py: results/{match[2]}.json is missing")
        return match[1] + found[match[2]] + match[4]
    return MARKED.sub(fill, text)


def main():
    parser = argparse.ArgumentParser(description="Makes Markdown tables of results/*.json.")
    parser.add_argument("--update", metavar="FILE", help="replace the marked parts")
    parser.add_argument("--check", metavar="FILE", help="fail when the marked parts are not up to date")
    options = parser.parse_args()
    path = options.update or options.check
    if not path:
        print("\n".join(f"{name}\n\n{text}" for name, text in tables().items()), end="")
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
