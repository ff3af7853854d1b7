#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every rule of the app's CSS that sets a background also sets the color of the text on it, so that no text inherits the color of another background.
All CSS is in one file. Output is TAP."""
import glob
import os
import re

SOURCE = os.environ["FOVEA_SOURCE"]
TEXTLESS = re.compile(r"(trough|slider|highlight|overshoot\.(left|right))(:\w+)?$")  # parts of widgets that never hold text


def pale_rules(css):
    """The selectors of rules with a background and without a color."""
    css = re.sub(r"/\*.*?\*/|@define-color[^;]*;", "", css, flags=re.S)
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
        properties = {line.split(":")[0].strip() for line in body.split(";") if ":" in line}
        texts = [s.strip() for s in selectors.split(",") if not TEXTLESS.search(s.strip())]
        if texts and properties & {"background", "background-color", "background-image"} and "color" not in properties:
            yield ", ".join(texts)


def main():
    with open(os.path.join(SOURCE, "ui/widgets/style.css"), encoding="utf-8") as file:
        css = file.read()
    faults = list(pale_rules(css))
    assert list(pale_rules("a { background: red; } b { background: none; color: red; } scale > trough { background: red; }")) == ["a"]
    print("not ok 1" if faults or "{" not in css else "ok 1", "- a background is never set without its color")
    elsewhere = []
    for path in glob.glob(os.path.join(SOURCE, "ui/**/*.[ch]"), recursive=True):
        with open(path, encoding="utf-8") as file:
            if "gtk_css_provider_new" in file.read() and not path.endswith("ui/widgets/style.c"):
                elsewhere.append(path)
    print("not ok 2" if elsewhere else "ok 2", "- no CSS elsewhere")
    for fault in faults + elsewhere:
        print("#", fault)
    print("1..2")


if __name__ == "__main__":
    main()
