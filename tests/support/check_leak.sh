#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_leak.sh LEAK: a program that leaks fails, and its report has the line that allocated, behind GLib. Output is TAP.
said=$("${FOVEA_SOURCE:?}/tests/support/leak_stacks.sh" "$1" 2>&1)
status=$?
# check NUMBER NAME COMMAND...
check() {
  if "${@:3}"; then echo "ok $1 - $2"; else
    echo "not ok $1 - $2"
    sed 's/^/# /' <<<"$said"
  fi
}
echo 1..3
check 1 'a leak is a failure' test $status != 0
check 2 'it is reported with its line' grep -q 'in leaks .*leak\.c:' <<<"$said"
said=$("$FOVEA_SOURCE/tests/support/leak_stacks.sh" bash -c 'echo out; echo error >&2; exit 3' 2>/dev/null && echo passed || echo "status $?")
check 3 'what does not leak runs once, with its output and status' test "$said" = $'out\nstatus 3'
