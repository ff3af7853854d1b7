#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What run.sh and test.sh do on a machine that lacks packages, with an apt-get that is made up. Output is TAP.
set -uo pipefail
. "${FOVEA_SOURCE:?}/scripts/setup.sh"
work=$(mktemp -d)
trap 'PATH=$real rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir bin
for tool in env grep sed cat bash; do ln -s "$(command -v $tool)" bin; done
real=$PATH
printf '# Packages.\none\ntwo\n[test]\nthree\n' >packages.txt
# Has the packages in the file `installed`.
cat >bin/dpkg-query <<'FILE'
#!/usr/bin/env bash
grep -qx "${!#}" installed && echo 'install ok installed'
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
check 'a locale that cannot be made is no end' eval 'locale() { :; }; setup_locale 2>said && grep -q "German locale" said'
printf '#!/usr/bin/env bash\necho sudo >>asked\nexec "$@"\n' >bin/sudo && PATH=$real chmod +x bin/sudo
check 'with sudo' installs build
check 'which was asked' test -s asked
PATH=$real rm bin/apt-get
fresh
check 'a system without apt-get names the packages' fails build 'please install them: one two$'
echo "1..$n"
