#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Findings of cppcheck; cppcheck.supp lists false positives, each with the reason. Output is TAP.
cd "${FOVEA_SOURCE:?}" || exit 1
command -v cppcheck >/dev/null || { echo '1..0 # SKIP cppcheck is not installed'; exit; }

find_faults() {
  cppcheck -q -j2 --enable=warning,performance,portability --std=c11 --library=gtk,posix -I. -Iplugin \
    -DFOVEA_VERSION='"0"' -DG_GINT64_FORMAT='"ld"' -DG_GUINT64_FORMAT='"lu"' -DG_GSIZE_FORMAT='"lu"' -DG_GINT64_MODIFIER='"l"' -DG_DIR_SEPARATOR_S='"/"' -D'G_DEFINE_QUARK(a,b)=' -D'G_DEFINE_EXTENDED_ERROR(a,b)=' --suppressions-list=tests/cppcheck.supp \
    --template='{file}:{line}: {message} [{id}]' --template-location='' "$@" 2>&1
}

found=$(find_faults command core kernels library plugin python readers runtime ui)
[ -z "$found" ] && echo 'ok 1 - cppcheck' || { echo 'not ok 1 - cppcheck'; sed 's/^/# /' <<<"$found"; }

# Does it look at all?
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
printf '#include <glib.h>\nint f (int n)\n{\n  int a[3] = {0};\n  char *p = g_malloc (n);\n  p[0] = 1;\n  return a[3];\n}\n' >"$planted/planted.c"
found=$(find_faults "$planted/planted.c")
[[ $found == *arrayIndexOutOfBounds* && $found == *memleak* ]] && echo 'ok 2 - it finds what is planted' || {
  echo 'not ok 2 - it finds what is planted'
  sed 's/^/# /' <<<"$found"
}
echo 1..2
