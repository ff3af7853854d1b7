#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# leak_stacks.sh TEST...: runs a test. Stacks of allocations are cheap but end in libraries without frame pointers, such as GLib. When
# LeakSanitizer reports a leak, runs the test once more with complete, slow stacks for the report. The test has failed all the same.
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
set -o pipefail
{ "$@" 2>&1 >&3 3>&- | tee "$errors" >&2; } 3>&1
status=$?
if [ $status != 0 ] && grep -q 'LeakSanitizer: detected memory leaks' "$errors"; then
  echo 'The same with complete stacks:' >&2
  ASAN_OPTIONS=$ASAN_OPTIONS:fast_unwind_on_malloc=0 "$@" >/dev/null
fi
exit $status
