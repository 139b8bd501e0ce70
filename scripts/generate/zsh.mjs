import { brief, commandsOf, GENERATED, valueKind } from './model.mjs';

/** The completion script for zsh: one function a command, built on _arguments. */
export function zsh(tree) {
  const commands = commandsOf(tree);
  return `#compdef svc
# Completion of svc for zsh. ${GENERATED}

${commands.map((command) => functionOf(command)).join('\n\n')}

if [ "$funcstack[1]" = '_svc' ]; then
  _svc "$@"
else
  compdef _svc svc
fi
`;
}

function functionOf({ words, commands, options, arguments: args }) {
  const name = ['_svc', ...words].join('_');
  const specs = options.flatMap(optionSpecs);
  if (commands.length === 0) {
    const lines = [...specs, ...args.map(argumentSpec)].map((spec) => `    ${spec}`);
    return `${name}() {\n  _arguments -s -S \\\n${lines.join(' \\\n')}\n}`;
  }
  const described = commands.map(
    ({ path, summary }) => `    ${quote(`${last(path)}:${escapeColons(brief(summary))}`)}`,
  );
  const branches = commands.map(({ path }) => `        ${last(path)}) ${name}_${last(path)} ;;`);
  return `${name}() {
  local curcontext=$curcontext state line
  local -a commands=(
${described.join('\n')}
  )
  _arguments -s -S -C \\
${specs.map((spec) => `    ${spec}`).join(' \\\n')} \\
    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command) _describe -t commands 'svc command' commands ;;
    rest)
      case $line[1] in
${branches.join('\n')}
      esac
      ;;
  esac
}`;
}

function optionSpecs(option) {
  const repeat = option.repeatable ? '*' : '';
  const text = `[${brief(option.description).replaceAll(/[[\]]/g, '\\$&')}]`;
  const value = option.value === undefined ? '' : `:${escapeColons(option.value)}:${action(option)}`;
  const names = [option.short, option.long].filter(Boolean);
  const long = (name) => (option.value !== undefined && name.startsWith('--') ? `${name}=` : name);
  return names.map((name) => quote(`${repeat}${long(name)}${text}${value}`));
}

function argumentSpec(argument, index) {
  const place = argument.variadic ? '*' : index + 1;
  const optional = argument.required || argument.variadic ? '' : ':';
  return quote(`${place}:${optional}${escapeColons(argument.name)}:${action(argument)}`);
}

function action(thing) {
  const value = valueKind(thing);
  if (value.kind === 'choices') return `(${value.choices.join(' ')})`;
  return value.kind === 'file' ? '_files' : ' ';
}

function last(path) {
  return path.split(' ').at(-1);
}

function escapeColons(text) {
  return text.replaceAll(':', '\\:');
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
