#!/bin/sh
# Installs svc for the current user: no root, no package manager. It runs on Linux and macOS, with curl or wget.
#   SVC_INSTALL_DIR   where the executable goes; default: ~/.local/bin
#   SVC_DOWNLOAD_URL  another place with the same files, such as a mirror; the sums below must still fit
# With --uninstall it removes what it installed, and names what it leaves.
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

find_target() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail 'There is no executable for this system. With Node 20.19 or newer: npm install -g svc-cli' ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail 'There is no executable for this processor. With Node 20.19 or newer: npm install -g svc-cli' ;;
  esac
  # A shell under Rosetta takes an Apple processor for one of Intel.
  if [ "$system" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then
    machine=arm64
  fi
  if [ "$system" = linux ] && [ -e /etc/alpine-release ]; then
    fail 'The executable needs glibc, which Alpine does not have. With Node 20.19 or newer: npm install -g svc-cli'
  fi
  target=$system-$machine
}

download() {
  if has curl; then
    # Before 7.67, curl does not know --no-progress-meter.
    if [ -t 2 ]; then progress=--progress-bar; else progress='--silent --show-error'; fi
    # shellcheck disable=SC2086 # two words
    curl --fail $progress --location --retry 2 --output "$2" "$1" || fail "Cannot download $1"
  elif has wget; then
    wget -q -O "$2" "$1" || fail "Cannot download $1"
  else
    fail 'This needs curl or wget.'
  fi
}

sum_of() {
  if has sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# Replaces a file at once, also while it is running; a link is replaced, too, and not followed. `new` is removed at the
# end if it is left.
put() {
  if [ -d "$3" ]; then return 1; fi
  into=$(dirname "$3")
  mkdir -p "$into" && new=$(mktemp "$into/.svc-XXXXXX") && cp "$2" "$new" && chmod "$1" "$new" && mv -f "$new" "$3" ||
    return 1
  printf '  %s\n' "$3"
}

# A file that svc can do without.
put_beside() {
  put 644 "$1" "$2" 2>/dev/null || printf 'Warning: Cannot write %s. svc works without it.\n' "$2" >&2
}

uninstall() {
  gone=
  # svc itself knows its completion scripts, and where it keeps settings and sign-ins.
  if [ -x "$folder/svc" ] && [ ! -d "$folder/svc" ]; then
    "$folder/svc" completion uninstall || printf 'Warning: Completion scripts may be left.\n' >&2
  fi
  rm -f "$docs"/*.md
  for file in "$folder/svc" "$page" "$notices"; do
    if [ ! -e "$file" ] || [ -d "$file" ]; then continue; fi
    rm -f "$file" || fail "Cannot remove $file."
    printf 'Removed %s\n' "$file"
    gone=yes
  done
  if [ -z "$gone" ]; then printf 'There is no svc in %s.\n' "$folder"; fi
}

main() {
  if [ -z "${HOME:-}" ]; then fail 'HOME is not set.'; fi
  folder=${SVC_INSTALL_DIR:-$HOME/.local/bin}
  case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
  page=$HOME/.local/share/man/man1/svc.1
  docs=$HOME/.local/share/doc/svc
  notices=$docs/THIRD-PARTY-NOTICES
  case ${1:-} in
    '') ;;
    --uninstall) uninstall && return ;;
    *) fail "There is no option $1. To remove svc: sh install.sh --uninstall" ;;
  esac
  if [ -d "$folder/svc" ]; then
    fail "$folder/svc is a folder. Remove it, or set SVC_INSTALL_DIR to another folder."
  fi
  find_target
  archive=svc-$version-$target.tar.xz
  expected=$(printf '%s\n' "$sums" | grep "  $archive\$" | cut -d ' ' -f 1) || fail "This release has no $archive."
  if ! has tar; then fail 'This needs tar.'; fi
  if ! has sha256sum && ! has shasum; then fail 'This needs sha256sum or shasum to check the download.'; fi
  if [ "$system" = linux ] && ! has xz; then fail 'This needs xz, from the package xz-utils or xz.'; fi

  work=$(mktemp -d) || fail 'Cannot make a temporary folder. Set TMPDIR to a folder that you can write.'
  new=$work/none
  trap 'rm -rf "$work" "$new"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  printf 'Downloading %s ...\n' "$archive"
  download "${SVC_DOWNLOAD_URL:-$downloads}/$archive" "$work/$archive"
  if [ "$(sum_of "$work/$archive")" != "$expected" ]; then
    fail "The SHA-256 of $archive is not the one of this release. Nothing was installed."
  fi
  tar -xJf "$work/$archive" -C "$work" || fail "Cannot unpack $archive."
  unpacked=$work/svc-$version-$target
  printf '#!/bin/sh\n' >"$work/try"
  chmod 755 "$work/try"
  if ! "$work/try" 2>/dev/null; then
    fail "No program can run in $(dirname "$work"): set TMPDIR to another folder. Nothing was installed."
  fi
  "$unpacked/svc" --version >/dev/null || fail 'The executable does not run on this machine. Nothing was installed.'

  printf 'Installing svc %s:\n' "$version"
  put 755 "$unpacked/svc" "$folder/svc" ||
    fail "Cannot write $folder/svc. Nothing was installed. To install elsewhere, set SVC_INSTALL_DIR."
  "$folder/svc" --version >/dev/null 2>&1 ||
    fail "No program can run in $folder. Remove $folder/svc, and set SVC_INSTALL_DIR to another folder."
  put_beside "$unpacked/man/svc.1" "$page"
  put_beside "$unpacked/THIRD-PARTY-NOTICES" "$notices"
  # If this fails, so did the line above, which said so.
  cp "$unpacked"/docs/*.md "$unpacked"/skills/svc/SKILL.md "$docs" 2>/dev/null || true
  case :$PATH: in
    *":$folder:"*) printf 'Next: svc completion install\n' ;;
    *) printf 'Next: add %s to your PATH, then run: svc completion install\n' "$folder" ;;
  esac
}

main "$@"
