#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion: what the program offers at the end of a line, and what a real bash and a real zsh make of it when Tab is pressed."""
import json
import os
import pty
import re
import select
import shlex
import shutil
import time

from command import FOVEA, SOURCE, fovea, main, same

SCRIPTS = os.path.join(SOURCE, "data/completions")


def offered(line, *tail):
    """What a list shows, or what is left to the shell."""
    done = fovea("complete", line, *tail)
    same((done.returncode, done.stderr), (0, b""), line)
    return [row.split("\t")[1] if "\t" in row else row for row in done.stdout.decode().splitlines()]


def texts(line, *tail):
    """What replaces the tail."""
    return [row.split("\t")[0] for row in fovea("complete", line, *tail).stdout.decode().splitlines()]


def declared():
    return json.loads(fovea("ops", "--json").stdout)


def option_names(command):
    return set(re.findall(r"--[a-z0-9-]+", "\n".join(re.findall(r"^  (-[^ ].*?)(?:=|  )", fovea(command, "--help").stdout.decode(), re.M))))


def test_words():
    """Commands, all their options, and what these take."""
    listed = fovea("--help").stdout.decode().partition("\nCommands:\n")[2].partition("\n\n")[0]
    commands = [line.split()[0] for line in listed.splitlines()]
    same(offered("fovea "), commands, "commands")
    for command in commands:
        same(set(offered(f"fovea {command} --")), option_names(command), command)
    same(offered("fovea --ver"), ["--version"], "options without a command")
    for option in ("--device=", "--device ", "-d "):
        same(offered(f"fovea run otsu a.tif {option}c"), ["cpu", "cuda"], option)
    same(offered("fovea convert --compression "), ["none", "deflate", "zstd", "jpeg", "png"], "methods")
    same(offered("fovea batch 'otsu' in --out "), [":folders"], "a folder")
    for line in ("fovea ima", "fovea run otsu ", "fovea run otsu -o ", "fovea info a.tif b.tif ", "fovea convert a.tif -- -", "fovea batch macro.l", "fovea run --steps ", "fovea run --steps a.txt "):
        same(offered(line), [":files"], line)
    for line in ("fovea formats ", "fovea run otsu a.tif ", "fovea compare -n ", "fovea run -o", "fovea run --steps=a.txt a.tif "):
        same(set(offered(line)) - option_names("run"), set(), line)
    same(offered("fovea help ru"), ["run"], "help")
    assert "Process/Filters" in offered("fovea ops Proc") and "gaussian" in offered("fovea ops gau")


def test_steps():
    """Operations, their parameters and inputs, choices and names of results, as they are declared."""
    ops = {op["key"]: op for op in declared()}
    same(offered("fovea run '"), list(ops), "operations")
    same(offered("fovea batch \"otsu | lab"), [key for key in ops if key.startswith("lab")], "the second step")
    for key in ("gaussian", "regionprops"):
        names = [p["key"] + "=" for p in ops[key]["parameters"]] + ["from="] + [i["key"] + "=" for i in ops[key]["inputs"][1:]] + ["as=", "skip="]
        same(sorted(offered(f"fovea run 'otsu | {key} ")), sorted(names), key)
    choices = {p["key"]: p.get("choices") for p in ops["gaussian"]["parameters"]}
    same(offered("fovea run 'gaussian border="), choices["border"], "choices")
    same(offered("fovea run 'gaussian volume=y"), ["yes"], "a switch")
    assert {"area", "area_bbox"} <= set(offered("fovea compare 'regionprops properties=label,area"))
    same(texts("fovea run 'regionprops properties=label,orient"), ["regionprops properties=label,orientation"], "the second of a set")
    same(offered("fovea run 'channel as=green | otsu as=mask,\"other\" | regionprops intensity="), ["source", "green", "mask", '"other"'], "results")
    same(offered("fovea run 'gaussian sigma="), [], "a number")
    same(offered("fovea run 'nosuch sig"), [], "an unknown operation")
    same(offered("fovea run 'expression formula=\"a | gau"), [], "a pipe in quotes")
    assert "labels=" in offered("fovea figure a.tif b.pdf lab") and "gaussian" in offered("fovea figure -s 'gau")


def test_replaced():
    """A shell may replace a part of the word alone; quotes are opened where a text has blanks."""
    same(texts("fovea run --device=cp"), ["--device=cpu "], "all of the word")
    same(texts("fovea run --device=cp", "cp"), ["cpu "], "behind '='")
    same(texts("fovea run gaussi"), ["'gaussian "], "not quoted")
    same(texts("fovea run \"gaussi"), ["gaussian "], "quoted")
    same(texts("fovea figure --run=gaussi", "gaussi"), ["'gaussian "], "not quoted, behind '='")
    same(texts("fovea run --device=cp", "xy"), [], "another tail")
    same(texts("fovea"), [], "the program itself")


class Shell:
    """An interactive shell on a terminal, which shows its line when Ctrl-X p is pressed."""

    def __init__(self, argv, setup):
        environment = {"PATH": f"{os.path.dirname(FOVEA)}:/usr/bin:/bin", "HOME": os.getcwd(), "TERM": "dumb", "LC_ALL": "C.UTF-8",
                       **{name: value for name, value in os.environ.items() if name.startswith(("FOVEA_", "LD_", "ASAN_", "LSAN_", "UBSAN_"))}}
        self.process, self.terminal = pty.fork()
        if not self.process:
            os.execve(shutil.which(argv[0]), argv, environment)
        self.type(f"{setup}; stty cols 200; PS1=; echo rea''dy\n")
        self.until("ready")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def until(self, pattern):
        text, end = "", time.monotonic() + 60
        while not (found := re.search(pattern, text, re.S)):
            assert select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0], f"{pattern} is not in {text!r}"
            text += os.read(self.terminal, 65536).decode(errors="replace")
        return text, found

    def line(self, text):
        """The line after Tab, and what the terminal has shown until then."""
        self.type(text + "\x18p")
        said, found = self.until(r"<<(.*?)>>")
        self.type("\x15")
        return found[1], said

    def close(self):
        self.type("\x15exit\n")
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def check_shell(argv, setup):
    """One that completes each line as it is meant; at the end of a word there is a blank, in quotes too."""
    os.makedirs("folder")
    open("cells one.tif", "w", encoding="utf-8").close()
    shell = Shell(argv, setup)
    for typed, expected in (("fovea hel", "fovea help "), ("fovea run 'gaus", "fovea run 'gaussian "), ("fovea run gaus", "fovea run 'gaussian "),
                            ('fovea run "gaus', 'fovea run "gaussian '), ("fovea run 'otsu | gaussian sig", "fovea run 'otsu | gaussian sigma="),
                            ("fovea run 'gaussian border=n", "fovea run 'gaussian border=nearest "), ("fovea run --device=cud", "fovea run --device=cuda "),
                            ("fovea run -d cud", "fovea run -d cuda "), ("fovea info ce", "fovea info cells\\ one.tif "),
                            ("fovea batch otsu --out=fo", "fovea batch otsu --out=folder/"), ("fovea batch otsu --out fo", "fovea batch otsu --out folder/"),
                            ("fovea nosuch", "fovea nosuch")):
        same(shell.line(typed + "\t")[0], expected, typed)
    said = shell.line("fovea run 'gaussian border=\t\t")[1]
    assert re.search(r"constant +-- ", said) and re.search(r"wrap +-- ", said), said
    shell.close()


def test_bash():
    show = r"""bind -x '"\C-xp": printf "\n<<%s>>\n" "$READLINE_LINE"'"""
    quiet = "; ".join(f"bind 'set {setting}'" for setting in ("bell-style none", "completion-query-items 0", "page-completions off", "enable-bracketed-paste off"))
    check_shell(["bash", "--norc", "--noprofile", "-i"], f"{quiet}; {show}; . {shlex.quote(f'{SCRIPTS}/fovea.bash')}")


def test_zsh():
    if not shutil.which("zsh"):
        return "zsh is not installed"
    show = r"""show() { print -r -- $'\n'"<<$BUFFER>>" }; zle -N show; bindkey '^Xp' show"""
    check_shell(["zsh", "-f", "-i"], f"unsetopt zle_bracketed_paste beep; fpath=({shlex.quote(str(SCRIPTS))} $fpath); autoload -U compinit && compinit -u -D; {show}")
    return None


if __name__ == "__main__":
    main([test_words, test_steps, test_replaced, test_bash, test_zsh])
