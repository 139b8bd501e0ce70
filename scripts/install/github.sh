#!/usr/bin/env bash
# The one step of action.yml: installs svc, tells later steps about it, and signs it in. Its inputs are INPUT_*.
set -euo pipefail

fail() {
  printf '::error title=svc::%s\n' "$1"
  exit 1
}

set_variable() {
  if [ -n "$2" ]; then
    export "$1=$2"
    printf '%s=%s\n' "$1" "$2" >>"$GITHUB_ENV"
  fi
}

case $INPUT_VERSION$INPUT_MIRROR$INPUT_API_URL$INPUT_TOKEN in
  # It would be two settings.
  *$'\n'* | *$'\r'*) fail 'An input has a line break.' ;;
esac
# Before anything else is printed.
if [ -n "$INPUT_TOKEN" ]; then printf '::add-mask::%s\n' "$INPUT_TOKEN"; fi
version=${INPUT_VERSION#v}
case $version in
  '') fail 'Give the input version, such as 0.1.0.' ;;
  *[!0-9A-Za-z.-]*) fail "\"$version\" is not a version. Write one such as 0.1.0." ;;
esac
if [ "$RUNNER_OS" = Windows ]; then fail 'This action is for Linux and macOS. On Windows: npm install -g svc-cli'; fi

folder=$RUNNER_TEMP/svc
files=${INPUT_MIRROR:-https://github.com/$ACTION_REPOSITORY/releases/download/v$version}
# It holds the sums of the release's files, and checks what it downloads.
curl --fail --silent --show-error --location --retry 2 --output "$RUNNER_TEMP/install-svc.sh" "$files/install.sh" ||
  fail "Cannot download $files/install.sh. Is $version a release?"
SVC_INSTALL_DIR=$folder SVC_DOWNLOAD_URL=$files sh "$RUNNER_TEMP/install-svc.sh" >/dev/null ||
  fail "svc $version could not be installed: see above."
printf '%s\n' "$folder" >>"$GITHUB_PATH"
printf 'version=%s\n' "$("$folder/svc" --version)" >>"$GITHUB_OUTPUT"
set_variable SVC_API_URL "$INPUT_API_URL"
set_variable SVC_TOKEN "$INPUT_TOKEN"
if [ -z "$INPUT_TOKEN" ]; then exit 0; fi

# svc itself says who it is, or what is wrong with the token.
"$folder/svc" whoami
"$folder/svc" whoami --jq '
  def days: tostring | sub("\\.[0-9]+Z$"; "Z") | try ((fromdateiso8601 - now) / 86400 | floor) catch "";
  "days-left=\(.token.expiresAt // "" | days)"' >>"$GITHUB_OUTPUT"
