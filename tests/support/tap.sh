# SPDX-License-Identifier: MIT
# For scripts whose output is TAP; they end with: echo "1..$n".
n=0
# check NAME COMMAND...: passes when the command succeeds, and fails then, too; otherwise shows the end of its output.
check() {
  local name=$1 said status=0
  shift
  n=$((n + 1))
  said=$("$@" 2>&1) || status=$?
  if [ $status = 0 ]; then echo "ok $n - $name"; else
    tail -n 30 <<<"$said" | sed 's/^/# /'
    echo "not ok $n - $name"
  fi
  return $status
}
