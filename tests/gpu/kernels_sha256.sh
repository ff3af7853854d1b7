#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints the SHA-256 of the files below kernels/ and of CUDA sources in plugin/, one after the other in the byte order of their paths;
# in a folder that gather.sh made, which has programs instead of sources, that of the sources they were built from.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
if [ -f kernels.sha256 ]; then cat kernels.sha256; else find kernels plugin -type f -path 'kernels/*' -o -name '*.cu' | sort | xargs cat | sha256sum | cut -d' ' -f1; fi
