#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs clang-format 14: the machine's, or the one of Python's packages that test.sh puts into the build folder.
own=$(dirname "$0")/../build/clang-format/clang_format/data/bin/clang-format
for program in clang-format-14 clang-format "$own"; do
  "$program" --version 2>/dev/null | grep -q 'version 14\.' && exec "$program" "$@"
done
echo 'clang-format 14 is not installed: pip install clang-format==14.0.6' >&2
exit 127
