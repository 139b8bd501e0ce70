#!/usr/bin/env bash
# The one step of action.yml: installs svc, tells later steps about it, and signs it in. Its inputs are INPUT_*.
set -euo pipefail

fail() {
  local text=$1
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::error title=svc::%s\n' "${text//$'\n'/%0A}"
  exit 1
}

# A value with a line break would be two settings.
one_line() {
  case $2 in
    *$'\n'* | *$'\r'*) fail "The input $1 has a line break." ;;
  esac
}

sum_of() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

one_line version "${INPUT_VERSION:=}"
one_line path "${INPUT_PATH:=}"
one_line sha256 "${INPUT_SHA256:=}"
one_line mirror "${INPUT_MIRROR:=}"
one_line api-url "${INPUT_API_URL:=}"
one_line token "${INPUT_TOKEN:=}"
one_line org "${INPUT_ORG:=}"
one_line service "${INPUT_SERVICE:=}"
# Before anything else is printed.
if [ -n "$INPUT_TOKEN" ]; then printf '::add-mask::%s\n' "$INPUT_TOKEN"; fi

folder=$RUNNER_TEMP/svc
mkdir -p "$folder"
if [ -n "$INPUT_PATH" ]; then
  if [ -n "$INPUT_VERSION" ]; then fail 'Give one of the inputs version and path, not both.'; fi
  if [ ! -f "$INPUT_PATH" ]; then fail "There is no file $INPUT_PATH (input path)."; fi
  if [ -n "$INPUT_SHA256" ] && [ "$(sum_of "$INPUT_PATH")" != "$INPUT_SHA256" ]; then
    fail "The SHA-256 of $INPUT_PATH is not the one of the input sha256."
  fi
  cp "$INPUT_PATH" "$folder/svc"
  chmod 755 "$folder/svc"
else
  case ${INPUT_VERSION#v} in
    '') fail 'Give the input version, such as 0.1.0, or the input path.' ;;
    *[!0-9A-Za-z.-]*) fail "\"$INPUT_VERSION\" is not a version. Write one such as 0.1.0 (input version)." ;;
  esac
  case ${RUNNER_OS:-Linux} in
    Windows) fail 'This action is for Linux and macOS. On Windows: npm install -g svc-cli' ;;
  esac
  files=${INPUT_MIRROR:-https://github.com/$ACTION_REPOSITORY/releases/download/v${INPUT_VERSION#v}}
  # It holds the sums of the release's files, and checks what it downloads.
  curl --fail --silent --show-error --location --retry 2 --output "$RUNNER_TEMP/install-svc.sh" "$files/install.sh" ||
    fail "Cannot download $files/install.sh. Is ${INPUT_VERSION#v} a release?"
  SVC_INSTALL_DIR=$folder SVC_DOWNLOAD_URL=$files sh "$RUNNER_TEMP/install-svc.sh" ||
    fail "svc ${INPUT_VERSION#v} could not be installed: see above."
fi
version=$("$folder/svc" --version) || fail 'The executable does not run on this machine.'

printf '%s\n' "$folder" >>"$GITHUB_PATH"
printf 'version=%s\n' "$version" >>"$GITHUB_OUTPUT"
set_variable() {
  if [ -n "$2" ]; then
    export "$1=$2"
    printf '%s=%s\n' "$1" "$2" >>"$GITHUB_ENV"
  fi
}
set_variable SVC_API_URL "$INPUT_API_URL"
set_variable SVC_ORG "$INPUT_ORG"
set_variable SVC_SERVICE "$INPUT_SERVICE"
set_variable SVC_TOKEN "$INPUT_TOKEN"
if [ -z "$INPUT_TOKEN" ]; then exit 0; fi

# svc itself says what is wrong with a token; an error of --jq is JSON, which GitHub does not show beside the step.
"$folder/svc" whoami --jq '
  def line: tostring | gsub("[\r\n]"; " ");
  def days: tostring | sub("\\.[0-9]+Z$"; "Z") | try ((fromdateiso8601 - now) / 86400 | floor) catch "";
  "account=\(.user.email // "" | line)",
  "organization=\(.organization.id // "" | line)",
  "days-left=\(.token.expiresAt // "" | days)"' >>"$GITHUB_OUTPUT" || {
  code=$?
  printf '::error title=svc::svc could not sign in. Its error is in the log above.\n'
  exit "$code"
}
