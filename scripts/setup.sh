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

install_packages() {
  command -v apt-get >/dev/null || { echo "These packages are needed, please install them: $*" >&2; exit 1; }
  echo "Installing: $*" >&2
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# setup_build FOLDER [meson options]: configures once, builds what changed.
setup_build() {
  local folder=$1
  shift
  [ -f "$folder/build.ninja" ] || meson setup "$folder" "$@" >&2
  ninja -C "$folder" --quiet >&2
}
