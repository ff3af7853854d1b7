# SPDX-License-Identifier: MIT
"""Drives the window with the mouse and reads what it says of its times (FOVEA_TIMES, ui/widgets/times.h). See interaction.sh."""
import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
import warnings

import numpy as np
import tifffile

warnings.simplefilter("ignore", DeprecationWarning)
from person import Program, box, find, line_of, wait  # noqa: E402
import inputs  # noqa: E402
import large_tiff  # noqa: E402

TIMES, WORK = os.environ["FOVEA_TIMES"], os.environ["FOVEA_WORK"]
STEPS = ("channel index=0 | gaussian sigma=2 | otsu | erosion footprint=disk radius=2 | label | "
         "regionprops properties=label,area,centroid,equivalent_diameter_area,perimeter,solidity")
TWELVE = ("channel index=0 as=raw | gaussian sigma=2 | median radius=1 | otsu | fill_holes | erosion footprint=disk radius=2 | opening radius=1 | "
          "remove_small min_size=20 | split as=cells | clear_border | relabel | regionprops intensity=raw properties=label,area,intensity_mean,solidity")
GOALS = {"start": {"first_frame_ms": 500}, "stall": {"longest_stall_ms": 8}, "latency 2048": {"median_ms": 100},
         "latency 4096": {"median_ms": 16}, "twelve 2048": {"median_ms": 100}, "plane": {"pan_95_percent_ms": 16.7, "zoom_95_percent_ms": 16.7},
         "stack": {"in_open_window_ms": 500},
         "preview 16384": {"95_percent_ms": 50},
         "slide": {"in_open_window_ms": 500, "resident_mib": 512, "pan_95_percent_ms": 16.7, "zoom_95_percent_ms": 16.7}}


# ---- The window's own times ----


def now():
    return time.monotonic_ns() // 1000


class Times:
    """What the program has written. Reads each line once: reading all of them repeatedly would add to the measured time."""

    def __init__(self):
        self.begin()

    def begin(self):
        open(TIMES, "w", encoding="utf-8").close()
        self.offset, self.events = 0, {}

    def read(self):
        with open(TIMES, "rb") as lines:
            lines.seek(self.offset)
            for line in lines:
                words = line.decode().rstrip("\n").split("\t")
                if not line.endswith(b"\n"):
                    break
                self.offset += len(line)
                if len(words) == 4:
                    self.events.setdefault(words[1], []).append((int(words[0]), int(words[2]), words[3]))


times = Times()


def events(name, since=0, until=2**62):
    """(stamp, value, notes) of each."""
    times.read()
    return [event for event in times.events.get(name, []) if since <= event[0] <= until]


def shown_after(stamp, seconds=120):
    """When all that was asked for since then was on the screen, and how long that had taken, both in microseconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        requests = events("request", stamp)
        shown = events("shown", requests[-1][0]) if requests else []
        if shown:
            return shown[-1][:2]
        time.sleep(0.005)
    raise AssertionError("not shown in time")


def milliseconds(values):
    """What lasted how long, in short."""
    ms = np.sort(np.array(values, float)) / 1000
    if not len(ms):
        return {"n": 0}
    return {"n": len(ms), "median_ms": round(float(np.median(ms)), 1),
            "95_percent_ms": round(float(ms[min(len(ms) - 1, int(0.95 * len(ms)))]), 1),
            "longest_ms": round(float(ms[-1]), 1)}


# ---- The program ----


class Fovea(Program):
    def __init__(self, *files, steps=None):
        times.begin()
        self.started = now()
        super().__init__(*files, FOVEA_TIMES=TIMES)
        if files:
            shown_after(self.started)
        if steps:
            self.do("set-steps", f"'{steps}'")
            shown_after(self.started)

    def show_step(self, row):
        """Looks at the step of that row of the list; 0: the opened image."""
        steps = self.find("list", "Steps")
        x, y, width, height = line_of(wait(lambda: steps.get_child_at_index(row), "the step"))
        xdotool("mousemove", x + width // 3, y + height // 2, "click", 1)

    def canvas(self, width=900, height=600):
        """Resizes the window so that the canvas has this size; returns its position."""
        for _ in range(3):
            _, _, was_width, was_height = box(self.find("image", "Image"))
            if (was_width, was_height) == (width, height):
                break
            _, _, all_width, all_height = box(self.window)
            window = subprocess.run(["xdotool", "search", "--pid", str(self.process.pid), "--onlyvisible", "--name", "Fovea"],
                                    check=True, capture_output=True, text=True).stdout.split()[0]
            xdotool("windowsize", window, all_width + width - was_width, all_height + height - was_height)
            time.sleep(0.5)
        return box(self.find("image", "Image"))


def xdotool(*words):
    subprocess.run(["xdotool", *(str(word) for word in words)], check=True)


def image(n):
    path = os.path.join(WORK, f"nuclei-{n}.tif")
    if not os.path.exists(path):
        tifffile.imwrite(path, inputs.nuclei(n))
    return path


# ---- Cases ----


def start():
    """From exec to the end of the window's first frame."""
    took = []
    for _ in range(5):
        program = Fovea()
        took.append(events("paint")[0][0] - program.started)
        program.kill()
    return {"first_frame_ms": milliseconds(took)["median_ms"], "slowest_ms": milliseconds(took)["longest_ms"]}


def look_at_sigma(program):
    program.show_step(2)
    return wait(lambda: find(program.app, "slider", "Sigma"), "the slider")


def drag_sigma(program, seconds):
    """Up and down, 60 moves a second."""
    x, y, width, height = box(look_at_sigma(program))
    time.sleep(1)
    value = program.find("slider", "Sigma").get_value_iface()
    low, high = value.get_minimum_value(), value.get_maximum_value()
    left, right = x + 12, x + width - 12
    at = left + (right - left) * (value.get_current_value() - low) / (high - low)
    since = now()
    words = ["mousemove", int(at), y + height // 2, "mousedown", 1]
    for i in range(int(seconds * 60)):
        words += ["mousemove", int(at + (right - left) * 0.12 * np.sin(i / 15)), y + height // 2, "sleep", 1 / 60]
    xdotool(*words, "mouseup", 1)
    shown_after(since)
    return since


def drag(n, seconds=8):
    program = Fovea(image(n), steps=STEPS)
    program.canvas()
    since = drag_sigma(program, seconds)
    time.sleep(0.5)
    stalls = sorted(events("stall", since), key=lambda event: -event[1])
    frames = milliseconds([e[1] for e in events("paint", since)])
    own = max((int(e[2].split()[0]) for e in stalls), default=0)  # the main thread's own work; the rest is waiting for a core
    result = {"longest_stall_ms": stalls[0][1] / 1000 if stalls else 0, "longest_own_ms": own / 1000, "stalls": milliseconds([e[1] for e in stalls]),
              "worst": [f"{e[1] / 1000:.1f} ms: {e[2]}" for e in stalls[:5]], "frames": frames,
              "requests": len(events("request", since)), "results": len(events("results", since)),
              "pictures": len(events("picture", since)), "rows": events("table", since)[-1][1]}
    program.kill()
    return result


def stall():
    return drag(4096)


def latency(n, steps=STEPS):
    """The slider is set, and the next time only when all is shown: at once, as when it is dragged, and after a pause."""
    program = Fovea(image(n), steps=steps)
    program.canvas()
    value = look_at_sigma(program).get_value_iface()

    def change(pause, times):
        took, parts = [], {"results": [], "picture": [], "table": []}
        for i in range(times):
            time.sleep(pause)
            since = now()
            value.set_current_value(np.log(2.1 + 0.1 * (i % 8)))
            took.append(shown_after(since)[1])
            request = events("request", since)[-1][0]
            for name, stamps in parts.items():
                stamps += [event[0] - request for event in events(name, request)[-1:]]
        return {**milliseconds(took[4:]), "ready_after": {name: milliseconds(stamps[4:]) for name, stamps in parts.items()}}

    result = {**change(0, 64), "after_a_pause": change(0.3, 24)}
    program.kill()
    return {"rows": events("table")[-1][1], **result}


def seen_after(stamp):
    """When the first picture since then was on the screen; None: not yet."""
    drawn = [event[0] for name in ("preview", "picture") for event in events(name, stamp)]
    return next((event[0] for event in events("paint", min(drawn))), None) if drawn else None


def preview(side):
    """The slider is set ten times a second: how long until what is seen of the result is drawn, be it a preview, with all of the image
    in the window and at 100 %."""
    path = os.path.join(WORK, "preview.tif")
    part = inputs.nuclei(2048)
    tifffile.imwrite(path, np.tile(part, (side // 2048, side // 2048)))
    try:
        program = Fovea(path, steps=STEPS)
        program.canvas()
        value = look_at_sigma(program).get_value_iface()

        def change():
            took = []
            for i in range(24):
                since = now()
                value.set_current_value(np.log(2.1 + 0.2 * (i % 12)))
                time.sleep(0.1)
                request = events("request", since)[-1][0]
                took.append(wait(lambda: seen_after(request), "a picture") - request)
            return milliseconds(took)

        time.sleep(2)
        result = {"fit": change()}
        program.do("zoom-100")
        time.sleep(1)
        result["100_percent"] = change()
        program.kill()
        return {"95_percent_ms": max(r["95_percent_ms"] for r in result.values()),
                "median_ms": max(r["median_ms"] for r in result.values()), **result}
    finally:
        os.remove(path)


def large_plane(folder):
    """Nuclei, repeated: the side and the path."""
    free = int(next(line for line in open("/proc/meminfo", encoding="ascii") if "MemAvailable" in line).split()[1]) >> 20
    side = 30000 if free >= 12 else 20000
    path = os.path.join(folder, "plane.tif")
    plane = tifffile.memmap(path, shape=(side, side), dtype=np.uint16, photometric="minisblack", bigtiff=False)
    part = inputs.nuclei(2000)
    for y in range(0, side, 2000):
        plane[y:y + 2000] = np.tile(part, (1, side // 2000))
    plane.flush()
    return side, path


def moving(since):
    """Frames, how long after the last one each came, and how old its picture was."""
    frames = events("paint", since)
    pictures = events("picture", since)
    spans = [b[0] - a[0] for a, b in zip(frames, frames[1:]) if b[0] - a[0] < 100000]
    return {"frame": milliseconds([e[1] for e in frames]), "between_frames": milliseconds(spans),
            "picture_after": milliseconds([e[1] for e in pictures]),
            "stalls": milliseconds([e[1] for e in events("stall", since)])}


def plane():
    folder = os.path.join(WORK, "large")
    os.mkdir(folder)
    try:
        side, path = large_plane(folder)
        opened = now()
        program = Fovea(path)
        first = shown_after(opened)[0] - opened
        x, y, width, height = program.canvas()
        shown_after(opened)
        middle = x + width // 2, y + height // 2
        result = {"side": side, "canvas": [width, height], "open_ms": round(first / 1000)}
        program.do("zoom-100")
        time.sleep(2)
        for name, zooms in (("pan_100_percent", 0), ("pan_35_percent", 3)):
            xdotool("mousemove", *middle, *["click", 5] * zooms)
            time.sleep(3)
            since = now()
            words = ["mousemove", *middle, "mousedown", 2]
            for i in range(240):
                words += ["mousemove", int(middle[0] + 350 * np.sin(i / 20)), int(middle[1] + 200 * np.sin(i / 31)),
                          "sleep", 1 / 60]
            xdotool(*words, "mouseup", 2)
            time.sleep(0.3)
            result[name] = moving(since)
        for name, button in (("zoom_in", 4), ("zoom_out", 5), ("zoom_in_again", 4)):
            since = now()
            for i in range(4 if button == 4 else 12):
                xdotool("mousemove", *middle, "click", button, "sleep", 0.08)
            time.sleep(1)
            result[name] = moving(since)
        result["pan_95_percent_ms"] = max(result[name]["frame"]["95_percent_ms"] for name in result if name.startswith("pan"))
        result["zoom_95_percent_ms"] = max(result[name]["frame"]["95_percent_ms"] for name in result if name.startswith("zoom"))
        program.kill()
        return result
    finally:
        shutil.rmtree(folder)


def stack():
    """1 GiB: 512 slices of 1024 x 1024; opened in a window that is there, and with the program."""
    path = os.path.join(WORK, "stack.tif")
    part = inputs.nuclei(1024)
    try:
        with tifffile.TiffWriter(path, bigtiff=True) as writer:
            for i in range(512):
                writer.write(np.roll(part, i, 1), contiguous=i > 0, metadata=None)
        program = Fovea()
        time.sleep(1)
        since = now()
        subprocess.run([os.environ["FOVEA_PROGRAM"], path], check=True, env=os.environ | {"FOVEA_TIMES": ""})  # hands it over
        opened = shown_after(since)[0] - since
        stalls = milliseconds([e[1] for e in events("stall", since)])
        program.kill()
        time.sleep(0.5)
        since = now()
        program = Fovea(path)
        result = {"in_open_window_ms": opened / 1000, "with_program_ms": (shown_after(since)[0] - since) / 1000,
                  "stalls": stalls}
        program.kill()
        return result
    finally:
        os.remove(path)


def resident(program):
    """MiB in memory."""
    with open(f"/proc/{program.process.pid}/status", encoding="ascii") as lines:
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def slide():
    """65536 x 65536 of 16 bits, 8 GiB, tiles with a pyramid: opened in a window that is there, zoomed into, moved, and what that takes."""
    path = os.path.join(WORK, "slide.tif")
    large_tiff.write(path, 65536, np.uint16)
    program = Fovea()
    time.sleep(1)
    before, since = resident(program), now()
    subprocess.run([os.environ["FOVEA_PROGRAM"], path], check=True, env=os.environ | {"FOVEA_TIMES": ""})  # hands it over
    result = {"in_open_window_ms": (shown_after(since)[0] - since) / 1000, "stalls": milliseconds([e[1] for e in events("stall", since)]),
              "before_mib": round(before), "opened_mib": round(resident(program))}
    x, y, width, height = program.canvas()
    middle = x + width // 2, y + height // 2
    since = now()
    for _ in range(14):
        xdotool("mousemove", *middle, "click", 4, "sleep", 0.08)
    time.sleep(1)
    result["zoom_in"] = moving(since)
    since = now()
    words = ["mousemove", *middle, "mousedown", 2]
    for i in range(240):
        words += ["mousemove", int(middle[0] + 350 * np.sin(i / 20)), int(middle[1] + 200 * np.sin(i / 31)), "sleep", 1 / 60]
    xdotool(*words, "mouseup", 2)
    time.sleep(0.3)
    result["pan"] = moving(since)
    result |= {"resident_mib": round(resident(program)), "pan_95_percent_ms": result["pan"]["frame"]["95_percent_ms"],
               "zoom_95_percent_ms": result["zoom_in"]["frame"]["95_percent_ms"]}
    program.kill()
    os.remove(path)
    return result


def check():
    """A small image and a wide limit, for the tests: the main loop waits for nothing. What other programs do to it, they do not do
    three times."""
    for _ in range(3):
        result = drag(1024, 2)
        print("#", json.dumps(result))
        good = result["longest_stall_ms"] < 150 and result["results"] > 2 and result["pictures"] > 2
        if good:
            break
    print(f"1..1\n{'ok' if good else 'not ok'} 1 - the main loop continues while sigma is dragged")
    return None if good else sys.exit(1)


CASES = {"start": start, "stall": stall, "latency 2048": lambda: latency(2048), "latency 4096": lambda: latency(4096),
         "twelve 2048": lambda: latency(2048, TWELVE),
         "preview 16384": lambda: preview(16384), "plane": plane, "stack": stack, "slide": slide}


def where():
    """What was measured, when, and on what: the device that `auto` takes."""
    devices = json.loads(subprocess.run([os.environ["FOVEA_COMMAND"], "devices", "--json"], check=True, capture_output=True,
                                        text=True).stdout)
    device = [d for d in devices if "fault" not in d][-1]
    cpu = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name"))
    program = subprocess.run([os.environ["FOVEA_COMMAND"], "--version"], check=True, capture_output=True, text=True).stdout
    return {"date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "program": program.splitlines()[0],
            "machine": f"{platform.system()} {platform.release()}, {platform.machine()}", "cpu": cpu, "cores": os.cpu_count(),
            "device": device["key"], "device_name": device["name"], "renderer": os.environ["GSK_RENDERER"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", metavar="FILE", help="write the times as JSON")
    parser.add_argument("cases", nargs="*", help=f"of {', '.join(map(repr, CASES))}; or check")
    options = parser.parse_args()
    if options.cases == ["check"]:
        check()
        return
    results = where()
    for name in options.cases or CASES:
        results[name] = CASES[name]()
        for key, goal in GOALS[name].items():
            if name == "latency 4096" and not results["device"].startswith("cuda"):
                continue  # a goal for GPUs
            value = results[name][key]
            print(f"{name:12} {key:22} {value:8.1f}   goal {goal:g}   {'reached' if value <= goal else 'MISSED'}", flush=True)
        print(json.dumps(results[name]), flush=True)
    if options.o:
        with open(options.o, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


main()
