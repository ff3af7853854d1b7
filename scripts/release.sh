#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the tarball of a release: scripts/release.sh [--dry-run] [FOLDER], into build-release unless told otherwise.
# Refuses, with every reason at once, when the tree is not what git has, when CHANGELOG.md has nothing of the version in meson.build,
# when that version is tagged elsewhere, or when the results of GPUs are older than the kernels. Changes nothing in the tree.
set -euo pipefail
cd "$(dirname "$0")/.."
dry=false
[ "${1:-}" = --dry-run ] && { dry=true; shift; }
folder=${1:-build-release}
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build | head -n 1)
tarball=$folder/fovea-$version.tar.gz
reasons=()

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || reasons+=("meson.build has the version '$version', which is not three numbers")
[ -z "$(git status --porcelain)" ] || reasons+=("the tree is not what git has: $(git status --porcelain | sed -n 1,3p | tr -s "\n " " ")")
[ -n "$(awk -v head="## $version " 'index ($0 " ", head) == 1 { inside = 1; next } /^## / { inside = 0 } inside && NF' CHANGELOG.md)" ] ||
  reasons+=("CHANGELOG.md has no section '## $version'")
tagged=$(git rev-parse -q --verify "refs/tags/v$version^{commit}" || true)
[ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] || reasons+=("v$version is another commit: ${tagged:0:12}")
results=$(tests/gpu/check_results.sh)
old=$(sed -n 's/^ok [0-9]* - \(.*\) is of these kernels # SKIP.*/\1/p' <<<"$results" | xargs)
[ -z "$old" ] || reasons+=("results of GPUs are older than kernels/: $old")
[[ $results == ok* ]] || reasons+=("there are no results of GPUs")

if [ ${#reasons[@]} -gt 0 ]; then
  echo "No release of $version:" >&2
  printf '  %s\n' "${reasons[@]}" >&2
  exit 1
fi
if $dry; then
  echo "Would make $tarball of $(git rev-parse --short HEAD)."
  exit
fi
mkdir -p "$folder"
git archive --format=tar.gz --prefix="fovea-$version/" -o "$tarball.part" HEAD
mv "$tarball.part" "$tarball"
echo "Made $tarball of $(git rev-parse --short HEAD), $(du -h "$tarball" | cut -f1)."
sha256sum "$tarball"
[ -n "$tagged" ] || echo "Next: git tag -a v$version -m 'Fovea $version'"
