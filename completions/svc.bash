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

# Sets program to what answers, and puts the words of an alias in its place: bash leaves both to the command itself.
_svc_program() {
  local alias='' parts part
  program=${words[0]}
  # Since bash 4; before, an alias is svc alone.
  if declare -p BASH_ALIASES >/dev/null 2>&1; then alias=${BASH_ALIASES[$program]-}; fi
  if [ -z "$alias" ]; then
    if ! type -P -- "$program" >/dev/null; then program=svc; fi
    return
  fi
  program=svc
  IFS=' ' read -r -a parts <<<"$alias"
  while ((${#parts[@]} > 0)); do
    part=${parts[0]}
    parts=("${parts[@]:1}")
    if [ "${part##*/}" = svc ]; then
      program=$part
      words=("$part" ${parts[@]+"${parts[@]}"} "${words[@]:1}")
      return
    fi
  done
}

# A word that begun with a quote is completed inside it, and asked for without.
_svc_unquote() {
  local index
  before=$typed
  case $typed in *[\'\"]*) before=${typed%%[\'\"]*} ;; esac
  for ((index = 1; index < ${#words[@]}; index++)); do words[index]=${words[index]//[\'\"]/}; done
  typed=${typed//[\'\"]/}
}

# What bash leaves as it is: everything before the last "=" or ":" of the word, where it splits words there.
_svc_kept() {
  local char here
  kept=''
  for char in = :; do
    if [[ $COMP_WORDBREAKS == *$char* && $before == *$char* ]]; then
      here=${before%"${before##*$char}"}
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
  local IFS=$' \t\n' words typed before kept word about program
  COMPREPLY=()
  _svc_words
  typed=${words[${#words[@]} - 1]}
  _svc_unquote
  _svc_kept
  _svc_program
  while IFS=$'\t' read -r word about; do
    case $word in
      :files*) _svc_files "${word#:files }" ;;
      :command*) _svc_command "${word#:command }" ;;
      *) COMPREPLY+=("${word#"$kept"}") ;;
    esac
  done < <("$program" complete -- "${words[@]:1}" 2>/dev/null)
}

complete -F _svc svc
