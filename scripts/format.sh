#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Formats all C and CUDA sources with clang-format 14, the version that the tests check with.
cd "$(dirname "$0")/.." && git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' | xargs scripts/clang_format.sh -i
