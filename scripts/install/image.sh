#!/bin/sh
# Puts together the root file system of the container image: the executable, the libraries that it names, certificate
# authorities, and the two files that name its user. On Debian, with the package ca-certificates.
#   scripts/install/image.sh <executable> <folder>
set -eu

fail() {
  printf 'Error: %s\n' "$1" >&2
  exit 1
}

[ $# -eq 2 ] || fail 'Usage: scripts/install/image.sh <executable> <folder>'
executable=$1
root=$2
authorities=/etc/ssl/certs/ca-certificates.crt
[ -f "$executable" ] || fail "There is no file $executable. Make it with: npm run build:binary"
[ -f "$authorities" ] || fail "There is no file $authorities. Install the package ca-certificates."
if [ -e "$root" ]; then fail "$root is there already. Remove it first."; fi

# Every container has /proc and /dev, which the executable needs.
mkdir -p "$root/usr/bin" "$root/etc/ssl/certs" "$root/home/svc" "$root/tmp" "$root/proc" "$root/dev"
cp "$executable" "$root/usr/bin/svc"
chmod 755 "$root/usr/bin/svc"
# ldd prints `name => /path (address)`, and the loader as `/path (address)`.
ldd "$executable" | sed -n 's|^[^/]*\(/[^ ]*\) (.*|\1|p' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
cp -L "$authorities" "$root$authorities"
printf 'svc:x:65534:65534:svc:/home/svc:/usr/bin/svc\n' >"$root/etc/passwd"
printf 'svc:x:65534:\n' >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
# Whoever may use a temporary folder mounts one here.
chmod 1777 "$root/tmp"
