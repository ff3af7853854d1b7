#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renews po/*.po, the translations of the app's texts: new texts are added without a translation, obsolete ones are removed.

    scripts/translations.py BUILD          # renews them; BUILD is the build folder, whose operations say what they declare
    scripts/translations.py BUILD --check  # says what is missing, too much or wrong in them

Texts are the calls of gettext in ui, what operations declare (po/declared_texts.c), and the names of the recipes that come with Fovea.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PO = SOURCE / "po"
KEYWORDS = ["_", "N_", "ngettext:1,2", "words_count:2,3"]
ENTRY = re.compile(r'^msgid (".*")$', re.M)
DATE = re.compile(r'^"POT-Creation-Date:.*\n', re.M)  # it would change with each run
HEADER = ["--package-name=fovea", "--copyright-holder=", "--from-code=UTF-8", "--add-comments=Translators"]


def run(*command, **others):
    return subprocess.run([str(word) for word in command], check=True, cwd=SOURCE, **others)


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def recipes():
    """The first lines of recipes, which the window shows."""
    texts = []
    for path in sorted((SOURCE / "data/recipes").glob("*.steps")):
        texts += re.findall(r"^# (?:recipe|about): *(.*)$", path.read_text(encoding="utf-8"), re.M)
    return "".join(f"#. a recipe\nmsgid {quote(text)}\nmsgstr \"\"\n\n" for text in dict.fromkeys(texts))


def template(build, folder):
    """All texts, as a template; line numbers would change with every edit."""
    pot = folder / "fovea.pot"
    declared = run(pathlib.Path(build).resolve() / "po/declared-texts", capture_output=True).stdout.decode() + recipes()
    sources = sorted(str(path.relative_to(SOURCE)) for path in (SOURCE / "ui").rglob("*.c"))
    run("xgettext", *HEADER, "--language=C", "--no-location", "--no-wrap", "--keyword", *[f"--keyword={word}" for word in KEYWORDS], "-o", pot, *sources)
    known = set(ENTRY.findall(pot.read_text(encoding="utf-8")))
    with open(pot, "a", encoding="utf-8") as file:
        for entry in declared.strip().split("\n\n"):
            text = ENTRY.search(entry)[1]
            if text not in known:
                print("", entry.strip(), sep="\n", file=file)
            known.add(text)
    return pot


def renew(pot, path):
    run("msgmerge", "--quiet", "--update", "--backup=none", "--no-fuzzy-matching", "--no-wrap", path, pot)
    run("msgattrib", "--no-obsolete", "--no-wrap", path, "-o", path)
    path.write_text(DATE.sub("", path.read_text(encoding="utf-8")), encoding="utf-8")


def is_whole(pot, path):
    """Whether each text has a translation that fits it, and nothing else has; says what is wrong."""
    checks = (["msgfmt", "--check", "-o", "/dev/null", path], ["msgcmp", path, pot])
    said = [subprocess.run(check, capture_output=True, text=True, check=False) for check in checks]
    print(*(one.stderr for one in said if one.returncode), sep="\n")
    texts = [set(ENTRY.findall(file.read_text(encoding="utf-8"))) for file in (path, pot)]
    gone, new = sorted(texts[0] - texts[1]), sorted(texts[1] - texts[0])
    print(*(f"{path.name} does not have: {text}" for text in new), sep="\n")
    print(*(f"{path.name} has what is shown no more: {text}" for text in gone), sep="\n")
    return not gone and not any(one.returncode for one in said)


def main():
    build, check = sys.argv[1], sys.argv[2:] == ["--check"]
    if not check:
        run("ninja", "-C", build, "po/declared-texts", stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as made:
        pot = template(build, pathlib.Path(made))
        paths = [PO / f"{language}.po" for language in (PO / "LINGUAS").read_text().split()]
        if not check:
            for path in paths:
                renew(pot, path)
        elif not all([is_whole(pot, path) for path in paths]):
            sys.exit("scripts/translations.py BUILD renews the files of po/; then fill in what is missing there.")


main()
