# SPDX-License-Identifier: MIT
"""The app in other languages. One with brackets around each text shows what is not translated, one that is read from the right mirrors the window,
and German shows German and writes the same files."""
import os
import re
import subprocess

import numpy as np

from person import NUCLEI, SOURCE, WORK, Program, below, box, name_file, name_of, picture, press, ready, role_of, run_command, wait, windows

GERMANY = "de_DE.utf8" in subprocess.run(["locale", "-a"], capture_output=True, text=True, check=True).stdout.split()
STEPS = "channel index=1 | gaussian | otsu | label | regionprops"
LANGUAGES = os.path.join(os.path.dirname(os.path.dirname(os.environ["FOVEA_PROGRAM"])), "po")
ENTRY = re.compile(r'^msgid "(.+)"\n(?:msgid_plural "(.+)"\n)?(?:msgstr.*\n?)+', re.M)
MACROS = "|".join(name[:-4].replace("_", " ") for name in os.listdir(os.path.join(SOURCE, "data/macros")))
# Folders of this machine, which may have any names.
FOLDERS = "|".join(re.escape(folder) for folder in (SOURCE, os.path.dirname(LANGUAGES), WORK))
# What is the same in every language: numbers and their units, names of files, macros, devices and look-up tables, steps as text, what GTK says
# itself, and what it calls widgets that have no names.
SAME = re.compile(rf"([\W\d_]|({FOLDERS})(?=/|$)|\b(ms|px|MiB|[\w/]+\.[a-z]+|Fovea|{MACROS}|auto|cpu|default|{re.escape(STEPS)}|Gtk\w+|None|Page \d+|Tab|Tab list|Next tab|Previous tab)\b)*")


def make_language(name, direction="LTR"):
    """Of all the texts that German has, in brackets."""
    with open(os.path.join(SOURCE, "po/de.po"), encoding="utf-8") as file:
        entries = [(one, many) for one, many in ENTRY.findall(file.read()) if not one.startswith("default:")]
    lines = ['msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=n != 1;\\n"\n',
             f'msgid "default:LTR"\nmsgstr "default:{direction}"\n']
    for one, many in entries:
        lines.append("#, c-format" if "%" in one else "")
        lines.append(f'msgid "{one}"\nmsgid_plural "{many}"\nmsgstr[0] "⟦{one}⟧"\nmsgstr[1] "⟦{many}⟧"\n' if many else f'msgid "{one}"\nmsgstr "⟦{one}⟧"\n')
    folder = os.path.join(LANGUAGES, name, "LC_MESSAGES")
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["msgfmt", "-o", os.path.join(folder, "fovea.mo"), "-"], input="\n".join(lines).encode(), check=True)


def start(language, image):
    """With a home of its own, in which there are no names of files that other tests opened. In the locale C.UTF-8 later versions of glibc translate
    nothing."""
    home = {f"XDG_{kind}_HOME": os.path.join(WORK, "languages", kind) for kind in ("CONFIG", "DATA", "STATE")}
    country = {"LC_ALL": "de_DE.UTF-8"} if GERMANY else {}
    program = Program("--no-plugins", LANGUAGE=language, **home, **country)
    program.do("open-sample", "'nuclei_rgb.tif'", where="")
    program.find("image", image)
    return program


def outside(text):
    """What of it is in no brackets."""
    rest = re.sub("⟦[^⟦⟧]*⟧", "", text)
    return rest if rest == text else outside(rest)


def unmarked(root):
    """Names and descriptions of which something is in no brackets; not of rows, which GTK 4.18 names by all that is in them."""
    for node in below(root):
        for text in (name_of(node), node.get_description() or ""):
            if role_of(node) != "table row" and not SAME.fullmatch(outside(text)):
                yield f"{role_of(node)}: {text}"


def every_text_is_translated(program):
    program.end()
    make_language("qps")
    program = start("qps", "⟦Image⟧")
    program.do("set-steps", f"'{STEPS}'")
    program.find("label", part="⟦rows⟧")
    wrong = set()
    for action in ("find-command", "properties", "set-scale", "record", "batch", "export-figure", "compare-devices"):
        known = windows(program)
        program.do(action)
        window = wait(lambda: next((w for w in windows(program) if w not in known), None), action)
        wrong |= {f"{action}, {text}" for text in unmarked(window)}
    program.do("display")
    program.do("selections")
    wrong |= set(unmarked(program.window))
    assert not wrong, "\n".join(sorted(wrong))
    program.end("⟦Discard⟧")
    return Program(NUCLEI)


def middle(program, image):
    """Rows and columns 200 to 400 of the image at 100 %, as they stand on the screen."""
    program.do("zoom-100")
    position = wait(lambda: re.search(r"100 % at (\S+), ([\d.-]+)", program.find("image", image).get_description()), "100 %")
    ready(program)
    x, y = (round(200 - float(at)) for at in position.groups())
    return picture(program, image)[y:y + 200, x:x + 200, 1].ravel()


def read_from_the_right(program):
    """All but the image, and what stands under a histogram, is on the other side."""
    program.do("display")
    left = middle(program, "Image")
    assert box(program.find("page tab", "Display"))[0] > box(program.find("image", "Image"))[0]
    program.end()
    make_language("qpr", "RTL")
    program = start("qpr", "⟦Image⟧")
    program.do("display")
    right = middle(program, "⟦Image⟧")
    tabs, tools, image, low, high = (box(program.find(role, f"⟦{name}⟧"))[0] for role, name in (
        ("page tab", "Display"), ("push button", "rectangle"), ("image", "Image"), ("spin button", "Shown darkest"), ("spin button", "Shown brightest")))
    assert tabs < image < tools and low < high, (tabs, image, tools, low, high)
    assert np.corrcoef(left, right)[0, 1] > 0.98, "the image is not as it was"
    program.end()
    return Program(NUCLEI)


def german(program):
    """The app shows German, and writes the table as the command does, regardless of the locale's decimal sign."""
    program.end()
    program = start("de", "Bild")
    program.do("set-steps", f"'{STEPS}'")
    program.find("label", part="Ergebnisse: ")
    program.find("list item", part="Gauß-Weichzeichner")
    table, theirs = os.path.join(WORK, "german.csv"), os.path.join(WORK, "theirs.csv")
    press(program.find("push button", "CSV exportieren…"))
    name_file(program, "Ergebnisse exportieren von nuclei_rgb.tif", table)
    wait(lambda: os.path.exists(table), "the table")
    run_command("run", STEPS, NUCLEI, "-t", theirs)
    with open(table, "rb") as ours, open(theirs, "rb") as expected:
        wrote = ours.read()
        assert wrote == expected.read() and b"." in wrote, wrote[:200]
    program.end()
    return Program(NUCLEI)


TESTS = [every_text_is_translated, read_from_the_right, german]
