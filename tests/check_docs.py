#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages: what they link to is there, in the tree and as HTML, and all can be reached from README.
check_docs.py HTML_FOLDER|none FOVEA; output is TAP."""
import html.parser
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
LINK = re.compile(r"\]\(([^)\s]+)\)")


def outside(link):
    return re.match(r"https?:", link)


def markdown():
    """The pages of the tree."""
    return [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", SOURCE / "CHANGELOG.md", SOURCE / "plugin/README.md", SOURCE / "data/operations.md", SOURCE / "data/formats.md",
            *sorted((SOURCE / "docs").glob("*.md"))]


def links(page):
    text = re.sub(r"^    .*$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M)
    return [link for link in LINK.findall(text) if not outside(link)]


def dead_links():
    for page in markdown():
        for link in links(page):
            if not (page.parent / link.partition("#")[0]).exists():
                yield f"{page.relative_to(SOURCE)}: {link}"


def unreachable():
    seen, front = set(), [SOURCE / "README.md"]
    while front:
        page = front.pop().resolve()
        if page not in seen and page.suffix == ".md" and page.exists():
            seen.add(page)
            front += [page.parent / link.partition("#")[0] for link in links(page)]
    return [str(page.relative_to(SOURCE)) for page in markdown() if page.resolve() not in seen]


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids, self.headings = [], set(), 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src")]
        self.ids |= {value for name, value in attributes if name == "id"}
        self.headings += tag == "h1"


def dead_html(folder):
    pages = sorted(folder.glob("*.html"))
    if len(pages) < len(markdown()):
        yield f"{len(pages)} pages are made of {len(markdown())}"
    for path in pages:
        page = Page(path)
        if page.headings != 1:
            yield f"{path.name} has {page.headings} titles"
        for link in page.links:
            if link is not None and outside(link):
                continue
            name, _, anchor = (link or "?").partition("#")
            target = folder / (name or path.name)
            if not target.is_file() or anchor and anchor not in Page(target).ids:
                yield f"{path.name}: {link}"


def wrong_steps():
    """The steps that are printed run on one of the samples."""
    text = "".join((SOURCE / "docs" / page).read_text(encoding="utf-8") for page in ("steps.md", "objects.md"))
    for steps in re.findall(r"^    (\w+ .*)$", text, re.M):
        said = [subprocess.run([sys.argv[2], "run", "-q", steps, SOURCE / "data/samples" / sample], capture_output=True, text=True)
                for sample in ("cells_2channel.tif", "stack.tif")]
        if all(run.returncode for run in said):
            yield f"{steps}: {said[0].stderr} {said[1].stderr}"


def check(number, name, faults):
    faults = list(faults)
    print(f"{'not ' if faults else ''}ok {number} - {name}")
    for fault in faults:
        print("#", fault)


def main():
    check(1, "what pages link to is there", dead_links())
    check(2, "all pages can be reached from README", unreachable())
    if sys.argv[1] == "none":
        print("ok 3 - what pages link to is there as HTML # SKIP cmark-gfm is not installed")
    else:
        check(3, "what pages link to is there as HTML", dead_html(pathlib.Path(sys.argv[1])))
    check(4, "the steps that are printed run", wrong_steps())
    print("1..4")


if __name__ == "__main__":
    main()
