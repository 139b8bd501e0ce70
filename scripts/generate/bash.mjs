import { commandsOf, GENERATED, valueKind } from './model.mjs';

/** The completion script for bash 3.2 and newer. Everything is in the script; nothing is run or evaluated. */
export function bash(tree) {
  const commands = commandsOf(tree);
  return `# Completion of svc for bash. ${GENERATED}

# Sets what may follow a command: subcommands, options, and the values of its first arguments.
_svc_command() {
  subcommands='' options='' first='' second=''
  case $1 in
${commands.map(commandCase).join('\n')}
  esac
}

# Sets the values of an option: words, "@file" or "@any"; nothing for a switch.
_svc_option() {
  values=''
  case $2 in
${tree.globalOptions
  .filter(takesValue)
  .map((option) => optionCase(option, '    '))
  .join('\n')}
  esac
  [ -n "$values" ] && return
  case $1 in
${commands
  .map((command) => commandOptions(command, tree))
  .filter(Boolean)
  .join('\n')}
  esac
}

_svc_offer() {
  local line
  case $1 in
    @file) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current") ;;
    @any | '') ;;
    *) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$1" -- "$current") ;;
  esac
}

_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' word expects='' count=0 index
  local subcommands options first second values
  COMPREPLY=()
  _svc_command ''
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [ "$word" = '=' ]; then continue; fi
    if [ -n "$expects" ]; then expects=''; continue; fi
    case $word in
      --) return ;;
      -*) _svc_option "$command" "$word"; [ -n "$values" ] && expects=$values ;;
      *)
        case " $subcommands " in
          *" $word "*) command="\${command:+$command }$word"; _svc_command "$command"; count=0 ;;
          *) count=$((count + 1)) ;;
        esac
        ;;
    esac
  done
  [ "$current" = '=' ] && current=''
  if [ -n "$expects" ]; then _svc_offer "$expects"
  elif [ "\${current#-}" != "$current" ]; then _svc_offer "$options"
  elif [ -n "$subcommands" ] && [ $count -eq 0 ]; then _svc_offer "$subcommands"
  elif [ $count -eq 0 ]; then _svc_offer "$first"
  elif [ $count -eq 1 ]; then _svc_offer "$second"
  fi
}

complete -F _svc svc
`;
}

function commandCase({ words, commands, options, arguments: args }) {
  const names = options.flatMap(({ long, short }) => [long, short]).filter(Boolean);
  const [first, second] = args.map(offered);
  const parts = [
    commands.length > 0 && `subcommands='${commands.map(({ path }) => path.split(' ').at(-1)).join(' ')}'`,
    `options='${[...names, '--help'].filter((name, at, all) => all.indexOf(name) === at).join(' ')}'`,
    first && `first='${first}'`,
    second && `second='${second}'`,
  ].filter(Boolean);
  return `    '${words.join(' ')}') ${parts.join(' ')} ;;`;
}

function commandOptions({ words, options }, tree) {
  const own = options.filter((option) => takesValue(option) && !tree.globalOptions.includes(option));
  if (own.length === 0) return '';
  return `    '${words.join(' ')}')
      case $2 in
${own.map((option) => optionCase(option, '        ')).join('\n')}
      esac
      ;;`;
}

function optionCase(option, indent) {
  const names = [option.long, option.short].filter(Boolean).join(' | ');
  return `${indent}${names}) values='${offered(option) || '@any'}' ;;`;
}

function takesValue(option) {
  return option.value !== undefined;
}

function offered(thing) {
  const value = valueKind(thing);
  if (value.kind === 'choices') return value.choices.join(' ');
  return value.kind === 'file' ? '@file' : '';
}
