#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A leak is reported with the line of the source that made it, not with GLib's alone. check_leak.sh LEAK; output is TAP.
said=$("$1" 2>&1)
echo 1..1
grep -q 'in leaks .*leak\.c:' <<<"$said" && echo 'ok 1 - a leak is reported with its line' || {
  echo 'not ok 1 - a leak is reported with its line'
  sed 's/^/# /' <<<"$said"
}
