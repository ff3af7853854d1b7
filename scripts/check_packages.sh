#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages of the last commit on a Debian, reads them with lintian, installs them on another one that is bare, and runs debian/tests there.
# Output is TAP. scripts/check_packages.sh RELEASE FOLDER: a code name, such as bookworm, and a folder that keeps both systems; the packages are then in
# FOLDER/packages. With NVCC, of a toolkit in one folder, fovea-cuda is one of them, see scripts/packages.sh. Needs root and debootstrap.
set -uo pipefail
release=$1 folder=$(realpath -m "$2")
scripts=$(cd "$(dirname "$0")" && pwd)
. "$scripts/../tests/support/tap.sh"
packages=(libfovea-dev python3-fovea fovea) tests=(command python library) toolkit=() options=()
if [ -n "${NVCC:-}" ]; then
  packages+=(fovea-cuda) tests+=(cuda)
  toolkit=(--bind "$(realpath "$(dirname "$NVCC")/.."):/opt/cuda")
  options=(NVCC=/opt/cuda/bin/nvcc "GPU_ARCHS=${GPU_ARCHS:-}" "OPTIONS=${OPTIONS:-}")
fi
builder() { "$scripts/chroot.sh" "${toolkit[@]}" "$release" "$folder/builder" sh -ec "cd /srv/fovea && export DEBIAN_FRONTEND=noninteractive && $1"; }
bare() { "$scripts/chroot.sh" --fresh --bind "$folder/packages:/mnt" --bind "$scripts/../debian/tests:/srv" "$release" "$folder/bare" sh -ec "export DEBIAN_FRONTEND=noninteractive && $1"; }
clone() {
  local to=$folder/builder/system/srv/fovea
  "$scripts/chroot.sh" "$release" "$folder/builder" true && rm -rf "$to" && git clone -q "file://$(cd "$scripts/.." && pwd)" "$to"
}
build() { builder "env ${options[*]@Q} nice scripts/packages.sh build-packages --jobs=${JOBS:-2}" && rm -rf "$folder/packages" && cp -r "$folder/builder/system/srv/fovea/build-packages" "$folder/packages"; }
mkdir -p "$folder"
check 'a clone' clone &&
  check 'what the build needs is installed' builder 'apt-get -qq update && apt-get -qq install -y git lintian dpkg-dev >/dev/null && apt-get -qq build-dep -y ./ >/dev/null' &&
  check 'packages are built' build &&
  check 'lintian has neither errors nor warnings' builder 'lintian --allow-root --fail-on error,warning build-packages/*.changes' &&
  for test in "${tests[@]}"; do
    depends=$(sed -n "/^Tests: $test$/,/^$/s/^Depends: //p" "$scripts/../debian/tests/control" | tr -d ,)
    for package in "${packages[@]}"; do depends=$(sed -E "s#(^| )$package( |\$)#\1/mnt/${package}_*.deb\2#" <<<"$depends"); done
    check "debian/tests/$test on a bare system" bare "apt-get -qq update && apt-get -qq install -y --no-install-recommends /mnt/libfovea0_*.deb $depends >/dev/null && /srv/$test"
  done
echo "1..$n"
