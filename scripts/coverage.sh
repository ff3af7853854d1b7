#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How much of command, core, kernels and plugin the suites unit, ops, golden and cli run through: lines and branches of each file in
# build-coverage/index.html, the sums on standard output. Needs gcovr. The window and CUDA are not in it.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v gcovr >/dev/null || { echo "gcovr is not installed; it is a package of that name." >&2; exit 1; }
build=build-coverage
[ -f $build/build.ninja ] || meson setup $build -Db_coverage=true -Dcuda=disabled -Dui=disabled -Doptimization=1 -Ddebug=true \
  -Dc_args=-fprofile-update=atomic >&2
ninja -C $build --quiet >&2
find $build -name '*.gcda' -delete
status=0
meson test -C $build --no-rebuild --timeout-multiplier 4 --suite unit --suite ops --suite golden --suite cli >&2 || status=$?
gcovr --root . --object-directory $build --filter command/ --filter core/ --filter kernels/ --filter plugin/ --exclude-unreachable-branches \
  --html-details $build/index.html --print-summary
exit $status
