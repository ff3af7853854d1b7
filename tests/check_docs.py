#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages: links lead somewhere in the tree and in the manual, operations have their headings, and printed commands and steps run.
check_docs.py MANUAL_FOLDER|none SAMPLES_FOLDER FOVEA; output is TAP.

A block ```console has commands after `$ ` and what they print; a line `...` matches any lines. The commands of a page run in one folder that has
copies of the samples.
"""
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
LINK = re.compile(r"\]\(([^)\s]+)\)")


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


def missing_operations(pages):
    """The app opens the page of an operation's menu at the heading of its key."""
    for operation in json.loads(subprocess.run([FOVEA, "ops", "--json"], check=True, capture_output=True, text=True).stdout):
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


def printed(expected):
    """A pattern for what a page says is printed."""
    return "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in expected)


def commands(page):
    """Yields (command, lines that it prints)."""
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *expected = re.sub(r"\\\n *", "", part).splitlines()
            yield command, expected


def wrong_commands():
    """All commands of a page in turn, in one folder."""
    for page in [page for folder in ("start", "how-to") for page in sorted((SOURCE / "docs" / folder).glob("*.md"))]:
        with tempfile.TemporaryDirectory() as home:
            folder = pathlib.Path(home, "work")
            shutil.copytree(SOURCE / "data/samples", folder)
            for sample in ("wound.tif", "sky.fits"):
                shutil.copy(pathlib.Path(BUILT_SAMPLES, sample), folder)
            environment = {**os.environ, "PATH": f"{pathlib.Path(FOVEA).parent}:{os.environ['PATH']}", "HOME": home, "LC_ALL": "C.UTF-8",
                           "PYTHONPATH": str(pathlib.Path(FOVEA).parents[1] / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
            for command, expected in commands(page):
                run = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if not re.fullmatch(printed(expected), run.stdout):
                    yield f"{page.relative_to(SOURCE)}: $ {command}\n{run.stdout}"


def check(number, name, faults):
    faults = list(faults)
    print(f"{'not ' if faults else ''}ok {number} - {name}")
    for fault in faults:
        print("#", fault.replace("\n", "\n# "))


def main():
    check(1, "what pages link to is there", dead_links())
    if MANUAL == "none":
        for number in (2, 3):
            print(f"ok {number} - the manual # SKIP it is not built: Sphinx, MyST or furo is missing")
    else:
        pages = manual_pages()
        check(2, "what the manual links to is there", dead_html(pages))
        check(3, "each operation has its heading", missing_operations(pages))
    check(4, "the steps that are printed run", wrong_steps())
    check(5, "the commands that are printed run and print what the pages say", wrong_commands())
    print("1..5")


if __name__ == "__main__":
    main()
