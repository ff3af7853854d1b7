#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_schemes.py FOVEA: a compression of TIFF that cannot be read is named, by the number that tifffile knows it by.
Skips (77) without NumPy and tifffile."""
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
except ImportError as error:
    print(f"no {error.name}")
    sys.exit(77)

# What tifffile calls it: what we do.
NAMES = {"JPEG_?XR": "JPEG XR", "JPEG_?XL": "JPEG XL", "JETRAW": "JetRaw", "^PNG$": "PNG",
         "ZSTD_DEPRECATED": "Zstandard", "WEBP_DEPRECATED": "WebP", "NIKON": "Nikon NEF", "PIXARFILM": "PixarFilm", "IT8CT": "IT8 CT",
         "IT8LW": "IT8 LW", "IT8MP": "IT8 MP", "IT8BL": "IT8 BL", "^KODAK_262$": "Kodak 262", "^DCS$": "Kodak DCS", "^DCR$|KODAK_DCR": "Kodak DCR",
         "^JPEG_LOSSY$": "lossy JPEG", "PENTAX": "Pentax PEF", "JBIG_BW": "JBIG T.85", "JBIG_COLOR": "JBIG T.43", "ALT_JPEG": "JPEG (33007)"}

# What older versions of it do not know: JPEG XL by the specification of DNG 1.7.
LATER = [(52546, "JPEG XL")]


def main():
    failed = seen = 0
    with tempfile.TemporaryDirectory(prefix="fovea-") as folder:
        path = f"{folder}/a.tif"
        tifffile.imwrite(path, np.zeros((4, 4), np.uint8))
        known = [(int(scheme), name) for scheme in tifffile.COMPRESSION for pattern, name in NAMES.items() if re.search(pattern, scheme.name)]
        for scheme, name in known + LATER:
            seen += 1
            with tifffile.TiffFile(path, mode="r+") as file:
                file.pages[0].tags[259].overwrite(scheme)
            done = subprocess.run([sys.argv[1], "convert", path, f"{folder}/b.tif"], capture_output=True, text=True)
            good = done.returncode == 1 and f"compressed with {name} (compression {scheme})" in done.stderr
            failed += not good
            print(f"{scheme} {name}: {'ok' if good else done.stderr}")
    sys.exit(failed > 0 or seen < 20)


if __name__ == "__main__":
    main()
