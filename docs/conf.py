# SPDX-License-Identifier: MIT
"""How Sphinx makes the manual of docs/; meson runs it with docs/build.py."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

project = "Fovea"
author = "The Fovea developers"
language = "en"
extensions = ["myst_parser", "tree_pages"]
source_suffix = {".md": "markdown"}
highlight_language = "none"
nitpicky = True
myst_heading_anchors = 4

html_theme = "furo"
html_title = "Fovea"
html_favicon = "../data/icons/org.fovea.Fovea.svg"
html_show_sphinx = False
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
