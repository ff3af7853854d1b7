#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What run.sh and test.sh do on a machine that lacks packages, with a made-up apt-get, and how they configure, with the real Meson. Output is TAP.
set -uo pipefail
. "${FOVEA_SOURCE:?}/scripts/setup.sh"
work=$(realpath "$(mktemp -d)")/neu-ä\ x
mkdir "$work"
trap 'PATH=$real rm -rf "${work%/*}"' EXIT
cd "$work" || exit 1
mkdir bin
for tool in env grep sed awk sort cut cat bash; do ln -s "$(command -v $tool)" bin; done
real=$PATH
printf '# Packages.\none\ntwo\n[test]\nthree\n' >packages.txt
# Has the packages in the file `installed`.
cat >bin/dpkg-query <<'FILE'
#!/usr/bin/env bash
for package in "$@"; do grep -qx -- "$package" installed && echo "$package install ok installed"; done
FILE
# Fails as often as there are lines in the file `failing`; installs what it is told.
cat >bin/apt-get <<'FILE'
#!/usr/bin/env bash
echo "$*" >>calls
if [ -s failing ]; then
  sed -i 1d failing
  echo 'E: Could not get lock /var/lib/dpkg/lock-frontend' >&2
  exit 100
fi
case " $* " in *' install '*) for word in "$@"; do case $word in one | two | three) echo "$word" >>installed ;; esac; done ;; esac
FILE
chmod +x bin/*
PATH=$work/bin
hash -r
n=0 user=0
id() { echo $user; }
sleep() { echo "$1" >>pauses; }
fresh() { : >calls && : >pauses && : >failing && : >installed; }
# check NAME COMMAND...
check() {
  local not='not '
  n=$((n + 1))
  "${@:2}" && not=
  echo "${not}ok $n - $1"
  [ -z "$not" ] || sed 's/^/# /' said calls
}
lines() { [ "$(grep -c '' "$1")" = "$2" ]; }
installs() { setup_packages "$1" 2>said; }
fails() { ! setup_packages "$1" 2>said && grep -q "$2" said; }

fresh
check 'what is missing is installed' installs build
check 'and nothing for the tests' lines installed 2
check 'the rest with the tests' installs test
check 'with three packages then' lines installed 3
fresh
printf 'one\ntwo\n' >installed
check 'with everything there' installs build
check 'apt-get is not asked' lines calls 0
fresh
printf '1\n2\n' >failing
check 'a lock that is held for a while is waited for' installs build
check 'twice' lines pauses 2
fresh
printf '%s\n' 1 2 3 4 5 6 7 8 9 >failing
check 'a network that stays away is an error with the packages' fails build 'cannot be installed.*one two$'
check 'and what apt-get has said' grep -q 'Could not get lock' said
check 'after three tries' lines calls 6
fresh
user=1000
check 'without root and sudo it says what to do' fails build 'apt-get install one two$'
check 'and does nothing' lines calls 0
check 'setup continues without a locale that cannot be made' eval 'locale() { :; }; setup_locale 2>said && grep -q "German locale" said'
printf '#!/usr/bin/env bash\necho sudo >>asked\nexec "$@"\n' >bin/sudo && PATH=$real chmod +x bin/sudo
check 'with sudo' installs build
check 'which was asked' test -s asked
PATH=$real rm bin/apt-get
fresh
check 'a system without apt-get names the packages' fails build 'please install them: one two$'

# A small project that looks, as ours does, for a header and a program of test packages.
PATH=$real
mkdir found part
printf "project('small', 'c')\nmessage('header:', meson.get_compiler('c').has_header('of_tests.h'))\nsubdir('part')\n" >meson.build
echo "message('program:', find_program('program-of-tests', required: false).found())" >part/meson.build
printf "option('cuda', type: 'feature')\noption('nvcc', type: 'string')\n" >meson_options.txt
export CPATH=$work/found PATH=$work/found:$real
choose_cuda() { cuda_options=(-Dcuda=disabled); }
installed_packages() { :; }
# Test packages bring the header and the program.
setup_packages() {
  [ "$1" = build ] || { touch found/of_tests.h && printf '#!/bin/sh\n' >found/program-of-tests && PATH=/usr/bin:/bin chmod +x found/program-of-tests; }
}
meson() { echo "$1" >>configured && command meson "$@"; }
# configures COMMAND TIMES WERROR FOUND: how often the command calls Meson, and what the folder is configured with afterwards.
configures() {
  : >configured
  prepare "$1" >>said 2>&1 && lines configured "$2" &&
    [ "$(command meson introspect build --buildoptions | python3 -c 'import json, sys; print(*[o["value"] for o in json.load(sys.stdin) if o["name"] in ("werror", "cuda")])')" = "$3 disabled" ] &&
    [ "$(grep -cE "Message: (header|program): $4" build/meson-logs/meson-log.txt)" = 2 ]
}
: >said
check 'run.sh configures without what tests need' configures build 1 False false
check 'and once' configures build 0 False false
check 'test.sh then finds what it has installed, and wants no warnings' configures test 1 True true
check 'once, too' configures test 0 True true
check 'run.sh leaves that as it is' configures build 0 True true
check 'and test.sh does' configures test 0 True true
rm -r build found/*
check 'test.sh first configures the same' configures test 1 True true
check 'run.sh after it' configures build 0 True true
rm build/fovea-setup
check 'a folder that was configured by hand is configured for the tests' configures test 1 True true
choose_cuda() { cuda_options=(-Dcuda=disabled "-Dnvcc=that of another GPU"); }
check 'another option, with a blank, configures again' configures build 1 True true
choose_cuda() { cuda_options=(-Dcuda=disabled -Dcuda=wrong); }
check 'what Meson refuses is an error' eval '! prepare build >>said 2>&1'
check 'each time' eval '! prepare build >>said 2>&1'
choose_cuda() { cuda_options=(-Dcuda=disabled "-Dnvcc=that of another GPU"); }
check 'until it is put right' configures build 1 True true
echo "1..$n"
