#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rules of the house that a machine can check. Output is TAP.
cd "${FOVEA_SOURCE:?}" || exit 1
shopt -s lastpipe # check runs in this shell
n=0

# check NAME: standard input lists what breaks the rule; nothing is good.
check() {
  local found
  found=$(cat)
  n=$((n + 1))
  if [ -z "$found" ]; then echo "ok $n - $1"; else
    echo "not ok $n - $1"
    sed 's/^/# /' <<<"$found"
  fi
}

sources() { git ls-files --cached --others --exclude-standard "$@" 2>/dev/null || find "$@" -type f; }
includes() { grep -nE '^ *# *include' "$@" /dev/null; }

includes $(sources command core library python readers ui | grep -E '\.[ch]$') | grep -E 'cuda|cub/|kernels/' | check 'command, core, library, python and ui never see CUDA or the kernels'
includes $(sources plugin kernels | grep -E '\.(c|h|cu|cuh)$') | grep -E '[<"](glib|gio|gmodule|gtk|tiff|png|gdk|json-glib)[./-]|core/' | check 'plugin and kernels never see GLib or file formats'
includes plugin/fovea-plugin.h | grep -vE '<(dlpack/dlpack|stdint|stddef|stdbool)\.h>' | check 'the ABI header needs only DLPack and the C library'
includes library/fovea.h | grep -vE '<(dlpack/dlpack|stdint|stddef)\.h>' | check 'the header of the library needs only DLPack and the C library'
for f in $(sources command core library python ui plugin kernels readers runtime tests data scripts | grep -E '\.(c|h|cu|cuh|py|sh)$'); do
  head -n 3 "$f" | grep -q 'SPDX-License-Identifier: MIT' || echo "$f"
done | check 'every source file says its license'
for op in $(sed -n "s/^  '\([a-z0-9_/]*\)',$/\1/p" kernels/meson.build); do
  [ -f "tests/golden/data/${op##*/}/cases.ini" ] || [ -f "tests/kernels/${op%/*}/test_${op##*/}.c" ] || echo "$op"
done | check 'every operation has golden or analytic cases'
versions=$(sed -n 's/^numpy==/NumPy /p; s/^scipy==/SciPy /p; s/^scikit-image==/scikit-image /p' tests/golden/requirements.txt | paste -sd, | sed 's/,/, /g')
for f in tests/golden/data/*/cases.ini; do
  [ "$(head -n 1 "$f")" = "# $versions" ] || echo "$f"
done | check 'golden cases were made with the versions of tests/golden/requirements.txt'
grep -nE "['\"/](kernels|core|plugin|ui)['\"/]" $(sources tests/golden | grep '\.py$') | grep -v '"""' | check 'golden oracles never read our own code'
for page in README.md docs/benchmarks.md; do
  python3 tests/bench/table.py --check $page 2>&1 | check "the tables of $page are those of tests/bench/results"
done
python3 -B scripts/words.py --check 2>&1 | check 'data/words.txt has every text that a person can read'
python3 -B tests/check_prose.py 2>&1 | check 'the English of no folder gets worse (scripts/prose.txt)'
scripts/clang_format.sh --dry-run $(sources command core library python ui plugin kernels readers runtime tests data | grep -E '\.(c|h|cu|cuh)$') 2>&1 |
  grep -E 'warning|not installed' | cut -d: -f1 | sort -u | check 'clang-format'
grep -nE '<( <<|< <)|>( >>|> >)' $(sources plugin kernels | grep -E '\.(cu|cuh)$') | check 'the formatter has torn no launch apart'
grep -nE 'OMP_WAIT_POLICY|GOMP_SPINCOUNT|KMP_BLOCKTIME' $(sources tests scripts | grep -E 'meson.build$|run.sh$|mutants.py$') | check 'tests wait as programs of a user do'
grep -nF 'g_test_init (' $(sources tests | grep '\.c$') | check 'test programs begin with init_tests(), to which a path of no test is a failure'
echo "1..$n"
