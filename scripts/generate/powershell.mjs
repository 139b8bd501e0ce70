import { commandsOf, GENERATED, nameOf, namesOf, offerOf, valueOptionsOf } from './model.mjs';
import { fill } from './template.mjs';

/** The completion script for PowerShell 5.1 and newer. */
export function powershell(tree) {
  return fill('svc.ps1', {
    generated: GENERATED,
    commands: commandsOf(tree)
      .map((command) => entryOf(command, tree))
      .join('\n'),
    global: pairs(optionPairs(tree.globalOptions)),
    values: [...valueOptionsOf(tree)]
      .map(([name, option]) => `    ${quote(name)} = ${table(wordPairs(option))}`)
      .join('\n'),
  });
}

function entryOf({ words, path, commands, options, arguments: args }, { globalOptions, topics }) {
  const own = options.filter((option) => !globalOptions.includes(option));
  const subcommands = commands.map((child) => [nameOf(child), child.summary]);
  const about = path === 'svc help' ? topics.map(({ name, title }) => [name, title]) : [];
  const offered = [...subcommands, ...about, ...args.slice(0, 1).flatMap((argument) => wordPairs(argument, path))];
  return `    ${quote(words.join(' '))} = @{ words = ${table(offered)}; options = ${table(optionPairs(own))} }`;
}

function wordPairs(thing, path) {
  const offer = offerOf(thing, path);
  return offer.kind === 'words' ? offer.words.map((word) => [word, word]) : [];
}

/** PowerShell's tables do not tell capitals apart, and refuse a key that comes twice. */
function optionPairs(options) {
  const seen = new Set();
  const named = options.flatMap((option) => namesOf(option).map((name) => [name, option.description]));
  return named.filter(([name]) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()));
}

function table(list) {
  return list.length === 0 ? '@{}' : `@{ ${pairs(list)} }`;
}

function pairs(list) {
  return list.map(([name, text]) => `${quote(name)} = ${quote(text)}`).join('; ');
}

function quote(text) {
  return `'${text.replaceAll("'", "''")}'`;
}
