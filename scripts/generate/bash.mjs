import { commandsOf, GENERATED, nameOf, namesOf, offerOf, topicsOf, valueOptionsOf } from './model.mjs';
import { fill } from './template.mjs';

/** The completion script for bash 3.2 and newer. */
export function bash(tree) {
  return fill('svc.bash', {
    generated: GENERATED,
    commands: commandsOf(tree)
      .map((command) => commandCase(command, tree))
      .filter(Boolean)
      .join('\n'),
    global: optionNames(tree.globalOptions),
    values: valueCases(tree).join('\n'),
    topics: topicsOf(tree).join(' '),
  });
}

function commandCase({ words, path, commands, options, arguments: args }, { globalOptions }) {
  const own = options.filter((option) => !globalOptions.includes(option));
  const offers = args.map((argument) => written(offerOf(argument, path)));
  const parts = [
    commands.length > 0 && `subcommands='${commands.map(nameOf).join(' ')}'`,
    own.length > 0 && `options='${optionNames(own)}'`,
    offers.some((offer) => offer !== '@any') && `arguments=(${offers.map((offer) => `'${offer}'`).join(' ')})`,
  ].filter(Boolean);
  return parts.length > 0 && `    '${words.join(' ')}') ${parts.join(' ')} ;;`;
}

/** One case for all options with the same values. */
function valueCases(tree) {
  const names = new Map();
  for (const [name, option] of valueOptionsOf(tree)) {
    const offer = written(offerOf(option));
    names.set(offer, [...(names.get(offer) ?? []), name]);
  }
  return [...names].map(([offer, list]) => `    ${list.join(' | ')}) offer='${offer}' ;;`);
}

function optionNames(options) {
  return options.flatMap(namesOf).join(' ');
}

/** An offer as the script spells it. */
function written({ kind, words, known }) {
  if (kind === 'words') return words.join(' ');
  return kind === 'known' ? `@${known}` : `@${kind}`;
}
