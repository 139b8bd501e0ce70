import { commandsOf, GENERATED, nameOf, namesOf, offerOf, takesValue } from './model.mjs';
import { fill } from './template.mjs';

/** The completion script for zsh: one function a command, over _arguments. */
export function zsh(tree) {
  const commands = commandsOf(tree);
  return fill('_svc', {
    generated: GENERATED,
    global: tree.globalOptions
      .flatMap(optionSpecs)
      .map((spec) => `  ${spec}`)
      .join('\n'),
    functions: commands.map((command) => functionOf(command, tree)).join('\n\n'),
    topics: commands
      .filter(({ commands }) => commands.length > 0)
      .map((command) => aboutCase(command, tree))
      .join('\n'),
  });
}

function functionOf(command, { globalOptions }) {
  const own = command.options.filter((option) => !globalOptions.includes(option)).flatMap(optionSpecs);
  const name = ['_svc', ...command.words].join('_');
  return command.commands.length > 0 ? groupFunction(name, command, own) : leafFunction(name, command, own);
}

function leafFunction(name, { arguments: args, path }, own) {
  const specs = [...own, ...args.map((argument, index) => argumentSpec(argument, index, path))];
  return `${name}() {
  _arguments -s -S $_svc_global${specs.map((spec) => ` \\\n    ${spec}`).join('')}
}`;
}

function groupFunction(name, { commands }, own) {
  return `${name}() {
  local curcontext=$curcontext state line
  local -A opt_args
  local -a subcommands=(
${commands.map((child) => `    ${described(child)}`).join('\n')}
  )
  _arguments -s -S -C $_svc_global${own.map((spec) => ` \\\n    ${spec}`).join('')} '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands command subcommands ;;
    rest) case $line[1] in ${commands.map(nameOf).join('|')}) ${name}_$line[1] ;; esac ;;
  esac
}`;
}

/** A command in the words of svc help; in the root's list the topics as well. */
function aboutCase({ words, commands }, { topics }) {
  const more = words.length === 0 ? topics.map(({ name, title }) => quote(`${name}:${title}`)) : [];
  return `    ${quote(words.join(' '))}) about=(${[...commands.map(described), ...more].join(' ')}) ;;`;
}

function described(command) {
  return quote(`${nameOf(command)}:${command.summary}`);
}

function optionSpecs(option) {
  const names = namesOf(option);
  const others = names.length > 1 && !option.repeatable ? `(${names.join(' ')})` : '';
  const text = `[${option.description.replaceAll(/[[\]\\]/g, '\\$&')}]`;
  return names.map((name) => {
    const ending = !takesValue(option) ? '' : name.startsWith('--') ? '=' : '+';
    return quote(`${others}${option.repeatable ? '*' : ''}${name}${ending}${text}${valueSpec(option)}`);
  });
}

function valueSpec(option) {
  return takesValue(option) ? `:${escapeColons(option.value)}:${actionOf(offerOf(option))}` : '';
}

function argumentSpec(argument, index, path) {
  const offer = offerOf(argument, path);
  if (offer.kind === 'command') return "'(-)*::command: __svc_behind'";
  const place = argument.variadic ? '*' : `${index + 1}${argument.required ? '' : ':'}`;
  return quote(`${place}:${argument.name}:${actionOf(offer)}`);
}

function actionOf({ kind, words, known }) {
  if (kind === 'words') return `(${words.join(' ')})`;
  if (kind === 'known') return ` __svc_known ${known}`;
  return { file: '_files', about: ' __svc_about', any: ' ' }[kind];
}

function escapeColons(text) {
  return text.replaceAll(':', '\\:');
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
