#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the command says about itself: help of commands and operations, and operations by group."""
import json
import os
import re

from command import fails, fovea, main, same


def says(*arguments):
    done = fovea(*arguments)
    same((done.returncode, done.stderr), (0, b""), " ".join(arguments))
    return done.stdout.decode()


def commands():
    listed = says("--help").partition("\nCommands:\n")[2].partition("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def declared():
    return json.loads(says("ops", "--json"))


def test_of_commands():
    """Each command that is listed explains itself, in the same words in both ways; without a name they are listed."""
    assert {"run", "batch", "help"} <= set(commands()), commands()
    keys = {op["key"] for op in declared()}
    for name in commands():
        text = says(name, "--help")
        assert text.startswith(f"Usage:\n  fovea {name} "), text
        helped = says("help", name)
        assert helped.startswith(text), helped
        same(helped == text, name not in keys, f"no more than --help for {name}")
    same(says("help"), says("--help"), "the list")


def test_of_both():
    """A command that is called as an operation is explained as both."""
    text = says("help", "convert")
    assert "fovea convert [OPTION" in text and "\nconvert: " in text and "type=" in text, text


def test_unknown():
    fails(fovea("help", "gausian"), "no command is called 'gausian'", "Did you mean 'gaussian'?", status=2)
    fails(fovea("help", "run", "batch"), "Usage: fovea help", status=2)


def groups(text):
    """Each heading with the names below it."""
    found = {}
    for block in text.strip("\n").split("\n\n"):
        heading, *lines = block.splitlines()
        assert all(line.startswith("  ") for line in lines), block
        found[heading] = [line.split()[0] for line in lines]
    return found


def test_groups():
    """All operations are below their menus, and a menu is found by its path, its name and its parent's, in any case."""
    ops = declared()
    expected = {menu or "In no menu": [op["key"] for op in ops if op["menu"] == menu] for menu in {op["menu"] for op in ops}}
    same(groups(says("ops")), expected, "groups")
    same(list(groups(says("ops")))[-1], "In no menu", "the last group")
    for word in ("process/filters", "FILTERS", "Process filters"):
        found = groups(says("ops", *word.split()))
        same((next(iter(found)), found["Process/Filters"]), ("Process/Filters", expected["Process/Filters"]), word)
    process = {menu: keys for menu, keys in expected.items() if menu.split("/")[0] == "Process"}
    same({menu: keys for menu, keys in groups(says("ops", "process")).items() if menu != "Others"}, process, "process")
    # What the word finds elsewhere follows.
    noise = groups(says("ops", "noise"))
    same(noise["Process/Noise"], ["noise"], "the group")
    assert "median" in noise["Others"], noise
    same([op["key"] for op in json.loads(says("ops", "noise", "--json"))], noise["Process/Noise"] + noise["Others"], "JSON")


def test_version():
    """The version, and what the build and the machine have, also where plugins cannot be loaded."""
    first, *lines = says("--version").splitlines()
    assert re.fullmatch(r"fovea \d+\.\d+\.\d+", first), first
    facts = {}
    for line in lines:
        name, _, text = line.partition(": ")
        facts.setdefault(name, []).append(text)
    formats = json.loads(says("formats", "--json"))
    same(re.split(", | and ", facts["Opens"][0]), [each["label"] for each in formats], "formats")
    same(re.split(", | or ", facts["Saves"][0]), ["." + each["saved"][0] for each in formats if each["saved"]], "endings")
    assert re.search(r"libtiff\S* \d+\.\d+", facts["Built with"][0]), facts
    plugin, _, name = facts["Plugin"][0].rpartition(": ")
    assert os.path.isfile(plugin) and name == "fovea-kernels " + first.split()[1], facts
    same(facts["Operations"][0].partition(";")[0], str(len(declared())), "operations")
    cpu = next(device for device in json.loads(says("devices", "--json")) if device["key"] == "cpu")
    assert facts["CPU"][0].startswith(f"{cpu['name']}, {cpu['detail']}"), facts
    assert facts["GPU"], facts
    done = fovea("--version", env={**os.environ, "FOVEA_HOST_MEMORY": "x"})
    same((done.returncode, done.stdout.decode().splitlines()[0]), (0, first), "without plugins")
    assert b"\nPlugins: FOVEA_HOST_MEMORY is 'x'" in done.stdout, done.stdout


def test_columns():
    """Names of any length stay in their column."""
    lines = says("ops", "label").splitlines()
    assert len({len(line) - len(line.split(None, 1)[1]) for line in lines}) == 1, lines
    fails(fovea("ops", "xyzzy"), "'xyzzy'", status=2)


if __name__ == "__main__":
    main([test_of_commands, test_of_both, test_unknown, test_groups, test_version, test_columns])
