#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a release: scripts/release.sh [--dry-run | --twice] [FOLDER], into build-release by default. It has the source, packages for this
# Debian, the tarball and the .run for other systems, the wheel, notes from CHANGELOG.md, and SHA256SUMS. --twice makes it a second time, and fails
# when a byte differs. It refuses, with every reason at once, when the tree is not what git has, when CHANGELOG.md has nothing of the version in
# meson.build, when that version is tagged elsewhere, or when no GPU has run the kernels as they are. It changes nothing in the tree.
# NVCC and GPU_ARCHS are for fovea-cuda, see scripts/packages.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
dry=false twice=false
case ${1:-} in
  --dry-run) dry=true && shift ;;
  --twice) twice=true && shift ;;
esac
folder=${1:-build-release}
version=$(scripts/version.sh)
name=fovea-$version
section() { awk -v head="## $version " 'index ($0 " ", head) == 1 { inside = 1; next } /^## / { inside = 0 } inside' CHANGELOG.md; }
reasons=()

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || reasons+=("meson.build has the version '$version', which is not three numbers")
[ -z "$(git status --porcelain)" ] || reasons+=("the tree is not what git has: $(git status --porcelain | sed -n 1,3p | tr -s "\n " " ")")
section | grep . >/dev/null || reasons+=("CHANGELOG.md has no section '## $version'")
tagged=$(git rev-parse -q --verify "refs/tags/v$version^{commit}" || true)
[ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] || reasons+=("v$version is another commit: ${tagged:0:12}")
unseen=$(tests/gpu/unseen_kernels.sh) || reasons+=("$unseen")

if [ ${#reasons[@]} -gt 0 ]; then
  echo "No release of $version:" >&2
  printf '  %s\n' "${reasons[@]}" >&2
  exit 1
fi
if $dry; then
  echo "Would make $name of $(git rev-parse --short HEAD) in $folder."
  exit
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# make FOLDER WORK: all of it; WORK is for what else is made on the way.
make() {
  local to=$1 work=$2
  scripts/fresh_folder.sh "$to"
  mkdir -p "$work"
  git archive --format=tar.gz --prefix="$name/" -o "$to/$name.tar.gz" HEAD
  scripts/packages.sh "$work/packages" >"$work/log"
  cp "$work"/packages/*.deb "$to"
  scripts/bundle.py "$work/bundle" >>"$work/log"
  cp "$work/bundle/$name"-linux-*.* "$to"
  scripts/wheel.py "$work/wheel" >>"$work/log"
  cp "$work"/wheel/*.whl "$to"
  section >"$to/NOTES.md"
  (cd "$to" && sha256sum ./*.* >SHA256SUMS)
  rm -rf "$work"
}
make "$folder" "$folder/work"
if $twice; then
  # In another folder, on which no byte may depend. But nvcc makes names from the path of a source, which has to be the same.
  again=$folder-again/work
  [ -z "${NVCC:-}" ] || again=$folder/work
  make "$folder-again" "$again"
  diff "$folder/SHA256SUMS" "$folder-again/SHA256SUMS" >&2 || { echo "The second time these files have other bytes; both are in $folder and $folder-again." >&2 && exit 1; }
  rm -rf "$folder-again"
fi
echo "Made $name of $(git rev-parse --short HEAD) in $folder:"
cat "$folder/SHA256SUMS"
[ -n "$tagged" ] || echo "Next: git tag -a v$version -m 'Fovea $version'"
