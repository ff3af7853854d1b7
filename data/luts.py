#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes kernels/display/lut_tables.c, and tests/golden/data/luts.csv for the oracle of `display`, from where the tables are
published.

    python3 data/luts.py        needs NumPy, matplotlib, scikit-image, a JDK and ImageJ (package imagej)

viridis: S. van der Walt and N. Smith, released under CC0; cividis: J. Nuñez, C. Anderson and R. Renslow, PLoS ONE 13 (2018)
e0199239: 256 colors each, as matplotlib has them, rounded to nearest. fire: ImageJ's, which is in the public domain. glasbey:
a palette of our own, by the method of C. Glasbey et al., Color Research and Application 32 (2007): from black on, again and
again the color of a coarse grid that is farthest in CIELAB from all before, of those that can be seen on black.
"""
import pathlib
import subprocess
import tempfile

import matplotlib
import numpy as np
import skimage
from skimage.color import rgb2lab

ROOT = pathlib.Path(__file__).parents[1]
JAR = "/usr/share/java/ij.jar"
ASK = """public class Fire {
  public static void main (String[] arguments) {
    java.awt.image.IndexColorModel fire = ij.plugin.LutLoader.getLut ("fire");
    System.out.println (ij.ImageJ.VERSION);
    for (int i = 0; i < 256; i++)
      System.out.printf ("%06x%n", fire.getRGB (i) & 0xffffff);
  }
}
"""


def matplotlibs(name):
    return np.rint(np.array(matplotlib.colormaps[name].colors) * 255).astype(int)


def fire():
    """ImageJ's version, and its colors."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "Fire.java"
        source.write_text(ASK)
        done = subprocess.run(["java", "-Djava.awt.headless=true", "-cp", JAR, source], capture_output=True, text=True,
                              check=True)
    version, *lines = done.stdout.split()
    return version, np.array([[int(line[i:i + 2], 16) for i in (0, 2, 4)] for line in lines])


def glasbey():
    levels = np.array([0, 31, 63, 95, 127, 159, 191, 223, 255])
    colours = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), -1).reshape(-1, 3)
    lab = rgb2lab(colours[None] / 255.0)[0]
    usable = lab[:, 0] >= 25  # seen on black
    distance = np.linalg.norm(lab - lab[0], axis=1)
    chosen = [0]
    for _ in range(255):
        chosen.append(int(np.argmax(np.where(usable, distance, -1))))
        distance = np.minimum(distance, np.linalg.norm(lab - lab[chosen[-1]], axis=1))
    return colours[chosen]


def main():
    version, fires = fire()
    tables = {"fire": fires, "viridis": matplotlibs("viridis"), "cividis": matplotlibs("cividis"), "glasbey": glasbey()}
    texts = {name: [f"{r:02x}{g:02x}{b:02x}" for r, g, b in table] for name, table in tables.items()}
    rows = [",".join(texts), *map(",".join, zip(*texts.values()))]
    sources = f"matplotlib {matplotlib.__version__}, ImageJ {version}, scikit-image {skimage.__version__}"
    (ROOT / "tests/golden/data/luts.csv").write_text(f"# {sources}\n" + "\n".join(rows) + "\n", encoding="utf-8")
    lines = ["/* SPDX-License-Identifier: MIT", " *",
             " * Look-up tables as they are published, 0xrrggbb. Made by data/luts.py, which says whose they are, from",
             f" * {sources}.", " */", '#include "kernels/display/lut_tables.h"', ""]
    for name, colours in texts.items():
        lines.append(f"const uint32_t lut_{name}[256] = {{")
        lines += ["  " + ", ".join(f"0x{c}" for c in colours[i:i + 11]) + "," for i in range(0, 256, 11)]
        lines[-1] = lines[-1][:-1] + "};"
        lines.append("")
    (ROOT / "kernels/display/lut_tables.c").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
