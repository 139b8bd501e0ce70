# Completion of svc for bash 3.2 and newer. It asks svc what may follow, and evaluates nothing of the answer.

# The words as they were typed: bash has split them at "=" and ":" as well.
_svc_words() {
  local line=${COMP_LINE:0:COMP_POINT} index length
  words=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    length=${#COMP_WORDS[index]}
    if ((index == 0)) || [[ $line == [[:space:]]* ]]; then
      line=${line#"${line%%[![:space:]]*}"}
      words+=("${line:0:length}")
    else
      words[${#words[@]} - 1]+=${line:0:length}
    fi
    line=${line:length}
  done
}

# What bash leaves as it is: everything before the last "=" or ":" of the word, where it splits words there.
_svc_kept() {
  local char here
  kept=''
  for char in = :; do
    if [[ $COMP_WORDBREAKS == *$char* && $typed == *$char* ]]; then
      here=${typed%"${typed##*$char}"}
      if ((${#here} > ${#kept})); then kept=$here; fi
    fi
  done
}

# File names are left to bash, which quotes them; bash 3.2 cannot be told so.
_svc_files() {
  local word
  if compopt -o default 2>/dev/null; then return; fi
  while IFS= read -r word; do COMPREPLY+=("$(printf %q "$word")"); done < <(compgen -f -- "${typed#"$1"}")
}

# The command behind "svc sandbox exec", as it completes itself if bash-completion is there.
_svc_command() {
  local word offset
  if ((${#words[@]} == $1 + 2)); then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$typed")
    return
  fi
  for ((offset = 1; offset < COMP_CWORD; offset++)); do
    if [ "${COMP_WORDS[offset]}" = "${words[$1 + 1]}" ]; then break; fi
  done
  if declare -F _command_offset >/dev/null; then _command_offset "$offset"; else _svc_files ''; fi
}

_svc() {
  local IFS=$' \t\n' words typed kept word about
  COMPREPLY=()
  _svc_words
  typed=${words[${#words[@]} - 1]}
  _svc_kept
  while IFS=$'\t' read -r word about; do
    case $word in
      :files*) _svc_files "${word#:files }" ;;
      :command*) _svc_command "${word#:command }" ;;
      *) COMPREPLY+=("${word#"$kept"}") ;;
    esac
  done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
}

complete -F _svc svc
