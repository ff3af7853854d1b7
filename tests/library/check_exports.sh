#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What libfovea shows to others: the functions that fovea.h declares and nothing else; its soname. The header stands alone in C and in
# C++. Output is TAP. Arguments: the library, the header.
shopt -s lastpipe # check runs in this shell
n=0
check() { # WHAT: standard input lists what is wrong; nothing is good
  local found
  found=$(cat)
  n=$((n + 1))
  if [ -z "$found" ]; then echo "ok $n - $1"; else
    echo "not ok $n - $1"
    sed 's/^/# /' <<<"$found"
  fi
}
exported() { nm -D --defined-only "$1" | awk '{print $NF}' | sort; }
declared() { grep -v '^ *[/ ]\*' "$1" | grep -oE '\bfovea_[a-z_]+ \(' | tr -d ' (' | sort -u; }

diff <(declared "$2") <(exported "$1") | check 'exported is what the header declares, and nothing else'
{ readelf -d "$1" | grep -q 'SONAME.*\[libfovea\.so\.0\]' || echo 'it is another one'; } | check 'soname'
# Nothing of GLib or CUDA in the header.
grep -nE '\b(g(io|tk|dk|object)?_|G[A-Z][a-z]+|gboolean|gchar|gint|gsize|guint|glib)' "$2" | check 'no type of GLib in the header'
for language in c c++; do
  echo '#include "fovea.h"' | ${CC:-cc} -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"${2%/*}" - 2>&1 |
    check "the header alone is good $language"
done
# A description for everything.
if command -v doxygen >/dev/null; then
  pages=$(mktemp -d)
  trap 'rm -rf "$pages"' EXIT
  { cat "$FOVEA_BUILD/library/Doxyfile" && echo "OUTPUT_DIRECTORY=$pages"; } | doxygen - 2>&1 | check 'Doxygen finds nothing to warn of'
fi
echo "1..$n"
