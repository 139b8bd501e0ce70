import { commandsOf, GENERATED, nameOf, namesOf, offerOf, takesValue, valueOptionsOf } from './model.mjs';
import { fill } from './template.mjs';

/** The completion script for fish. */
export function fish(tree) {
  const commands = commandsOf(tree);
  return fill('svc.fish', {
    generated: GENERATED,
    commands: commands
      .slice(1)
      .map(({ words }) => quote(words.join(' ')))
      .join(' '),
    values: [...valueOptionsOf(tree).keys()].join(' '),
    global: tree.globalOptions.map((option) => optionLine(option, '__svc_own')).join('\n'),
    functions: commands.flatMap((command) => linesOf(command, tree)).join('\n'),
  });
}

function linesOf({ words, path, commands, options, arguments: args }, { globalOptions, topics }) {
  const here = `__svc_at ${quote(words.join(' '))}`;
  const own = options.filter((option) => !globalOptions.includes(option));
  return [
    ...commands.map((child) => `${lineFor(here)} -a ${nameOf(child)} -d ${quote(child.summary)}`),
    ...args.flatMap((argument, index) => argumentLine(offerOf(argument, path), here, index, topics)),
    ...own.map((option) => optionLine(option, here)),
  ];
}

function argumentLine(offer, here, index, topics) {
  if (offer.kind === 'command') return [`${lineFor(here)} -a '(__svc_exec)'`];
  if (offer.kind === 'about') {
    return topics.map(({ name, title }) => `${lineFor('__svc_help_topic')} -a ${name} -d ${quote(title)}`);
  }
  const values = valuesOf(offer);
  return values === '' ? [] : [`${lineFor(`${here} ${index}`)} ${values}`];
}

function optionLine(option, condition) {
  const names = namesOf(option).map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = takesValue(option)
    ? [offerOf(option).kind === 'file' ? '-r -F' : `-x ${valuesOf(offerOf(option))}`]
    : [];
  return [lineFor(condition), ...names, `-d ${quote(option.description)}`, ...value].join(' ').trimEnd();
}

function lineFor(condition) {
  return `complete -c svc -n ${quote(condition)}`;
}

function valuesOf({ kind, words, known }) {
  if (kind === 'words') return `-a ${quote(words.join(' '))}`;
  if (kind === 'known') return `-a '(__svc_known ${known})'`;
  return kind === 'file' ? '-F' : '';
}

function quote(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
