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
  locale -a | grep -qix 'de_DE\.utf-\?8' || as_root localedef -i de_DE -f UTF-8 de_DE.UTF-8
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
setup_formatter() { scripts/clang_format.sh --version >/dev/null 2>&1 || pip_install build/clang-format clang-format==14.0.6; }

install_packages() {
  command -v apt-get >/dev/null || { echo "These packages are needed, please install them: $*" >&2; exit 1; }
  echo "Installing: $*" >&2
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# setup_build FOLDER [meson options]: configures once, and once more for other cards.
setup_build() {
  local folder=$1 options
  shift
  options=${*/--werror /}
  if [ ! -f "$folder/build.ninja" ]; then
    meson setup "$folder" "$@" >&2
  elif [[ $options == *-Dcuda=enabled* && $options != "$(cat "$folder/fovea-options" 2>/dev/null)" ]]; then
    meson setup --reconfigure "$folder" "$@" >&2
  else
    return 0
  fi
  echo "$options" >"$folder/fovea-options"
}
