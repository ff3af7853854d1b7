# SPDX-License-Identifier: MIT
"""NVIDIA's run-time compiler where packages for Python bring it, as PyTorch and CuPy do: the plugin opens it when a step needs it."""
import os
import pathlib
import sys


def folders():
    """Those that have it."""
    return sorted({str(file.parent) for folder in sys.path for file in pathlib.Path(folder or ".").glob("nvidia/*/lib/libnvrtc.so.*")})


if "FOVEA_CUDA_PATH" not in os.environ and folders():
    os.environ["FOVEA_CUDA_PATH"] = ":".join(folders())
