# SPDX-License-Identifier: MIT
"""The manual page says of each command what its --help says: the arguments, and every option."""
import os
import re

from command import SOURCE, fovea, main

with open(os.path.join(SOURCE, "data/fovea.1"), encoding="utf-8") as file:
    PAGE = file.read()


def bare(text):
    """Without macros, fonts, quotation marks and spaces, in which a page and a help differ."""
    text = re.sub(r"\\f.|^\.[A-Z]+\b", "", text, flags=re.M).replace(r"\(aq", "'").replace(r"\-", "-")
    return re.sub(r"[\s\"]", "", text)


def usage(command):
    """The command's arguments, and its options."""
    text = fovea(command, "--help").stdout.decode("utf-8")
    return re.search(r"\[OPTION…\] ?(.*)", text)[1], set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text[text.index("Options:"):]))


def commands():
    return re.findall(r"^  ([a-z]+) ", fovea("--help").stdout.decode("utf-8").split("Commands:")[1].split("Options:")[0], re.M)


def test_arguments():
    blocks = PAGE.split(".SH SYNOPSIS\n")[1].split(".SH")[0].split(".br\n")
    synopsis = {bare(block.split("\n")[0]): bare(block) for block in blocks}
    assert set(synopsis) == {f"fovea{command}" for command in commands()}, sorted(synopsis)
    for command in commands():
        arguments = bare(usage(command)[0])
        assert arguments in synopsis[f"fovea{command}"], f"{command}: no {arguments} in {synopsis[f'fovea{command}']}"
    assert "[INPUT]" in synopsis["fovearun"]


def test_options():
    for command in commands():
        options = usage(command)[1] - {"-h", "--help"}
        missing = [option for option in options if not re.search(rf"{option}(?![a-z-])", PAGE.replace(r"\-", "-"))]
        assert options and not missing, f"{command}: {missing} of {options}"


if __name__ == "__main__":
    main([test_arguments, test_options])
