#!/bin/sh
# SPDX-License-Identifier: MIT
# Run by scripts/check_bundle.sh in a bare Debian: check_user.sh FILE.run. Output is TAP.
run=$1
if [ "$(id -u)" = 0 ]; then
  mkdir -p /home/user && chown 1000:1000 /home/user
  exec setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/user sh "$0" "$run"
fi
cd "$HOME" || exit 1
n=0
# check NAME COMMAND...
check() {
  name=$1 status=0
  shift
  n=$((n + 1))
  "$@" >said 2>&1 || status=$?
  [ $status = 0 ] || { sed 's/^/# /' said && printf 'not '; }
  echo "ok $n - $name"
}
began=$(date +%s)
sample=$HOME/.local/lib/fovea/share/fovea/samples/nuclei_rgb.tif
fovea=$HOME/.local/bin/fovea
measures() { "$fovea" run -q 'channel index=1 | gaussian sigma=2 | otsu | label | regionprops' "$sample" -t cells.csv && [ "$(wc -l <cells.csv)" -gt 10 ]; }
draws() { "$fovea" figure "$sample" figure.pdf text=A >figure.txt 2>&1 && ! grep -i warning figure.txt && [ "$(head -c 5 figure.pdf)" = %PDF- ]; }
opens_window() {
  timeout 20 "$fovea" "$sample" >window.txt 2>&1
  # A bare system has no session bus.
  [ $? = 124 ] && ! grep -v 'session bus' window.txt | grep -E 'WARNING|CRITICAL|ERROR'
}
is_removed() { "$HOME/.local/lib/fovea/uninstall.sh" && ! find .local .profile -type f -o -type l 2>/dev/null | grep -v '/state/\|/share/mime/\|mimeinfo.cache\|recently-used\|/share/fovea/' | grep .; }
check 'the .run installs' sh "$run"
sed 's/^/# /' said
check 'a sample becomes a table' measures
took=$(($(date +%s) - began))
echo "# from the .run to a table: $took s"
check 'within two minutes' [ "$took" -lt 120 ]
check 'a figure has letters' draws
if [ -n "${DISPLAY:-}" ]; then check 'the app runs until it is stopped' opens_window; fi
keeps_path() { PATH=$HOME/.local/bin:$PATH sh "$run" && [ "$(grep -c '# Fovea$' .profile)" = 1 ]; }
check 'a new version keeps PATH' keeps_path
check 'it removes itself' is_removed
echo "1..$n"
