#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes HTML of Markdown pages that link to each other: make_pages.py CMARK SOURCE_ROOT OUTPUT_FOLDER NAME=PAGE.md ..."""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ max-width: 60em; margin: 0 auto; padding: 1em; font: 16px/1.5 sans-serif; color: #222; background: #fff }}
nav a {{ margin-right: 1em }}
pre, code {{ font: 14px/1.4 monospace; background: #f4f4f4 }}
pre {{ padding: .6em; overflow-x: auto }}
table {{ border-collapse: collapse; display: block; overflow-x: auto }}
th, td {{ border: 1px solid #ccc; padding: .2em .6em; vertical-align: top }}
img {{ max-width: 100% }}
</style>
</head>
<body>
<nav>{nav}</nav>
{body}</body>
</html>
"""


def title_of(path):
    return re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.M)[1]


def with_ids(body):
    """Headings get ids to link to: their text in lower case, with dashes for blanks and without punctuation."""
    def heading(match):
        text = html.unescape(re.sub(r"<[^>]*>", "", match[2])).lower()
        return f'<{match[1]} id="{re.sub(" ", "-", re.sub(r"[^a-z0-9_ -]", "", text))}">{match[2]}</{match[1]}>'

    return re.sub(r"<(h[1-6])>(.*?)</\1>", heading, body)


def main():
    cmark, root, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    pages = {page: name + ".html" for name, page in (word.split("=") for word in sys.argv[4:])}
    nav = " ".join(f'<a href="{target}">{html.escape(title_of(root / page))}</a>' for page, target in pages.items())
    for page, target in pages.items():
        def moved(match):
            """A link to where things are in the tree becomes one to where they are beside this page, or the bare text."""
            kind, link = match[1], match[2]
            if re.match(r"[a-z]+:|#", link):
                return match[0]
            name, hash_, anchor = link.partition("#")
            name = os.path.normpath(os.path.join(os.path.dirname(page), name))
            if name in pages:
                return f'{kind}="{pages[name]}{hash_}{anchor}"'
            if kind == "src":
                shutil.copyfile(root / name, out / os.path.basename(name))
                return f'src="{os.path.basename(name)}"'
            return ""

        body = subprocess.run([cmark, "--unsafe", "--extension", "table", root / page], check=True, capture_output=True).stdout.decode()
        body = re.sub(r'(href|src)="([^"]*)"', moved, body)
        (out / target).write_text(FRAME.format(title=html.escape(title_of(root / page)), nav=nav, body=with_ids(body)), encoding="utf-8")


if __name__ == "__main__":
    main()
