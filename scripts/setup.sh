# SPDX-License-Identifier: MIT
# Sourced by run.sh and test.sh, from the source root: installs what is missing, configures and builds.

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# setup_packages build|test: installs the missing packages of packages.txt.
setup_packages() {
  local wanted missing
  wanted=$(sed '/^#/d; /^$/d' packages.txt)
  [ "$1" = test ] && wanted=$(grep -v '^\[' <<<"$wanted") || wanted=${wanted%%\[test\]*}
  missing=$(for p in $wanted; do dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || echo "$p"; done)
  [ -z "$missing" ] || install_packages $missing
}

# The run-time library of clang's fuzzer has the compiler's version in its package's name.
setup_fuzzer() {
  local package
  package=libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || install_packages "$package" ||
    echo "$package cannot be installed: the fuzzers are skipped." >&2
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
    echo "These packages are needed, and you are not root and have no sudo. Somebody who is root can say: apt-get install $*" >&2
    return 1
  fi
  echo "Installing: $*" >&2
  try_apt update || true # what is known already may do
  try_apt install -y --no-install-recommends "$@" || { echo "These packages cannot be installed; what apt-get says is above: $*" >&2 && return 1; }
}

# setup_build FOLDER [meson options]: configures once, and once more for other cards.
setup_build() {
  local folder=$1 options
  shift
  options=${*/--werror /}
  if [ ! -f "$folder/build.ninja" ]; then
    meson setup "$folder" "$@" >&2
  elif [[ $options == *-Dcuda=enabled* && $options != "$(cat "$folder/fovea-options" 2>/dev/null)" ]]; then
    meson setup --reconfigure "$folder" -Dgpu_quick=false "$@" >&2
  else
    return 0
  fi
  echo "$options" >"$folder/fovea-options"
}
