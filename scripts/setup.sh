# SPDX-License-Identifier: MIT
# Sourced by run.sh and test.sh, from the source root: installs what is missing, configures and builds.

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Packages of packages.txt: listed_packages build|test. The tests need all of them.
listed_packages() {
  sed "/^#/d; /^$/d; $([ "$1" = test ] && echo '/^\[test\]$/d' || echo '/^\[test\]$/,$d')" packages.txt
}

installed_packages() { dpkg-query -W -f='${Package} ${Status}\n' "$@" 2>/dev/null | sed -n 's/ install ok installed$//p'; }

# setup_packages build|test: installs what is missing.
setup_packages() {
  local wanted missing
  wanted=$(listed_packages "$1")
  missing=$(grep -vxF "$(installed_packages $wanted)" <<<"$wanted") || return 0
  install_packages $missing
}

# The tests of decimal points want a language that writes a comma.
setup_locale() {
  grep -qix 'de_DE\.utf-\?8' <<<"$(locale -a)" || as_root localedef -i de_DE -f UTF-8 de_DE.UTF-8 ||
    echo "The German locale cannot be made: tests of decimal points are skipped." >&2
}

# pip_install FOLDER PACKAGE...: Python's packages in a folder of their own.
pip_install() {
  local folder=$1
  shift
  python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
  rm -rf "$folder"
  python3 -m pip install --quiet --no-deps --no-compile --only-binary :all: --root-user-action ignore --target "$folder" "$@" >&2
}

# Another version of the formatter would have other wishes, and each system has another.
setup_formatter() {
  scripts/clang_format.sh --version >/dev/null 2>&1 || pip_install build/clang-format clang-format==14.0.6 ||
    echo "clang-format 14 cannot be had: the test of style will fail." >&2
}

# try_apt ARGUMENT...: waits for another that holds the lock, and tries again when the network is away for a moment.
try_apt() {
  local left
  for left in 2 1 0; do
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" >/dev/null && return
    [ $left = 0 ] || { echo "apt-get $1 failed; trying again in 10 seconds." >&2 && sleep 10; }
  done
  return 1
}

install_packages() {
  if ! command -v apt-get >/dev/null; then
    echo "These packages are needed, please install them: $*" >&2
    return 1
  elif [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    echo "Packages are missing, and installing them needs root or sudo. An administrator can run: apt-get install $*" >&2
    return 1
  fi
  echo "Installing: $*" >&2
  try_apt update || true # what is known already may do
  try_apt install -y --no-install-recommends "$@" || { echo "These packages cannot be installed; what apt-get says is above: $*" >&2 && return 1; }
}

# What decides what configuring finds: packages, libraries, and the programs that the build files look for.
found_tools() {
  local programs
  programs=$(sed -n "s/.*find_program('\([a-z0-9-]*\)'.*/\1/p" meson.build */meson.build)
  installed_packages $(listed_packages test) || true
  pkg-config --list-all | cut -d' ' -f1 | sort
  command -v meson $programs || true
}

# setup_build FOLDER -DOPTION=VALUE...: configures, and does it again when an option or what is installed has changed since. Options that an
# earlier call set stay: run.sh does not undo what test.sh wants of the same folder.
setup_build() {
  local folder=$1 record=$1/fovea-setup memory=$1/meson-private/coredata.dat options state
  shift
  options=$({ grep '^-D' "$record" 2>/dev/null || true; printf '%s\n' "$@"; } |
    awk -F= '{ last[$1] = $0 } END { for (name in last) print last[name] }' | sort)
  state=$(echo "$options" && found_tools)
  [ ! -f "$folder/build.ninja" ] || [ ! -f "$memory" ] || [ "$state" != "$(cat "$record" 2>/dev/null)" ] || return 0
  mapfile -t options <<<"$options"
  # Meson would remember what was missing. What is built stays.
  rm -f "$memory"
  meson setup "$folder" "${options[@]}" >&2 || return
  echo "$state" >"$record"
}

# prepare build|test: installs what is missing and configures the folder `build`.
prepare() {
  setup_packages "$1"
  choose_cuda
  local options=("${cuda_options[@]}")
  [ "$1" = build ] || options+=(-Dwerror=true)
  setup_build build "${options[@]}"
}

# One build with AddressSanitizer and UBSan for unit tests and fuzzers. The packages of clang's run-time libraries have its version in their names.
setup_sanitizers() {
  local version package
  version=$(clang -dumpversion | cut -d. -f1)
  for package in "libclang-rt-$version-dev" "libomp-$version-dev"; do
    [ -n "$(installed_packages "$package")" ] || install_packages "$package"
  done
  # Meson takes ccache, where it is, for a compiler that it has chosen itself.
  CC="$(command -v ccache) clang" CXX="$(command -v ccache) clang++" setup_build build-clang -Dwarning_level=0 -Dsanitize=true \
    -Dfuzz=true -Dcuda=disabled -Dui=disabled -Dbuildtype=debugoptimized
}
