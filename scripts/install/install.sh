#!/bin/sh
# Installs svc for the current user: no root, no package manager. It runs on Linux and macOS, with curl or wget.
#   SVC_INSTALL_DIR   where the executable goes; default: ~/.local/bin
#   SVC_DOWNLOAD_URL  another place with the same files, such as a mirror; the sums below must still fit
set -eu

version='@version@'
downloads='@downloads@'
sums='@sums@'

fail() {
  printf 'Error: %s\n' "$1" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

main() {
  case $(uname -sm) in
    'Linux x86_64') target=linux-x64 ;;
    'Linux aarch64') target=linux-arm64 ;;
    'Darwin x86_64') target=darwin-x64 ;;
    'Darwin arm64') target=darwin-arm64 ;;
    *) fail "There is no executable for $(uname -sm). With Node 20.19 or newer: npm install -g svc-cli" ;;
  esac
  # A shell under Rosetta takes an Apple processor for one of Intel.
  if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then target=darwin-arm64; fi
  if [ -e /etc/alpine-release ]; then
    fail 'The executable needs glibc, which Alpine does not have. With Node 20.19 or newer: npm install -g svc-cli'
  fi
  folder=${SVC_INSTALL_DIR:-$HOME/.local/bin}
  case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
  if [ -d "$folder/svc" ]; then fail "$folder/svc is a folder. Set SVC_INSTALL_DIR to another one."; fi
  name=svc-$version-$target
  expected=$(printf '%s\n' "$sums" | grep "  $name.tar.xz\$") || fail "This release has no $name.tar.xz."
  # In the folder itself: svc is tried where it will run, and replaced at once, also while it is running.
  mkdir -p "$folder" || fail "Cannot write to $folder. Set SVC_INSTALL_DIR to another folder."
  work=$(mktemp -d "$folder/.svc-XXXXXX") || fail "Cannot write to $folder. Set SVC_INSTALL_DIR to another folder."
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  cd "$work"
  url=${SVC_DOWNLOAD_URL:-$downloads}/$name.tar.xz
  printf 'Downloading %s ...\n' "$url"
  if has curl; then curl -fsSL --retry 2 -o "$name.tar.xz" "$url"; else wget -q -O "$name.tar.xz" "$url"; fi ||
    fail "Cannot download $url with curl or wget. Nothing was installed."
  has sha256sum || has shasum || fail 'This needs sha256sum or shasum to check the download.'
  if has sha256sum; then sum=sha256sum; else sum='shasum -a 256'; fi
  printf '%s\n' "$expected" | $sum -c >/dev/null 2>&1 ||
    fail "The SHA-256 of $name.tar.xz is not the one of this release. Nothing was installed."
  tar -xJf "$name.tar.xz" || fail "Cannot unpack $name.tar.xz in $folder with tar and xz. Nothing was installed."
  "$name/svc" --version >/dev/null || fail "The executable does not run in $folder. Nothing was installed."
  mv -f "$name/svc" "$folder/svc"
  printf 'Installed %s. Next: svc completion install\n' "$folder/svc"
  case :$PATH: in *":$folder:"*) ;; *) printf 'First add %s to your PATH.\n' "$folder" ;; esac
}

main "$@"
