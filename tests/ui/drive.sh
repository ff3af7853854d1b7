#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run by run.sh, inside the session of the display: drives the window by the actions that menus, keys and buttons activate, too.
name=org.fovea.Fovea window=/org/fovea/Fovea/window/1 n=0 failed=0
"$FOVEA_PROGRAM" "$FOVEA_SOURCE/data/samples/nuclei_rgb.tif" >"$FOVEA_WORK/out" 2>"$FOVEA_WORK/err" &
program=$!

check() { # NAME COMMAND...: until it is true, for 30 seconds at most
  local what=$1 i
  shift
  n=$((n + 1))
  for i in $(seq 300); do
    "$@" >/dev/null 2>&1 && { echo "ok $n - $what"; return; }
    kill -0 "$program" 2>/dev/null || break
    sleep .1
  done
  echo "not ok $n - $what"
  sed 's/^/# /' "$FOVEA_WORK/err" | head -n 20
  failed=1
}
call() { gdbus call --session --dest "$name" --object-path "$1" --method "org.gtk.Actions.$2" "${@:3}"; }
activate() { call "$window" Activate "$1" "${2:-[]}" '{}'; }
# describe ACTION: "(true, ...)" when it is enabled
enabled() { call "$window" Describe "$1" | grep -q '^((true'; }
disabled() { call "$window" Describe "$1" | grep -q '^((false'; }
running() { kill -0 "$program"; }

check 'the window comes up with the image' enabled zoom-in
check 'nothing can be undone at first' disabled undo
for step in channel gaussian otsu erosion label regionprops label2rgb; do
  check "add $step" activate add-step "[<'$step'>]"
done
check 'steps can be undone' enabled undo
for action in zoom-in zoom-100 zoom-fit zoom-out undo undo undo; do
  check "$action" activate "$action"
done
check 'steps can be redone' enabled redo
check 'redo' activate redo
check 'a step that cannot run does no harm' activate add-step "[<'label2rgb'>]"
check 'undo' activate undo
sleep 1
check 'it still runs' running
check 'quit with steps that were not saved' call /org/fovea/Fovea Activate quit '[]' '{}'
sleep 1
check 'asks first' running
check 'without steps' activate set-steps "[<''>]"
check 'quit' call /org/fovea/Fovea Activate quit '[]' '{}'
wait "$program"
status=$?
n=$((n + 1))
if [ "$status" = 0 ]; then echo "ok $n - ends well"; else echo "not ok $n - ended with status $status"; failed=1; fi
n=$((n + 1))
if grep -qE 'WARNING|CRITICAL' "$FOVEA_WORK/err"; then
  echo "not ok $n - warnings"
  sed 's/^/# /' "$FOVEA_WORK/err"
  failed=1
else
  echo "ok $n - no warnings"
fi

# Killed with steps, it offers them again.
kept() { grep -qs "steps=$1" "$XDG_STATE_HOME"/fovea/sessions/*.session; }
nothing_kept() { ! ls "$XDG_STATE_HOME"/fovea/sessions/*; }
"$FOVEA_PROGRAM" "$FOVEA_SOURCE/data/samples/stack.tif" >"$FOVEA_WORK/out" 2>"$FOVEA_WORK/err" &
program=$!
check 'nothing was left of the first time' disabled restore
check 'the image is there' enabled zoom-in
check 'set steps' activate set-steps "[<'gaussian sigma=3 | otsu'>]"
check 'they are kept' kept 'gaussian sigma=3 | otsu'
kill -KILL "$program"
wait "$program" 2>/dev/null
"$FOVEA_PROGRAM" >"$FOVEA_WORK/out" 2>"$FOVEA_WORK/err" &
program=$!
check 'after a crash it offers to restore' enabled restore
check 'restore' activate restore
check 'the steps are there' enabled undo
check 'and still kept' kept 'gaussian sigma=3 | otsu'
check 'without steps' activate set-steps "[<''>]"
check 'quit' call /org/fovea/Fovea Activate quit '[]' '{}'
wait "$program"
check 'nothing stays after a clean end' nothing_kept
echo "1..$n"
exit $failed
