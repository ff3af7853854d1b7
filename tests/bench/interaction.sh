#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How smoothly the window moves: the real program on a display of its own, dragged, panned and zoomed (interaction.py).
# interaction.sh WINDOW [-o FILE.json] [CASE...]; cases: start stall 'latency 2048' 'latency 4096' 'preview 16384' plane stack slide; check alone judges, as TAP.
window=$(realpath "$1") command=$(dirname "$(realpath "$1")")/../command/fovea tests=$(cd "$(dirname "$0")/.." && pwd)
shift
skip() { printf '1..1\nok 1 - interaction # SKIP %s is not installed\n' "$1"; exit; }
for tool in Xvfb dbus-run-session gdbus xdotool; do
  command -v "$tool" >/dev/null || skip "$tool"
done
/usr/bin/python3 -c 'import gi, numpy, scipy, tifffile; gi.require_version("Atspi", "2.0")' 2>/dev/null ||
  skip 'the Python interface to AT-SPI, NumPy, SciPy or tifffile'
work=$(mktemp -d)
mkdir -m 700 "$work/run"
export XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state
export GTK_A11Y=atspi GSK_RENDERER=${GSK_RENDERER:-cairo} GDK_BACKEND=x11 GSETTINGS_BACKEND=memory GTK_USE_PORTAL=0 GIO_USE_VFS=local
export LC_ALL=C.UTF-8 LANGUAGE= FOVEA_PROGRAM=$window FOVEA_COMMAND=$command FOVEA_WORK=$work FOVEA_TIMES=$work/times
Xvfb -displayfd 7 -screen 0 1600x1200x24 -nolisten tcp -noreset 7>"$work/display" 2>"$work/xvfb.log" &
xvfb=$!
trap 'kill $xvfb 2>/dev/null; wait $xvfb 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 200); do [ -s "$work/display" ] && break; sleep .05; done
# The bus and what it starts talk on both outputs; only the program may.
DISPLAY=:$(cat "$work/display") PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$tests/ui timeout 560 dbus-run-session -- \
  sh -c 'exec /usr/bin/python3 "$@" >&3 2>&4' sh "$tests/bench/interaction.py" "$@" 3>&1 4>"$work/errors" >"$work/bus.log" 2>&1
rc=$?
grep -v -e dbind -e '^$' "$work/errors" >&2
exit $rc
