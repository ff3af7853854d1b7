#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tests and the benchmark of the window, in the small Debian that window_root.py made, on this machine's GPU:
# window.sh [CASE...], as root. The times are in times.json, beside the folders of that Debian.
set -euo pipefail
failed=0
root=$(cd "$(dirname "$0")/../../.." && pwd)
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --rbind /dev "$root/dev"
mountpoint -q "$root/sys" || mount --rbind /sys "$root/sys"
# The driver's libraries are this machine's.
driver=$(python3 -c "import ctypes
ctypes.CDLL('libcuda.so.1')
print(next(line.split()[-1] for line in open('/proc/self/maps') if 'libcuda.so' in line))")
cp -L "$driver" "$root/usr/lib/x86_64-linux-gnu/libcuda.so.1"
for library in "$(dirname "$driver")"/libnvidia-{ptxjitcompiler,gpucomp,nvvm}*.so*; do
  [ ! -e "$library" ] || cp -L "$library" "$root/usr/lib/x86_64-linux-gnu/"
done
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/usr/sbin HOME=/root LC_ALL=C.UTF-8 bash "$@"; }
inside -c '/fovea/build/command/fovea devices | tee /dev/stderr | grep -q "^cuda:0"' || { echo 'the GPU cannot be used' >&2; exit 1; }
inside /fovea/tests/ui/run.sh /fovea/build/ui/fovea-gtk /fovea/build/command/fovea /fovea/build/tests || failed=1
inside /fovea/tests/bench/interaction.sh /fovea/build/ui/fovea-gtk -o /times.json "$@"
exit $failed
