#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The window on a display of its own, used as a person uses it (run.py). Output is TAP.
# run.sh WINDOW COMMAND PLUGIN_FOLDER [--smoke | --rest | TEST...]; with FOVEA_SHOTS=FOLDER it leaves a picture of the screen for each failure.
window=$1 command=$2 plugins=$3 source=$(cd "$(dirname "$0")/../.." && pwd)
shift 3
skip() { printf '1..1\nok 1 - window # SKIP %s is not installed\n' "$1"; exit; }
for tool in Xvfb weston dbus-run-session gdbus xdotool xwd pngtopnm; do
  command -v "$tool" >/dev/null || skip "$tool"
done
/usr/bin/python3 -c 'import gi, numpy, tifffile; gi.require_version("Atspi", "2.0"); gi.require_version("Gtk", "4.0")' 2>/dev/null || skip "one of Python's gi with Atspi and Gtk 4, numpy, tifffile"
shared=$(mktemp -d)
trap 'rm -rf "$shared"' EXIT

# With a display, a bus and a home of its own.
worker() {
  work=$(mktemp -d)
  mkdir -m 700 "$work/run"
  export XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state
  export GTK_A11Y=atspi GSK_RENDERER=cairo GDK_BACKEND=x11 GSETTINGS_BACKEND=memory GTK_USE_PORTAL=0 GIO_USE_VFS=local
  export LC_ALL=C.UTF-8 LANGUAGE= FOVEA_PROGRAM=$window FOVEA_COMMAND=$command FOVEA_PLUGIN_PATH=$plugins FOVEA_WORK=$work FOVEA_SHARED=$shared
  Xvfb -displayfd 7 -screen 0 1280x800x24 -nolisten tcp -noreset 7>"$work/display" 2>"$work/xvfb.log" &
  xvfb=$!
  trap 'kill $xvfb 2>/dev/null; wait $xvfb 2>/dev/null; rm -rf "$work"' EXIT
  for _ in $(seq 200); do [ -s "$work/display" ] && break; sleep .05; done
  # Menus of tutorials' pictures have shadows, not black corners.
  [ -z "${FOVEA_TUTORIALS:-}" ] || DISPLAY=:$(cat "$work/display") xcompmgr -n &
  # The bus and what it starts talk on standard output, too; only the tests may.
  local status=0
  DISPLAY=:$(cat "$work/display") PYTHONDONTWRITEBYTECODE=1 timeout 1800 dbus-run-session -- \
    sh -c 'exec /usr/bin/python3 "$@" >&3' sh "$source/tests/ui/run.py" "$@" 3>&1 >"$work/bus.log" 2>&1 || status=$?
  [ $status = 0 ] || { echo "# ended with status $status"; tail -n 20 "$work/bus.log" | sed 's/^/# /'; }
  return $status
}

# Three for each processor, since each waits most of the time; six at most; few tests are for one.
workers=$(($(nproc) * 3))
case $* in '' | --smoke | --rest) ;; *) workers=1 ;; esac
started=()
for ((n = 0; n < workers && n < 6; n++)); do
  (worker "$@") &
  started+=($!)
done
status=0
for one in "${started[@]}"; do
  wait "$one" || status=1
done
exit $status
