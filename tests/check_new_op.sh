#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/new_op.sh makes an operation that compiles and passes the tests of all operations as it is. Output is TAP.
# check_new_op.sh TEST_ALL_OPS
all_ops=$(realpath "$1")
cd "${FOVEA_SOURCE:?}" || exit 1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tests/golden" "$tree/build"
cp -r scripts kernels plugin .clang-format CONTRIBUTING.md "$tree"
cp tests/golden/make.py "$tree/tests/golden"
ln -s "$PWD/core" "$tree"
ln -s "$PWD/build/clang-format" "$tree/build" # where clang_format.sh looks, if the machine has no right one
ln -s "$PWD/tests/support" "$tree/tests"
cd "$tree" || exit 1
. "$FOVEA_SOURCE/tests/support/tap.sh"
refused() { ! scripts/new_op.sh "$@" 2>"$tree/said" && grep -q "$word" "$tree/said" && [ -z "$(find kernels -newer stamp -type f)" ]; }
listed() { sed -n '/^operations = /,/^]/p' kernels/meson.build | grep "/" | LC_ALL=C sort -c && grep -qx "  'filters/probe_it'," kernels/meson.build; }
compiles() { "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -fPIC -fopenmp -I. -Iplugin $(pkg-config --cflags gio-2.0) "$@"; }
formatted() { scripts/clang_format.sh --dry-run --Werror kernels/filters/probe_it.{c,h,cu} tests/kernels/filters/test_probe_it.c; }
twins() { [ "$(grep -l 'amount \* (2 - v)' kernels/filters/probe_it.*)" = kernels/filters/probe_it.c$'\n'kernels/filters/probe_it.h ] && grep -q 'return probe_it_value (v, &a)' kernels/filters/probe_it.cu && grep -q 'FV_CUDA_FN (probe_it_cuda)' kernels/filters/probe_it.c; }
golden() { cd tests/golden && /usr/bin/python3 -Bc '
import make, probe_it
small, *_, last = list(probe_it.cases())
assert abs(last.expect["image"] - 1.5 * (2 - last.inputs["image"])).max() < 1e-9
assert not small.expect["image"][small.inputs["image"] > 1].any(), "not clamped"'; }
# The header that CONTRIBUTING prints, in both languages that read it.
printed() {
  sed -n '/^1\. .kernels/,/^2\. /s/^       //p' CONTRIBUTING.md >printed.h
  grep -q '^typedef struct invert_args' printed.h || return
  printf '%s\n' '#include "printed.h"' '#include "printed.h"' 'extern fv_status (*twin) (const fv_call *, fv_error *);' \
    'fv_status (*twin) (const fv_call *, fv_error *) = invert_cuda;' | tee printed.c >printed.cpp
  compiles -c printed.c -o printed_c.o || return
  "${CXX:-c++}" -std=c++17 -D_GNU_SOURCE -Wall -Werror -Wno-missing-field-initializers -fopenmp -I. -Iplugin -c printed.cpp -o printed.o || return
  nm printed.o | grep -q ' U invert_cuda$'
}
passes() {
  printf '%s\n' '#include <fovea-plugin.h>' 'extern const fv_op fv_op_probe_it;' \
    'static const fv_op *const ops[] = {&fv_op_probe_it, NULL};' \
    'static const fv_plugin plugin = {.size = sizeof (fv_plugin), .abi = FV_ABI, .name = "probe", .version = "1", .ops = ops};' \
    'const fv_plugin *fv_plugin_open (uint32_t abi, fv_error *error) { (void) abi, (void) error; return &plugin; }' >probe.c
  mkdir -m 700 plugins
  compiles -shared probe.c kernels/filters/probe_it.c kernels/common/row{,s}.c plugin/openmp_compilers.c -lm -o plugins/probe.so || return
  FOVEA_PLUGIN_PATH=$tree/plugins "$all_ops" -p /all-ops/probe_it >said || { cat said; return 1; }
  grep -q 'ok 6 /all-ops/probe_it/nan' said
}

touch -d '1 minute ago' stamp
find kernels -exec touch -d '1 hour ago' {} +
word='not FAMILY/NAME' check 'a name without a family is refused' refused Invert
word='Unknown family' check 'an unknown family is refused' refused nothing/invert
word='not a formula' check 'an invalid formula is refused' refused filters/probe_it Probe 'sqrt (v)'
word='already' check 'an operation that is there is refused' refused filters/gaussian
check 'it makes an operation' scripts/new_op.sh filters/probe_it 'Probe & See...' 'amount * (2 - v)'
check 'the line is in the list' listed
check 'its files are formatted' formatted
check 'it passes the tests of all operations' passes
check 'both versions have the one formula' twins
check 'its test compiles' compiles -c tests/kernels/filters/test_probe_it.c -o test.o
check 'its golden script makes cases' golden
check 'the header in CONTRIBUTING is as the real ones' printed
echo "1..$n"
