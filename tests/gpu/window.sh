#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tests and the benchmark of the window, in the small Debian that window_root.py made, on this machine's GPU:
# window.sh [CASE...], as root. The times are in times.json, beside the folders of that Debian.
set -euo pipefail
failed=0
root=$(cd "$(dirname "$0")/../../.." && pwd)
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --rbind /dev "$root/dev"
# The driver's library, which is of this machine.
driver=$(ldconfig -p | awk '/libcuda\.so\.1 / { print $NF; exit }')
[ -n "$driver" ] || { echo "no libcuda.so.1: no driver of a GPU here" >&2; exit 1; }
cp -L "$driver" "$root/usr/lib/x86_64-linux-gnu/libcuda.so.1"
for library in $(ldd "$driver" | awk '/libnvidia|libcuda/ { print $3 }') "$(dirname "$driver")"/libnvidia-ptxjitcompiler.so.1; do
  [ ! -e "$library" ] || cp -L "$library" "$root/usr/lib/x86_64-linux-gnu/"
done
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/usr/sbin HOME=/root LC_ALL=C.UTF-8 bash "$@"; }
inside /fovea/tests/ui/run.sh /fovea/build/ui/fovea-gtk /fovea/build/core/fovea /fovea/build/tests || failed=1
inside /fovea/tests/bench/interaction.sh /fovea/build/ui/fovea-gtk -o /times.json "$@"
exit $failed
