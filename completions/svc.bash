# Completion of svc for bash 3.2 and newer. Generated from the command tree by "npm run docs"; do not edit.
# What can be offered is written here or in svc's own lists of names: no program is started, nothing is evaluated.

# What may follow a command: its subcommands, its options, the values of its arguments.
_svc_command() {
  subcommands='' options='' arguments=()
  case $1 in
    '') subcommands='login logout whoami profiles orgs buy billing domains metrics restart deployments db wp link unlink api config doctor completion sandbox help' ;;
    'login') options='--name --no-browser --with-token --print-token --no-wait --complete' ;;
    'logout') options='--all' ;;
    'profiles') subcommands='list use remove' options='--csv' ;;
    'profiles list') options='--csv' ;;
    'profiles use') arguments=('@profiles') ;;
    'profiles remove') arguments=('@profiles') ;;
    'orgs') subcommands='list use' options='--csv' ;;
    'orgs list') options='--csv' ;;
    'orgs use') arguments=('@orgs') ;;
    'buy') options='--plan --domain --label --quantity --renew --item --items --payment --network --phone --currency --promo --autopay --lang --no-browser --field --idempotency-key --dry-run --pending --resume --new-order --csv' ;;
    'billing') subcommands='autopay' ;;
    'domains') subcommands='import add status' ;;
    'domains import') options='--output --format --csv' ;;
    'domains add') options='--service --import --records --skip-invalid --wait --wait-timeout --dry-run' ;;
    'domains status') options='--nameserver --wait --wait-timeout --csv' ;;
    'metrics') options='--history --since --until --step --series --watch --output --open --fail-if --any --csv' arguments=('@services') ;;
    'restart') arguments=('@services') ;;
    'deployments') subcommands='inspect' ;;
    'deployments inspect') options='--service' ;;
    'db') subcommands='inspect connect' ;;
    'db inspect') options='--reveal --env' ;;
    'wp') subcommands='run' ;;
    'wp run') options='--service --param --wait --wait-timeout --dry-run' ;;
    'link') arguments=('@services') ;;
    'api') options='-X --method --field --input -H --header --include --paginate --dry-run' ;;
    'config') subcommands='list get set unset' options='--csv' ;;
    'config list') options='--csv' ;;
    'config get') arguments=('api-url org service assume.metrics.start assume.metrics.end assume.metrics.step assume.metrics.points assume.checkout.paymentMethod assume.checkout.currency assume.checkout.language assume.checkout.failed assume.checkout.pending assume.job.path assume.job.done assume.job.failed assume.deployment.live') ;;
    'config set') arguments=('api-url org service assume.metrics.start assume.metrics.end assume.metrics.step assume.metrics.points assume.checkout.paymentMethod assume.checkout.currency assume.checkout.language assume.checkout.failed assume.checkout.pending assume.job.path assume.job.done assume.job.failed assume.deployment.live' '@any') ;;
    'config unset') arguments=('api-url org service assume.metrics.start assume.metrics.end assume.metrics.step assume.metrics.points assume.checkout.paymentMethod assume.checkout.currency assume.checkout.language assume.checkout.failed assume.checkout.pending assume.job.path assume.job.done assume.job.failed assume.deployment.live') ;;
    'doctor') options='--csv' ;;
    'completion') arguments=('bash zsh fish powershell install' 'bash zsh fish powershell') ;;
    'sandbox') subcommands='start exec tour' options='--port --data --fault --interval --dns-server' ;;
    'sandbox start') options='--port --data --fault --interval --dns-server' ;;
    'sandbox exec') arguments=('@command') ;;
    'help') arguments=('@about') ;;
  esac
  options="$options -V --version --json --jq --api-url --org --profile -y --yes --no-input -q --quiet --debug --no-color --no-retry --timeout -h --help"
}

# The values of an option; nothing for a switch.
_svc_value() {
  case $1 in
    --jq | --api-url | --timeout | --name | --plan | --domain | --label | --quantity | --item | --network | --phone | --promo | --field | --idempotency-key | --wait-timeout | --nameserver | --since | --until | --step | --series | --fail-if | --param | -H | --header | --port | --fault | --interval | --dns-server) offer='@any' ;;
    --org) offer='@orgs' ;;
    --profile) offer='@profiles' ;;
    --items | --output | --records | --input | --data) offer='@file' ;;
    --payment) offer='mobile_money credit_card' ;;
    --currency) offer='local USD' ;;
    --lang) offer='fr en' ;;
    --format) offer='json zone' ;;
    --service) offer='@services' ;;
    -X | --method) offer='GET POST PUT PATCH DELETE HEAD OPTIONS' ;;
    *) offer='' ;;
  esac
}

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

# Offers a word if it begins as what was typed does; bash keeps what is before the last ":" itself.
_svc_add() {
  if [[ $1 == "$typed"* ]]; then COMPREPLY+=("$lead${1#"$kept"}"); fi
}

_svc_offer() {
  local IFS=$' \t\n' word
  case $1 in
    '' | @any) ;;
    @file) _svc_files ;;
    @command) while IFS= read -r word; do _svc_add "$word"; done < <(compgen -c -- "$typed") ;;
    @*) _svc_known "${1#@}" ;;
    *) for word in $1; do _svc_add "$word"; done ;;
  esac
}

# File names are left to bash, which quotes them; bash 3.2 cannot be told so.
_svc_files() {
  local word
  if compopt -o default 2>/dev/null; then return; fi
  while IFS= read -r word; do COMPREPLY+=("$(printf %q "$word")"); done < <(compgen -f -- "$typed")
}

# Names that svc has written down, one a line.
_svc_known() {
  local folder=$HOME/.config word
  case $OSTYPE in darwin*) folder="$HOME/Library/Application Support" ;; esac
  folder=${SVC_CONFIG_DIR:-${XDG_CONFIG_HOME:-$folder}/svc}/known/$1
  [ -f "$folder" ] || return
  while IFS= read -r word; do
    case $word in *[!A-Za-z0-9._:/@-]*) ;; [A-Za-z0-9]*) _svc_add "$word" ;; esac
  done <"$folder"
}

# A command of its own, behind "svc sandbox exec": as it completes itself, where bash-completion can find out.
_svc_behind() {
  local offset
  for ((offset = 1; offset < COMP_CWORD; offset++)); do
    if [ "${COMP_WORDS[offset]}" = "$1" ]; then break; fi
  done
  if declare -F _command_offset >/dev/null; then _command_offset "$offset"; else _svc_files; fi
}

_svc() {
  local words subcommands options arguments offer='' typed lead='' kept='' command='' topics='' word index count=0
  COMPREPLY=()
  _svc_words
  _svc_command ''
  for ((index = 1; index < ${#words[@]} - 1; index++)); do
    word=${words[index]}
    if [ -n "$offer" ]; then
      offer=''
    elif [ "$command $word" = 'sandbox exec --' ]; then
      continue
    elif [ "$command $word" = 'sandbox exec svc' ]; then
      command=''
      _svc_command ''
    elif [ "$command" = 'sandbox exec' ] && [[ $word != -* ]]; then
      _svc_behind "$word"
      return
    elif [ "$word" = -- ]; then
      return
    elif [[ $word == -* ]]; then
      _svc_value "$word"
    elif [ "$command $word" = ' help' ]; then
      topics=' environment exit-codes json assumptions ci'
    elif [[ " $subcommands " == *" $word "* ]]; then
      command=${command:+$command }$word
      topics=''
      _svc_command "$command"
    else
      count=$((count + 1))
    fi
  done
  typed=${words[${#words[@]} - 1]}
  if [ -z "$offer" ] && [[ $typed == --*=* ]]; then
    _svc_value "${typed%%=*}"
    offer=${offer:-@any}
    if [[ $COMP_WORDBREAKS != *=* ]]; then lead=${typed%%=*}=; fi
    typed=${typed#*=}
  fi
  if [[ $COMP_WORDBREAKS == *:* && $typed == *:* ]]; then kept=${typed%"${typed##*:}"}; fi
  if [ -n "$offer" ]; then
    _svc_offer "$offer"
  elif [[ $typed == -* ]]; then
    _svc_offer "$options"
  elif [ -n "$subcommands" ]; then
    _svc_offer "$subcommands$topics"
  else
    _svc_offer "${arguments[count]:-}"
  fi
}

complete -F _svc svc
