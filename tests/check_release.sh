#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/release.sh rejects trees that cannot be released, with the reason, and makes a release of a small tree. Output is TAP.
cd "${FOVEA_SOURCE:?}" || exit 1
command -v git >/dev/null || { echo '1..0 # SKIP git is not installed'; exit; }
tree=$(mktemp -d)
trap 'rm -rf "$tree" "$tree.sh"' EXIT
mkdir -p "$tree"/{scripts,plugin,kernels,tests/gpu/results,tests/bench/results}
cp scripts/{fresh_folder,release,version}.sh "$tree/scripts"
# What is made of a release is the work of these scripts; here each makes one file in the folder that it is told.
make_script() { printf '#!/bin/sh\nmkdir -p "$1" && echo %s >"$1/%s"\n' "$3" "$2" >"$tree/scripts/$1" && chmod +x "$tree/scripts/$1"; }
make_script packages.sh fovea_0.3.0_amd64.deb package
make_script bundle.py fovea-0.3.0-linux-x86_64.run bundle
echo 'mkdir "$1/fovea-0.3.0-linux-x86_64"' >>"$tree/scripts/bundle.py"
make_script wheel.py fovea-0.3.0-cp39-abi3.whl wheel
cp tests/gpu/{kernels_sha256,unseen_kernels}.sh "$tree/tests/gpu"
cd "$tree" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
n=0

commit() { git add -A && git -c user.name=n -c user.email=n@localhost commit -qm "$1"; }
# measure NAME: a GPU runs the kernels as they are.
measure() { printf '{\n  "date": "2026-01-02",\n  "device": "%s",\n  "kernels_sha256": "%s"\n}\n' "$1" "$(tests/gpu/kernels_sha256.sh)" >"tests/gpu/results/$1.json"; }
# check NAME STATUS WORDS ARGUMENT...: how it ends, and what it says.
check() {
  local name=$1 status=$2 words=$3 said ended=0
  shift 3
  said=$(scripts/release.sh "$@" 2>&1) || ended=$?
  n=$((n + 1))
  if [ "$ended" = "$status" ] && [[ $said == *"$words"* ]]; then echo "ok $n - $name"; else
    printf 'not ok %s - %s\n# it ends with %s and says\n' "$n" "$name" "$ended"
    sed 's/^/# /' <<<"$said"
  fi
}

git init -q
printf "project('fovea', 'c',\n  version: '0.3.0',\n" >meson.build
# The section is longer than what a pipe holds.
printf '# Changes\n\n## 0.3.0 (2026-01-02)\n\n- All of it.\n%s\n\n## 0.2.0 (2026-01-01)\n' "$(seq -f '- %.0f' 20000)" >CHANGELOG.md
echo '/build*/' >.gitignore
echo 'int a;' >kernels/a.c
commit first
check 'without results of a GPU' 1 'No GPU has run kernels/ as it is now. Last runs: none.' --dry-run
measure first
check 'a tree with a file that git has not' 1 'not what git has: ?? tests/gpu/results' --dry-run
commit measured
check 'a dry run' 0 'Would make fovea-0.3.0 of' --dry-run
[ -e build-release ] && echo 'not ok - a dry run writes'
check 'a release' 0 'Made fovea-0.3.0 of'
check 'the tree stays as it was' 0 'Would make' --dry-run
n=$((n + 1))
[ "$(cd build-release && sha256sum --quiet -c SHA256SUMS && ls)" = "$(printf '%s\n' NOTES.md SHA256SUMS fovea-0.3.0-cp39-abi3.whl fovea-0.3.0-linux-x86_64.run fovea-0.3.0.tar.gz fovea_0.3.0_amd64.deb)" ] &&
  grep -qx -- '- All of it.' build-release/NOTES.md || printf 'not '
echo "ok $n - it has all files, their checksums and the notes"
n=$((n + 1))
tar -tzf build-release/fovea-0.3.0.tar.gz 2>/dev/null | grep -qx 'fovea-0.3.0/kernels/a.c' || printf 'not '
echo "ok $n - the tarball has the tree"
mkdir thesis && echo mine >thesis/thesis.tex && echo '/thesis/' >>.git/info/exclude
check 'a folder with files of its own' 1 'thesis has other files' thesis
n=$((n + 1))
[ "$(cat thesis/thesis.tex)" = mine ] || printf 'not '
echo "ok $n - which stay"
check 'a release with the same bytes twice' 0 'Made fovea-0.3.0 of' --twice
cp scripts/packages.sh "$tree.sh"
printf 'echo "$1" >>"$1/fovea_0.3.0_amd64.deb"\n' >>scripts/packages.sh
commit 'a package with the path of its source'
check 'a release with bytes that depend on the folder' 1 'other bytes' --twice
NVCC=nvcc check 'nvcc has the same folder twice' 0 'Made fovea-0.3.0 of' --twice
mv "$tree.sh" scripts/packages.sh
commit 'a package without it'
printf 'date +%%N >>"$1/fovea-0.3.0-cp39-abi3.whl"\n' >>scripts/wheel.py
commit 'a wheel with its time'
check 'a release with other bytes the second time' 1 'other bytes' --twice
echo 'int b;' >kernels/a.c
commit kernels
check 'results that are older than the kernels' 1 'No GPU has run kernels/ as it is now. Last runs: first on 2026-01-02.' --dry-run
measure second
commit measured
check 'one GPU that has run them is enough' 0 'Would make' --dry-run
sed -i 's/0\.3\.0/0.2.0/' meson.build
commit 'another version'
check 'a section with nothing in it' 1 "CHANGELOG.md has no section '## 0.2.0'" --dry-run
sed -i 's/0\.2\.0/0.30.0/' meson.build
commit 'another version'
check 'a version that CHANGELOG has not' 1 "CHANGELOG.md has no section '## 0.30.0'" --dry-run
sed -i 's/0\.30\.0/0.3.0/' meson.build
git tag v0.3.0
commit 'as before'
check 'a version that is another commit already' 1 'v0.3.0 is another commit' --dry-run
echo "1..$n"
