#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The window on a display of its own: opens a sample, adds steps through its actions, undoes and redoes them, and must print no
# warning. Output is TAP. $1: the program.
program=$1 source=$(cd "$(dirname "$0")/../.." && pwd)
for tool in Xvfb dbus-run-session gdbus; do
  command -v "$tool" >/dev/null || { printf '1..1\nok 1 - window # SKIP %s is not installed\n' "$tool"; exit; }
done
work=$(mktemp -d)
mkdir -m 700 "$work/run"
export XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state
export GTK_A11Y=none GSK_RENDERER=cairo GDK_BACKEND=x11 GSETTINGS_BACKEND=memory GTK_USE_PORTAL=0 GIO_USE_VFS=local
export G_DEBUG=fatal-warnings LC_ALL=C.UTF-8 FOVEA_PROGRAM=$program FOVEA_WORK=$work FOVEA_SOURCE=$source
Xvfb -displayfd 7 -screen 0 1280x800x24 -nolisten tcp -noreset 7>"$work/display" 2>"$work/xvfb.log" &
xvfb=$!
trap 'kill $xvfb 2>/dev/null; wait $xvfb 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 200); do [ -s "$work/display" ] && break; sleep .05; done
DISPLAY=:$(cat "$work/display") timeout 120 dbus-run-session -- bash "$source/tests/ui/drive.sh"
