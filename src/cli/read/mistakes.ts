import type { Command, CommanderError } from 'commander';
import { type CliError, listed, quoted, stepOf, usageError } from '../../errors.ts';
import { repeatLine, splitAtDoubleDash } from '../../shell-line.ts';
import { type Entry, isGroup } from '../define/define.ts';
import { commandsLike, entriesBelow, entryAt } from '../help/describe.ts';
import { closest } from '../values/choice.ts';
import {
  FORMAT_OPTIONS,
  FORMATS,
  leftOutBefore,
  meantBy,
  meantByOption,
  otherName,
} from './meant.ts';

/** What is wrong, what was probably meant, where to read on. */
export async function mistakeOf(
  error: CommanderError,
  program: Command,
  argv: readonly string[],
  tree: readonly Entry[],
): Promise<CliError> {
  const command = namedBy(program, argv);
  const path = pathOf(command);
  const help = `${path} --help`;
  const subject = error.message.match(/'(.*)'/s)?.[1] ?? '';
  switch (error.code) {
    case 'commander.help': {
      const names = entriesBelow(tree, wordsOf(command)).map(({ name }) => name);
      return usageError(`"${path}" needs a subcommand: ${names.join(', ')}.`, help);
    }
    case 'commander.unknownCommand':
      // Words after the unknown one name no group.
      return unknownCommand(
        namedBy(program, argv.slice(0, argv.indexOf(subject))),
        subject,
        argv,
        tree,
      );
    case 'commander.excessArguments':
      return tooMany(command, argv, tree);
    case 'commander.unknownOption':
      return unknownOption(command, subject, argv);
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

/** Proposes the line that was meant; of a command that changes or forgets something, its help. */
export async function unknownCommand(
  group: Command,
  word: string,
  argv: readonly string[],
  tree: readonly Entry[],
): Promise<CliError> {
  const words = wordsOf(group);
  const unknown = `There is no command ${quoted(`${pathOf(group)} ${word}`)}.`;
  const at = argv.indexOf(word);
  const [before, after] = [argv.slice(0, at), argv.slice(at + 1)];
  const leftOut = leftOutBefore(words, word);
  if (leftOut !== undefined)
    return usageError(unknown, repeatLine([...before, leftOut, word, ...after]));
  const other = otherName(words, word);
  const isOther = other !== undefined && wordsBelow(tree, [other], after).length > 0;
  const parts = wordsBelow(tree, words, word.split(':'));
  const hint = isOther || parts.length > 1 ? undefined : meantBy(words, word, after);
  if (hint !== undefined) return usageError(unknown, hint);
  const spelled = parts.length > 1 ? [[...words, ...parts]] : commandsLike(tree, words, word);
  const likes = isOther ? [[other]] : spelled;
  const meant = likes.map((like) => {
    const whole = [...like, ...wordsBelow(tree, like, after)];
    return {
      whole,
      path: `svc ${whole.join(' ')}`,
      line: repeatLine([...before, ...like.slice(words.length), ...after]),
    };
  });
  const harmless = [];
  for (const one of meant) if (await isHarmless(tree, one.whole)) harmless.push(one);
  const proposed = harmless.length === 0 ? meant : harmless;
  const question =
    proposed.length === 0
      ? ''
      : ` Did you mean ${proposed.map((one) => `"${one.path}"`).join(' or ')}?`;
  return usageError(
    `${unknown}${question}`,
    harmless[0]?.line ?? `${meant[0]?.path ?? pathOf(group)} --help`,
  );
}

/** A group, or a command that changes and forgets nothing. */
async function isHarmless(tree: readonly Entry[], path: readonly string[]): Promise<boolean> {
  const entry = entryAt(tree, path);
  if (entry === undefined || isGroup(entry)) return entry !== undefined;
  const { effect, forgets = false } = (await entry.load()).default;
  return (effect === 'reads' || effect === 'local') && !forgets;
}

function wordsBelow(
  tree: readonly Entry[],
  path: readonly string[],
  line: readonly string[],
): readonly string[] {
  const [next] = line;
  const isOne = next !== undefined && entriesBelow(tree, path).some(({ name }) => name === next);
  return isOne ? [next, ...wordsBelow(tree, [...path, next], line.slice(1))] : [];
}

/** What a line names, as far as its words do. */
export function namedBy(program: Command, argv: readonly string[]): Command {
  const [words] = splitAtDoubleDash(argv);
  return words.reduce(
    (group, word) => group.commands.find((one) => one.name() === word) ?? group,
    program,
  );
}

/** The words after `svc`. */
export function wordsOf(command: Command): readonly string[] {
  return command.parent ? [...wordsOf(command.parent), command.name()] : [];
}

function pathOf(command: Command): string {
  return ['svc', ...wordsOf(command)].join(' ');
}

function unknownOption(command: Command, word: string, argv: readonly string[]): CliError {
  const path = pathOf(command);
  const [name = '', value] = word.split('=');
  const names = optionNames(command);
  if (names.includes(name)) {
    if (value !== undefined) return usageError(`${name} takes no value.`, `Write ${name} alone.`);
    return usageError(`${name} goes after its command.`, `For example: ${path} ${name} …`);
  }
  const argument = command.registeredArguments.find((one) => `--${one.name()}` === name);
  if (argument !== undefined) {
    const line = argv.map((one) => (one === word ? value : one)).filter((one) => one !== undefined);
    const hint = value === undefined ? `Write: ${path} <${argument.name()}>` : repeatLine(line);
    return usageError(`"${path}" takes the ${argument.name()} without ${name}.`, hint);
  }
  const unknown = `"${path}" has no option ${quoted(name)}.`;
  const hint = meantByOption(name);
  if (hint !== undefined) return usageError(unknown, hint);
  if (FORMAT_OPTIONS.includes(name)) return asFormat(unknown, word, argv, names);
  const meant = closest(name, names);
  const line = argv.map((one) =>
    one === word ? [meant, value].filter((part) => part !== undefined).join('=') : one,
  );
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
  // An id may begin with one hyphen.
  const isArgument =
    /^-[^-]/.test(word) && command.registeredArguments.some(({ required }) => required);
  return usageError(
    `${unknown}${question}`,
    meant === undefined ? `${path} --help` : repeatLine(line),
  ).with({
    lines: isArgument ? [`If it is an argument, not an option: ${path} -- ${word}`] : [],
  });
}

/** For `-o json` and its like: the form is an option of its own. */
function asFormat(
  unknown: string,
  word: string,
  argv: readonly string[],
  names: readonly string[],
): CliError {
  const at = argv.indexOf(word);
  const [, inWord] = word.split('=');
  const form = inWord ?? argv[at + 1];
  const hasForm = form !== undefined && !form.startsWith('-');
  if (word.startsWith('-o') && (form === undefined || !FORMATS.includes(form)))
    return asOrganizationOrFile(unknown, at, argv, names);
  const rest = [
    ...argv.slice(0, at),
    ...argv.slice(at + (inWord === undefined && hasForm ? 2 : 1)),
  ];
  return usageError(
    unknown,
    repeatLine(rest, form === 'csv' && names.includes('--csv') ? '--csv' : '--json'),
  );
}

/** Answers `-o kola-studio` and `-o chart.svg`: the letter could be either option. */
function asOrganizationOrFile(
  unknown: string,
  at: number,
  argv: readonly string[],
  names: readonly string[],
): CliError {
  const meant = ['--org', ...(names.includes('--output') ? ['--output'] : [])];
  const run = meant.map((name) => {
    const word = argv[at]?.replace(/^-o/, name) ?? name;
    return repeatLine([...argv.slice(0, at), word, ...argv.slice(at + 1)]);
  });
  return usageError(unknown, { say: `Write ${meant.join(' or ')}.`, run });
}

/** Long names, with those of the commands above. */
function optionNames(command: Command): readonly string[] {
  const own = command.createHelp().visibleOptions(command);
  return [
    ...own.flatMap(({ long }) => long ?? []),
    ...(command.parent ? optionNames(command.parent) : []),
  ];
}

/** Below a group with a stand-in, the first is an unknown command. */
async function tooMany(
  command: Command,
  argv: readonly string[],
  tree: readonly Entry[],
): Promise<CliError> {
  const [stray] = command.args.filter((word) => !word.startsWith('-'));
  if (command.commands.length > 0 && stray !== undefined)
    return unknownCommand(command, stray, argv, tree);
  const path = pathOf(command);
  const leftOut = stray === undefined ? undefined : leftOutBefore(wordsOf(command), stray);
  const line = argv.flatMap((word) =>
    word === stray && leftOut !== undefined ? [leftOut, word] : [word],
  );
  const count = command.registeredArguments.length;
  const takes = ['no argument', 'one argument'][count] ?? `${count} arguments`;
  const hint = leftOut === undefined ? `${path} --help` : repeatLine(line);
  return usageError(
    `"${path}" takes ${takes}, but was given ${listed(command.args.map(quoted))}.`,
    hint,
  );
}

/**
 * Makes a line that can be pasted of an example for one value, unless the command changes or
 * forgets something.
 */
export async function withWholeLine(
  error: CliError,
  argv: readonly string[],
  tree: readonly Entry[],
): Promise<CliError> {
  const [, flag, value] =
    /^For example: (?:(--[a-z-]+) )?([^\s-]\S*)$/.exec(stepOf(error.details.hint).say ?? '') ?? [];
  const wrong = /"([^"]*)"/.exec(error.message)?.[1];
  if (error.code !== 'usage' || value === undefined || wrong === undefined) return error;
  const isWrong = (word: string, at: number) =>
    word === wrong && (flag === undefined || argv[at - 1] === flag);
  const line = argv.map((word, at) => {
    if (isWrong(word, at)) return value;
    return flag !== undefined && word === `${flag}=${wrong}` ? `${flag}=${value}` : word;
  });
  if (line.filter((word, at) => word !== argv[at]).length !== 1) return error;
  return (await isHarmless(tree, wordsBelow(tree, [], argv)))
    ? error.with({ hint: repeatLine(line) })
    : error;
}
