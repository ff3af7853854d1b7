#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Formats all C sources with clang-format 14, the version that the tests check with (it breaks the launches of CUDA).
cd "$(dirname "$0")/.." && git ls-files --cached --others --exclude-standard '*.c' '*.h' | xargs scripts/clang_format.sh -i
