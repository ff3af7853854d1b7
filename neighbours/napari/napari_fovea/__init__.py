# SPDX-License-Identifier: MIT
"""Operations and file formats of Fovea in napari. napari.yaml lists them; manifest.py writes it."""
