#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the English of comments, docstrings, pages and visible texts.

    scripts/prose.py                 # one line for each folder: sentences, mean, longest, faults
    scripts/prose.py --worst 20 ui   # the sentences of a folder that need work most
    scripts/prose.py --check         # fails if a folder has more faults than scripts/prose.txt allows
    scripts/prose.py --lower         # lowers the ceilings in scripts/prose.txt to what is measured

Three faults are counted: phrases that PHRASES matches, sentences of more than LONGEST words, and the word "place", which nearly always
has an exact term (docs/glossary.md). Code, quotations, tables of benchmarks and names of the ABI do not count: see QUOTED and PLACE.
"""
import collections
import io
import pathlib
import re
import subprocess
import sys
import tokenize

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CEILINGS = SOURCE / "scripts/prose.txt"
LONGEST = 35
PHRASES = re.compile(
    r"that there (?:is|are)|\bnobody\b|\bsomebody\b|\bwho asks\b|\bto who\b|\bwhoever\b|\bis no\b|\bof which none\b|\bas ever\b|\banew\b|\bbesides\b"
    r"|\bof one's own\b|\bwhatever\b|\bstands? (?:there|for|in|at|beside|behind)\b|\bgoes on\b|\bcomes? (?:of|to) it\b|\bis said\b", re.I)
# Words and parts of identifiers. "in place" and "decimal places" are plain English, place_cursor is GTK's. fv_place, fv.place, `.place = ` and what
# is in backticks belong to the ABI, and parameters of figures (bar_place) and settings (steps-place) are in users' files.
PLACE = re.compile(r"(?<!fv_)(?<!fv\.)(?<!fv_op\.)(?<! \.)(?<!\(\*)(?<!fv_place \*)(?<!`)(?<![Ii]n[ _])(?<!decimal )(?<!buffer_)(?<!bar_)(?<!text_)(?<!time_)(?<!steps-)(?<!tables-)(?:(?<![A-Za-z])(?:[Pp]laces?|PLACES?)(?![A-Za-z])|(?<=[a-z])Places?(?![a-z])"
                   r"|(?<![A-Za-z])Places?(?=[A-Z]))")
COMMENT = re.compile(r"(?P<text>/\*.*?\*/|//[^\n]*)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
QUOTED = re.compile(r"<!-- bench:.*?<!-- /bench -->|```.*?```|`[^`]*`|\"[^\"]{1,80}\"|“[^”]{1,80}”|(?<!\w)'[^'\n]{1,80}'(?!\w)|!?\[[^]]*\]\([^)]*\)|<[^>]{1,40}>", re.S)
# A sentence ends at a stop before a space, at an empty line, and where an item of a list, a row of a table or a heading begins. Items are also
# parameters at the start of a line ("path: its file", "@param path") and what two or more spaces separate from its explanation.
END = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[\"'(]?[A-Z0-9])|\n\s*\n|\n\s*(?=[-*|#•] ?|\d+\. |@[a-z]|\w+: |\S[^\n]*?\S(?: {2,}|\t)\S)|\s*\|\s*")
WORD = re.compile(r"[^\W_]+(?:['’_.-]\w+)*")
ABOUT_PLACE = {"docs/glossary.md", "scripts/prose.py", "tests/check_prose.py"}  # which name the word to say so
# Written by programs or others; strings of all folders are measured in words.txt.
LEFT_OUT = re.compile(r"^tests/(golden|bench)/(data|results|calls)|^tests/core/files/|^data/operations\.md|^docs/reference/macro_functions\.md|\.npy$|^po/")
BEFORE_STATEMENT = (tokenize.ENCODING, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
Sentence = collections.namedtuple("Sentence", "path line text words")


def c_comments(source):
    for match in COMMENT.finditer(source):
        if match["text"]:
            yield source.count("\n", 0, match.start()) + 1, re.sub(r"\n[ \t]*\*", "\n", match["text"].strip("/* "))


def python_comments(source):
    """Comments, where consecutive lines are one, and docstrings: strings that begin a statement."""
    last, started, kept, begins = -1, 0, "", True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield started, kept
                started, kept = token.start[0], ""
            last, kept = token.start[0], kept + token.string.lstrip("#") + "\n"
        elif token.type == tokenize.STRING and begins and token.string.startswith('"""'):
            yield token.start[0], token.string.strip('"')
        begins = token.type in BEFORE_STATEMENT or begins and token.type in (tokenize.NL, tokenize.COMMENT)
    yield started, kept


def hash_comments(source):
    for number, line in enumerate(source.split("\n"), 1):
        if line.lstrip().startswith("#"):
            yield number, line.strip("# ")


def page(source):
    """Text of Markdown; what is indented by four is code."""
    fenced = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), source, flags=re.S | re.M)
    yield 1, re.sub(r"^(?: {4}|\t)(?! *[-*] | *\d+\. ).*$", "", fenced, flags=re.M)


def lines(source):
    yield from enumerate(source.split("\n"), 1)


READERS = {".c": c_comments, ".h": c_comments, ".cu": c_comments, ".cuh": c_comments, ".py": python_comments, ".sh": hash_comments,
           ".build": hash_comments, ".md": page, ".txt": lines}


def sentences(path, text):
    for first, comment in READERS[path.suffix](text):
        plain = QUOTED.sub(lambda quoted: "X" + "\n" * quoted[0].count("\n"), comment)
        start = 0
        for end in [*END.finditer(plain), None]:
            part = plain[start:end.start() if end else len(plain)]
            if len(words := WORD.findall(part)) > 1 and "SPDX" not in part:
                yield Sentence(path, first + plain.count("\n", 0, start) + len(part[:len(part) - len(part.lstrip())].split("\n")) - 1,
                               " ".join(part.split()), len(words))
            start = end.end() if end else start


def sources():
    """All files of the tree that are measured."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=SOURCE, capture_output=True, text=True, check=False)
    names = listed.stdout.split("\n") if listed.returncode == 0 else [str(p.relative_to(SOURCE)) for p in SOURCE.rglob("*") if p.is_file()]
    for name in sorted(filter(None, names)):
        path = SOURCE / name
        measured = path.suffix in READERS and (path.suffix != ".txt" or name == "data/words.txt")
        if measured and not LEFT_OUT.search(name) and path.is_file():
            yield name, path


class Folder:
    """What is measured of one row of the table."""

    def __init__(self):
        self.sentences, self.places = [], []

    def add(self, name, path):
        text = path.read_text(encoding="utf-8")
        self.sentences += [one._replace(path=name) for one in sentences(path, text)]
        if name not in ABOUT_PLACE:
            self.places += [f"{name}:{number}: {line.strip()}" for number, line in enumerate(text.split("\n"), 1) for _ in PLACE.finditer(line)]

    def phrases(self):
        return [one for one in self.sentences if PHRASES.search(one.text)]

    def long(self):
        return sorted((one for one in self.sentences if one.words > LONGEST), key=lambda one: -one.words)

    def faults(self):
        return {"phrases": len(self.phrases()), "long": len(self.long()), "place": len(self.places)}

    def said(self, fault, most):
        """The sentences at fault."""
        if fault == "place":
            return self.places[:most]
        return [f"{one.path}:{one.line}: ({one.words} words) {one.text}" for one in getattr(self, fault)()[:most]]


def read_ceilings():
    rows = [line.split() for line in CEILINGS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {row[0]: dict(zip(("phrases", "long", "place"), map(int, row[1:]))) for row in rows}


def measure(ceilings):
    """Each file counts in the longest row that begins its name."""
    folders = {row: Folder() for row in ceilings}
    for name, path in sources():
        row = max((row for row in ceilings if name == row or name.startswith(row + "/") or row == "pages" and "/" not in name), key=len, default=None)
        if row:
            folders[row].add(name, path)
    return folders


def check(folders, ceilings, print_line=print):
    failed = False
    for row, folder in folders.items():
        for fault, count in folder.faults().items():
            if count > ceilings[row][fault]:
                failed = True
                print_line(f"{row}: {count} of '{fault}', and scripts/prose.txt allows {ceilings[row][fault]}. Reword one of these (docs/glossary.md):",
                           *folder.said(fault, 10_000), sep="\n  ")
    return failed


def lower(folders, ceilings):
    text = CEILINGS.read_text(encoding="utf-8")
    for row, folder in folders.items():
        now = {fault: min(count, ceilings[row][fault]) for fault, count in folder.faults().items()}
        text = re.sub(rf"^{re.escape(row)} .*$", f"{row:<16} {now['phrases']:7} {now['long']:6} {now['place']:6}", text, flags=re.M)
    CEILINGS.write_text(text, encoding="utf-8")


def table(folders):
    print(f"{'folder':16} {'sentences':>9} {'mean':>5} {'longest':>7} {'phrases':>7} {'long':>5} {'place':>5}")
    for row, folder in folders.items():
        words = [one.words for one in folder.sentences] or [0]
        faults = folder.faults()
        print(f"{row:16} {len(words):9} {sum(words) / len(words):5.1f} {max(words):7} {faults['phrases']:7} {faults['long']:5} {faults['place']:5}")


def main():
    arguments, ceilings = sys.argv[1:], read_ceilings()
    folders = measure(ceilings)
    if arguments == ["--check"]:
        sys.exit(check(folders, ceilings))
    elif arguments == ["--lower"]:
        lower(folders, ceilings)
    elif arguments[:1] == ["--worst"]:
        for row in arguments[2:] or folders:
            for fault in ("phrases", "long", "place"):
                print(f"{row}, {fault}:", *folders[row].said(fault, int(arguments[1])), sep="\n  ")
    else:
        table(folders)


if __name__ == "__main__":
    main()
