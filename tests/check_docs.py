#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages: links lead somewhere in the tree and in the manual, operations have their headings, and printed commands and steps run.
check_docs.py MANUAL_FOLDER|none SAMPLES_FOLDER FOVEA [--renew]; output is TAP. With --renew it puts what commands print into the pages.

A block ```console has commands after `$ `, continued after `> `, and what they print; a line `...` matches any lines of a command that succeeds. The
commands of a page run in one folder that has copies of the samples.
"""
import concurrent.futures
import configparser
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
MANUAL, BUILT_SAMPLES = sys.argv[1:3]
FOVEA = os.path.abspath(sys.argv[3])
PYTHON = pathlib.Path(FOVEA).parents[1] / "python"
LINK = re.compile(r"\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^```console\n.*?^```", re.M | re.S)
COMMAND = re.compile(r"^(\$ .*\n(?:> .*\n)*)((?:(?!\$ |```).*\n)*)", re.M)  # and its output


def outside(link):
    return re.match(r"https?:", link)


def markdown():
    """The pages of the tree."""
    return [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", SOURCE / "CHANGELOG.md", SOURCE / "plugin/README.md", SOURCE / "data/operations.md", SOURCE / "data/formats.md",
            *sorted((SOURCE / "docs").rglob("*.md"))]


def links(page):
    text = re.sub(r"^```.*?^```|^    .*$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return [link for link in LINK.findall(text) if not outside(link)]


def dead_links():
    for page in markdown():
        for link in links(page):
            if not (page.parent / link.partition("#")[0]).exists():
                yield f"{page.relative_to(SOURCE)}: {link}"


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids, self.headings = [], set(), 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src")]
        self.ids |= {value for name, value in attributes if name == "id"}
        self.headings += tag == "h1"


def manual_pages():
    return {path.resolve(): Page(path) for path in pathlib.Path(MANUAL).rglob("*.html")}


def dead_html(pages):
    titled = {(pathlib.Path(MANUAL) / page.relative_to(SOURCE / "docs")).with_suffix(".html").resolve() for page in (SOURCE / "docs").rglob("*.md")}
    for path in titled - pages.keys():
        yield f"{path} is not there"
    for path, page in pages.items():
        if path in titled and page.headings != 1:
            yield f"{path.name} has {page.headings} titles"
        for link in page.links:
            if link is None or outside(link) or link.startswith("data:"):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name.partition("?")[0]).resolve() if name else path
            if not target.is_file() or anchor and target in pages and anchor not in pages[target].ids:
                yield f"{path.name}: {link}"


def operations():
    return json.loads(subprocess.run([FOVEA, "ops", "--json"], check=True, capture_output=True, text=True).stdout)


def sample(name):
    return next(path for path in (SOURCE / "data/samples" / name, pathlib.Path(BUILT_SAMPLES, name)) if path.exists())


def side_by_side(function, values):
    """Results in order. Programs mostly wait for a core while others use it."""
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(function, values))


def missing_operations(pages):
    """The app opens the page of an operation's menu at the heading of its key."""
    for operation in operations():
        menu = (operation.get("menu") or "no menu").lower().replace("/", "-").replace(" ", "-")
        path = pathlib.Path(MANUAL, "reference/operations", menu + ".html").resolve()
        if path not in pages or operation["key"].replace("_", "-") not in pages[path].ids:
            yield f"{operation['key']} is not in {path.name}"


def wrong_steps():
    """The steps that are printed run on one of the samples."""
    text = "".join((SOURCE / "docs" / page).read_text(encoding="utf-8") for page in ("reference/steps.md", "how-to/objects.md"))
    for steps in re.findall(r"^    (\w+ .*)$", text, re.M):
        said = [subprocess.run([FOVEA, "run", "-q", steps, SOURCE / "data/samples" / sample], capture_output=True, text=True)
                for sample in ("cells_2channel.tif", "stack.tif")]
        if all(run.returncode for run in said):
            yield f"{steps}: {said[0].stderr} {said[1].stderr}"


def wrong_examples():
    """The notes on operations name operations, and their examples run."""
    notes = configparser.ConfigParser(interpolation=None)
    notes.read(SOURCE / "docs/reference/operations/notes.ini", encoding="utf-8")
    known = {operation["key"] for operation in operations()}
    examples = {key: notes[key] for key in notes.sections() if "example" in notes[key]}
    runs = side_by_side(lambda note: subprocess.run([FOVEA, "run", "-q", note["example"], sample(note["sample"])], capture_output=True, text=True), examples.values())
    for key in notes.sections():
        for name in {key, *notes[key]["see"].split()} - known:
            yield f"notes.ini: {key}: {name} is not an operation"
    for (key, note), run in zip(examples.items(), runs):
        if run.returncode or key not in note["example"]:
            yield f"{key}: {note['example']}: {run.stderr}"


def commands(text):
    """(command, lines that it prints) of each command on a page."""
    return [(re.sub(r"^[$>] ", "", command, flags=re.M), output.splitlines()) for block in BLOCK.findall(text) for command, output in COMMAND.findall(block)]


def printed(expected):
    """A pattern for what a page says is printed, by any version."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in expected)
    return re.sub(r"(?<=Fovea\\ )\d+\\\.\d+\\\.\d+", lambda _: r"\d+\.\d+\.\d+", pattern)


def runs_of(page):
    """The runs of all commands of a page, in turn, in one folder."""
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home, "work")
        shutil.copytree(SOURCE / "data/samples", folder, ignore=lambda *_: ["meson.build"])
        shutil.copytree(BUILT_SAMPLES, folder, ignore=lambda _, names: [name for name in names if "." in name and not name.endswith((".tif", ".fits", ".dcm"))], dirs_exist_ok=True)
        environment = {**os.environ, "PATH": f"{pathlib.Path(FOVEA).parent}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": home, "LC_ALL": "C.UTF-8",
                       "PYTHONPATH": str(PYTHON), "PYTHONDONTWRITEBYTECODE": "1"}
        return [subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                for command, _ in commands(page.read_text(encoding="utf-8"))]


def pages_with_commands():
    """Those with Python's only where the package was built."""
    without = None if (PYTHON / "fovea/__init__.py").exists() else "$ python3"
    texts = {page: page.read_text(encoding="utf-8") for page in sorted((SOURCE / "docs").rglob("*.md"))}
    return [page for page, text in texts.items() if "```console" in text and not (without and without in text)]


def wrong_commands():
    pages = pages_with_commands()
    for page, runs in zip(pages, side_by_side(runs_of, pages)):
        for (command, expected), run in zip(commands(page.read_text(encoding="utf-8")), runs):
            if not re.fullmatch(printed(expected), run.stdout) or ("..." in expected and run.returncode):
                yield f"{page.relative_to(SOURCE)}: $ {command}\n{run.stdout}"


def renew():
    """Puts what commands print now into the pages, except where a page has `...`."""
    for page in pages_with_commands():
        text = page.read_text(encoding="utf-8")
        runs = iter(runs_of(page))

        def renewed(match):
            output = next(runs).stdout
            return match[0] if "..." in match[2].splitlines() else match[1] + output
        page.write_text(BLOCK.sub(lambda block: COMMAND.sub(renewed, block[0]), text), encoding="utf-8")


def check(number, name, faults):
    faults = list(faults)
    print(f"{'not ' if faults else ''}ok {number} - {name}")
    for fault in faults:
        print("#", fault.replace("\n", "\n# "))


def main():
    if sys.argv[4:] == ["--renew"]:
        return renew()
    check(1, "what pages link to is there", dead_links())
    if MANUAL == "none":
        for number in (2, 3):
            print(f"ok {number} - the manual # SKIP it is not built: Sphinx, MyST or furo is missing")
    else:
        pages = manual_pages()
        check(2, "what the manual links to is there", dead_html(pages))
        check(3, "each operation has its heading", missing_operations(pages))
    check(4, "the steps that are printed run", wrong_steps())
    check(5, "the examples of operations run", wrong_examples())
    check(6, "the commands that are printed run and print what the pages say", wrong_commands())
    print("1..6")


if __name__ == "__main__":
    main()
