#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whether what was measured on GPUs was measured with these kernels. Output is TAP: results that are older are skipped, since
# only a machine with the GPU can renew them; unseen_kernels.sh says the same in a sentence. And whether write_result.py keeps what another call found with the same kernels, and nothing else.
cd "$(dirname "$0")" || exit 1
hash=$(./kernels_sha256.sh)
n=0
for file in results/*.json ../bench/results/nvidia-*.json; do
  [ -f "$file" ] || continue
  n=$((n + 1))
  note=''
  grep -q "\"kernels_sha256\": \"$hash\"" "$file" ||
    note=" # SKIP kernels/ has changed since $(grep -om1 '[0-9]\{4\}-[0-9]\{2\}-[0-9]\{2\}' "$file"): run it there again"
  echo "ok $n - $(realpath --relative-to=../.. "$file") is of these kernels$note"
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$PWD
mkdir "$folder/bin"
printf '#!/bin/sh\necho card\n' >"$folder/bin/nvidia-smi"
chmod +x "$folder/bin/nvidia-smi"
cd "$folder" || exit 1
ln -s "$here/.." tests
# write KERNELS NAME: as a call does that found one thing.
write() {
  echo "$1" >kernels.sha256
  printf '%s\t3\t2\t1\n' "$2" | PATH=$folder/bin:$PATH tests/gpu/write_result.py
}
said() { grep -c '"passed": 3, "failed": 2, "skipped": 1' result.json; }
write one tests && write one racecheck && [ "$(said)" = 2 ] && write one tests && [ "$(said)" = 2 ] && write two tests && [ "$(said)" = 1 ] || printf 'not '
n=$((n + 1))
echo "ok $n - results of parts add up, of the same kernels alone"

mkdir -p tree/{kernels,plugin} tree/tests/gpu/results
cp "$here"/{unseen_kernels,kernels_sha256}.sh tree/tests/gpu
echo 'int a;' >tree/kernels/a.c
unseen() { tree/tests/gpu/unseen_kernels.sh; }
good=true
[[ $(unseen) == *'Last runs: none.'* ]] || good=false
printf '{\n  "date": "2026-01-02",\n  "device": "card",\n  "kernels_sha256": "%s"\n}\n' "$(tree/tests/gpu/kernels_sha256.sh)" >tree/tests/gpu/results/card.json
unseen && [ -z "$(unseen)" ] || good=false
echo 'int b;' >tree/kernels/a.c
! unseen >said && grep -q 'Last runs: card on 2026-01-02\.' said || good=false
echo 'int a;' >tree/kernels/a.c
unseen || good=false
echo 'int c;' >tree/plugin/device.cu
! unseen >said || good=false
$good || printf 'not '
n=$((n + 1))
echo "ok $n - kernels that no GPU has run are said"
echo "1..$n"
