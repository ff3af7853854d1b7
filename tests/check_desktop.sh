#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What desktops read about the program is valid, by their own tools. Output is TAP. $1: the desktop file, $2: the AppStream file.
n=0
check() { # NAME TOOL ARGUMENTS...
  local name=$1 said
  shift
  n=$((n + 1))
  if ! command -v "$1" >/dev/null; then
    echo "ok $n - $name # SKIP $1 is not installed"
  elif said=$("$@" 2>&1); then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' <<<"$said"
  fi
}
check 'desktop file' desktop-file-validate "$1"
check 'AppStream file' appstreamcli validate --no-net "$2"
echo "1..$n"
