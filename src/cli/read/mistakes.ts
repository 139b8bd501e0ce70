import type { Command, CommanderError } from 'commander';
import { type CliError, listNames, quote, usageError } from '../../errors.ts';
import { type Entry, isGroup } from '../define/define.ts';
import { findEntry, listEntriesBelow, listVisible } from '../help/describe.ts';
import { closest } from '../values/text.ts';
import {
  findNamedCommand,
  getPath,
  type RefusedLine,
  replaceWords,
  toLine,
} from './refused-line.ts';
import { findOmitted, findSynonym, OTHER_NAMES } from './synonyms.ts';
import { explainUnknownOption, listOptionNames } from './unknown-option.ts';

/** Explains what commander refuses: what is wrong, and what was probably meant. */
export async function explainMistake(error: CommanderError, line: RefusedLine): Promise<CliError> {
  const { program, argv, tree } = line;
  const command = findNamedCommand(program, argv);
  const path = toLine(getPath(command));
  const help = `${path} --help`;
  const subject = error.message.match(/'(.*)'/s)?.[1] ?? '';

  switch (error.code) {
    case 'commander.help': {
      const names = listEntriesBelow(tree, getPath(command)).map(({ name }) => name);
      return usageError(`"${path}" needs a subcommand: ${names.join(', ')}.`, help);
    }
    case 'commander.unknownCommand': {
      // Words after the unknown one name no group.
      const group = findNamedCommand(program, argv.slice(0, argv.indexOf(subject)));
      return explainUnknownCommand(group, subject, line);
    }
    case 'commander.excessArguments':
      return explainExcess(command, line);
    case 'commander.unknownOption':
      return explainUnknownOption(command, subject, line);
    case 'commander.optionMissingArgument':
      return usageError(`${subject.split(/[ ,]/)[0]} needs a value: ${subject}.`, help);
    case 'commander.missingArgument':
      return usageError(`"${path}" needs <${subject}>.`, help).withLines(
        `Usage: ${path} ${command.usage()}`,
      );
    default:
      return usageError(error.message.replace(/^error: /, ''), help);
  }
}

/** Explains words too many; below a group that lists alone, the first is an unknown command. */
async function explainExcess(command: Command, line: RefusedLine): Promise<CliError> {
  const words = command.args.filter((word) => !word.startsWith('-'));
  const [first] = words;
  if (command.commands.length > 0 && first !== undefined) {
    return explainUnknownCommand(command, first, line);
  }

  const path = toLine(getPath(command));
  const count = command.registeredArguments.length;
  const takes = ['no argument', 'one argument'][count] ?? `${count} arguments`;
  return usageError(
    `"${path}" takes ${takes}, but was given ${listNames(words.map(quote))}.`,
    `${path} --help`,
  ).with({ meant: placeExcess(command, words, line) });
}

/** The words that other programs put behind a command that shows something. */
const READING = /^(?:get|info|list|ls|show|status|view)$/;

/** Finds a place for each word too many: as the option that it names, or behind one. */
function placeExcess(
  command: Command,
  words: readonly string[],
  { argv }: RefusedLine,
): readonly string[] | undefined {
  const path = getPath(command);
  const synonym = findSynonym(path, words);
  if (synonym) {
    const [line = ''] = synonym.lines;
    const at = argv.indexOf(words[0] ?? '');
    return replaceCommand(argv, at, path, toMeaning(line, synonym.count));
  }

  const names = listOptionNames(command);
  const count = command.registeredArguments.length;
  let placed = argv;
  for (const word of words) {
    const at = placed.indexOf(word);
    const isNamed = names.includes(`--${word.split('=')[0]}`);
    const omitted = findOmitted(path, word, words.length > count + 1);
    if (isNamed) placed = replaceWords(placed, at, 1, [`--${word}`]);
    else if (omitted !== undefined) placed = replaceWords(placed, at, 0, omitted.split(' '));
    else if (READING.test(word)) placed = replaceWords(placed, at, 1, []);
  }
  return placed === argv ? undefined : placed;
}

/** Words of svc that may have been meant by typed ones. */
interface Meaning {
  readonly words: readonly string[];
  /** How many typed words they stand for. */
  readonly count: number;
  /** Whether only the spelling was another, or the word of another program was typed. */
  readonly isSure: boolean;
}

/** Explains a word that names no command, and finds the line that was meant. */
export async function explainUnknownCommand(
  group: Command,
  word: string,
  { argv, tree }: RefusedLine,
): Promise<CliError> {
  const path = getPath(group);
  const at = argv.indexOf(word);
  const typed = withoutOptions(argv.slice(at));
  const message = `There is no command ${quote(toLine([...path, word]))}.`;

  const respelled = findRespelled(tree, path, typed, [3, 2]);
  const synonym = respelled ? undefined : findSynonym(path, typed);
  if (synonym?.sentence) {
    const run = synonym.lines.map((line) => `svc ${line}`);
    return usageError(message, { say: synonym.sentence, run });
  }

  const option = `--${word}`;
  if (path.length > 0 && !synonym && listOptionNames(group).includes(option)) {
    const meant = replaceWords(argv, at, 1, [option]);
    return usageError(`${message} Did you mean ${option}?`, toLine(path)).with({ meant });
  }

  const meanings = synonym
    ? synonym.lines.map((line) => toMeaning(line, synonym.count))
    : [respelled ?? findMeanings(tree, path, typed)].flat();
  const sure = [];
  for (const meaning of meanings)
    if (meaning.isSure || (await isHarmless(tree, meaning.words))) sure.push(meaning);
  const likely = sure.length === 0 ? meanings : sure;
  const [first] = likely;
  if (!first) return usageError(message, `${toLine(path)} --help`);

  const names = likely.map(({ words }) => `"${toLine(withoutOptions(words))}"`);
  const meant = sure.length === 1 ? replaceCommand(argv, at, path, first) : undefined;
  return usageError(
    `${message} Did you mean ${names.join(' or ')}?`,
    `${toLine(withoutOptions(first.words))} --help`,
  ).with({ meant });
}

function toMeaning(line: string, count: number): Meaning {
  return { words: line === '' ? [] : line.split(' '), count, isSure: true };
}

/** Takes the words up to the first option. */
function withoutOptions(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.startsWith('-'));
  return end < 0 ? words : words.slice(0, end);
}

/** Puts the meaning in the place of the typed words, those of the group in front included. */
function replaceCommand(
  argv: readonly string[],
  at: number,
  path: readonly string[],
  { words, count }: Meaning,
): readonly string[] {
  const rest = [...path];
  const before = argv.slice(0, at).filter((word) => {
    if (word !== rest[0]) return true;
    rest.shift();
    return false;
  });
  return replaceWords([...before, ...argv.slice(at)], before.length, count, words);
}

/** Finds the commands that are spelt like typed words, or that they leave out. */
export function findMeanings(
  tree: readonly Entry[],
  path: readonly string[],
  typed: readonly string[],
): readonly Meaning[] {
  const [word = '', next = ''] = typed;
  const respelled = findRespelled(tree, path, typed, [1]);
  if (respelled) return [respelled];
  if (word === 'help') return [toMeaning(['help', ...path].join(' '), 1)];

  const names = listVisible(listEntriesBelow(tree, path)).map(({ name }) => name);
  const near = closest(word, names);
  if (near !== undefined) {
    const isSure = names.filter((name) => closest(word, [name], 1)).length === 1;
    return [{ words: [...path, near], count: 1, isSure }];
  }

  const omitted = findOmitted(path, word);
  if (omitted !== undefined) return [toMeaning([...path, omitted].join(' '), 0)];

  const deeper = listPaths(tree).filter((command) => command.at(-1) === word.toLowerCase());
  const fitting = deeper.filter((command) => findOmitted([], next) === command.join(' '));
  return (fitting.length === 1 ? fitting : deeper).map((words) => toMeaning(words.join(' '), 1));
}

/** Finds a command whose words were joined, split or swapped: `log in`, `db:inspect`, `run wp`. */
function findRespelled(
  tree: readonly Entry[],
  path: readonly string[],
  typed: readonly string[],
  counts: readonly number[],
): Meaning | undefined {
  const commands = listPaths(tree);
  for (const count of counts.filter((one) => one <= typed.length)) {
    const parts = typed.slice(0, count).flatMap((word) => word.toLowerCase().split(/[:._-]/));
    const words = [...path, ...parts].map((part) => OTHER_NAMES.get(part) ?? part);
    const found = commands.find(
      (command) =>
        command.join('') === words.join('') ||
        [...command].sort().join(' ') === [...words].sort().join(' '),
    );
    if (found) return { words: found, count, isSure: true };
  }
  return undefined;
}

/** Lists the paths of all groups and commands that are not hidden. */
export function listPaths(
  entries: readonly Entry[],
  before: readonly string[] = [],
): readonly (readonly string[])[] {
  return listVisible(entries).flatMap((entry) => {
    const path = [...before, entry.name];
    return isGroup(entry) ? [path, ...listPaths(entry.children, path)] : [path];
  });
}

/** Whether it is a group, or a command that changes and forgets nothing. */
async function isHarmless(tree: readonly Entry[], path: readonly string[]): Promise<boolean> {
  const entry = findEntry(tree, path);
  if (!entry || isGroup(entry)) return entry !== undefined;
  const { effect, isDestructiveLocally = false } = await entry.load();
  return (effect === 'reads' || effect === 'local') && !isDestructiveLocally;
}
