import type { Command, CommanderError } from 'commander';
import { type CliError, listNames, quote, usageError } from '../../errors.ts';
import { listEntriesBelow } from '../help/describe.ts';
import {
  findNamedCommand,
  getPath,
  type RefusedLine,
  replaceWords,
  toLine,
} from './refused-line.ts';
import { findOmitted, findSynonym } from './synonyms.ts';
import { explainUnknownCommand, replaceCommand } from './unknown-command.ts';
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
      return usageError(`"${path}" needs <${subject}>.`, help).with({
        lines: [`Usage: ${path} ${command.usage()}`],
      });
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
  const [line] = synonym?.lines ?? [];
  if (synonym && line !== undefined) {
    const meaning = { words: line.split(' '), count: synonym.count };
    return replaceCommand(argv, argv.indexOf(words[0] ?? ''), path, meaning);
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
