# SPDX-License-Identifier: MIT
"""What pages of the manual take from the rest of the tree, as an extension of Sphinx.

`<!-- text of PATH -->` becomes the text of a Markdown file without its title; PATH is relative to the page. `<!-- operations of MENU -->`
becomes the reference of the operations in that menu, with what FOVEA_EXAMPLES has of their examples. Links work in the tree and in the manual: a
link to a file that has a page becomes one to the page, and a link to a file that has none becomes plain text.
"""
import os
import pathlib
import re

from operation_examples import NOTES, file_name, notes, without_last_step

DOCS = pathlib.Path(__file__).resolve().parent
TREE = DOCS.parent
OPERATIONS = TREE / "data/operations.md"
EXAMPLES = pathlib.Path(os.environ["FOVEA_EXAMPLES"]) if "FOVEA_EXAMPLES" in os.environ else None
TEXT_OF = re.compile(r"<!-- text of (\S+) -->")
OPERATIONS_OF = re.compile(r"<!-- operations of (.+) -->")
LINK = re.compile(r"(!?)\[([^]\[]*(?:\[[^]]*\][^]\[]*)*)\]\(([^)\s]+)\)")


def menu_page(menu):
    """The name of the page of a menu: ui/app/manual.c has the same rule."""
    return "reference/operations/" + menu.lower().replace("/", "-").replace(" ", "-")


def operations():
    """Yields (key, menu, text) of each operation, from the page that `fovea ops --markdown` makes."""
    for section in OPERATIONS.read_text(encoding="utf-8").split("\n## ")[1:]:
        key, _, text = section.partition("\n")
        menu = re.search(r" Menu: (.+?) ▸ ", text)
        yield key, menu[1] if menu else "no menu", text.strip()


def operations_preface():
    return OPERATIONS.read_text(encoding="utf-8").split("\n## ")[0]


def pages_of_files():
    """The page of each file whose text a page takes."""
    return {(page.parent / path).resolve(): page
            for page in DOCS.rglob("*.md") for path in TEXT_OF.findall(page.read_text(encoding="utf-8"))}


def page_of(target, anchor, pages):
    """The page in DOCS for a file of the tree and an anchor in it, or None."""
    if target == OPERATIONS:
        menus = {key: menu for key, menu, _ in operations()}
        return DOCS / (menu_page(menus[anchor]) + ".md") if anchor else DOCS / "reference/operations/index.md"
    if target == TREE / "README.md":
        return DOCS / "index.md"
    return pages.get(target)


def with_links(text, origin, page, pages):
    """The text of the file `origin` with links for `page`, a file of DOCS."""
    def mended(match):
        image, label, link = match.groups()
        name, _, anchor = link.partition("#")
        target = (origin.parent / name).resolve() if name else origin
        if re.match(r"[a-z]+:", link) or (origin == page and (DOCS in target.parents or image)):
            return match[0]
        if not image and DOCS not in target.parents:
            target = page_of(target, anchor, pages)
        if target is None:
            return label
        return f"{image}[{label}]({os.path.relpath(target, page.parent)}{'#' + anchor if anchor else ''})"

    return LINK.sub(mended, text)


def example_text(example, sample):
    """The example with what docs/operation_examples.py made of it, if it ran."""
    text = f"**Example**, on `{sample}`:\n\n    {example}"
    if not EXAMPLES:
        return text
    table = EXAMPLES / file_name(sample, example, ".csv")
    if table.exists():
        lines = table.read_text(encoding="utf-8").splitlines()
        return text + ("\n\nThe table begins:\n\n" + "\n".join("    " + line for line in lines) if lines else "")
    pictures = [f'<img src="../../{EXAMPLES.name}/{file_name(sample, steps, ".png")}" alt="{alt}" width="240">'
                for steps, alt in ((without_last_step(example), "before"), (example, "after"))]
    return f"{text}\n\n<p>{' '.join(pictures)}</p>"


def operation_text(key, text, known):
    """The section of an operation: its declaration, with what notes.ini adds."""
    section = known[key] if key in known else {}
    head, _, rest = text.partition("\n\n")
    parts = [f"## {key}", head]
    if "formula" in section:
        parts.append(f"**Formula**: {section['formula']}")
    parts.append(rest)
    if "example" in section:
        parts.append(example_text(section["example"], section["sample"]))
    if "see" in section:
        parts.append("**See also**: " + ", ".join(f"[{other}]({OPERATIONS}#{other})" for other in section["see"].split()))
    return "\n\n".join(part for part in parts if part)


def operations_text(menu, page, pages):
    known = notes()
    sections = [operation_text(key, text, known) for key, where, text in operations() if where == menu]
    return with_links("\n\n".join(sections), OPERATIONS, page, pages)


def on_source_read(app, docname, source):
    page = DOCS / (docname + ".md")
    pages = pages_of_files()

    def text_of(match):
        path = (page.parent / match[1]).resolve()
        app.env.note_dependency(str(path))
        text = re.sub(r"\A# .+\n+", "", operations_preface() if path == OPERATIONS else path.read_text(encoding="utf-8"))
        return with_links(text, path, page, pages)

    text = with_links(source[0], page, page, pages)
    text = TEXT_OF.sub(text_of, text)
    if OPERATIONS_OF.search(text):
        for path in (OPERATIONS, NOTES, *filter(None, [EXAMPLES])):
            app.env.note_dependency(str(path))
    source[0] = OPERATIONS_OF.sub(lambda match: operations_text(match[1], page, pages), text)


def setup(app):
    app.connect("source-read", on_source_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
