import type { Command, Option } from 'commander';
import { usageError } from '../errors.ts';
import { unknownCommand } from './unknown-command.ts';
import { isDefault } from './usage.ts';

/** An option where it stands on the command line. */
interface Use {
  readonly option: Option;
  /** As it was typed: `--org`, or `-X`. */
  readonly name: string;
  readonly value: string | undefined;
  /** Whether the value is a word of its own. */
  readonly apart: boolean;
}

/** A command line as it will be understood. */
interface Reading {
  readonly command: Command;
  /** The options that take a value. */
  readonly uses: readonly Use[];
  /** A word where the name of a subcommand belongs. */
  readonly stray: string | undefined;
}

/** The command that a command line names, as far as it names one. */
export function commandNamed(program: Command, argv: readonly string[]): Command {
  return read(program, argv).command;
}

/**
 * Refuses what the parser would let pass: an option as the value of the option before it, two different values of an
 * option that has one, and a word that is no command where help is asked for or a group has a default.
 */
export function checkCommandLine(program: Command, argv: readonly string[]): void {
  const { command, uses, stray } = read(program, argv);
  if (stray !== undefined) throw unknownCommand(command, stray);
  const known = optionsOf(command);
  const values = new Map<Option, string | undefined>();
  for (const { option, name, value, apart } of uses) {
    if (apart && value !== undefined && (value === '--' || optionAt(known, value) !== undefined)) {
      throw usageError(`${name} needs a value, and ${value} is an option.`, `${name}=${value}, if that is the value`);
    }
    if (!countsItself(option) && values.has(option) && values.get(option) !== value) {
      throw usageError(`${name} is given twice.`, `${name} once`);
    }
    values.set(option, value);
  }
}

/** The options that may stand behind a command. */
export function optionsOf(command: Command): readonly Option[] {
  const standIn = command.commands.find(isDefault);
  const own = [command, ...(standIn ? [standIn] : [])].flatMap((one) => one.createHelp().visibleOptions(one));
  return command.parent ? [...own, ...optionsOf(command.parent)] : own;
}

/** The words of a command line that are neither global options nor their values. */
export function commandWords(program: Command, argv: readonly string[]): readonly string[] {
  const takesValue = new Set(program.options.flatMap(({ required, long }) => (required ? long : [])));
  const words: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (takesValue.has(word)) index++;
    else if (!word.startsWith('-')) words.push(word);
  }
  return words;
}

/** `svc --help domains add` asks for the same as `svc domains add --help`. */
export function helpLast(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isHelp = (word: string) => word === '--help' || word === '-h';
  const own = argv.slice(0, end);
  return own.some(isHelp) ? [...own.filter((word) => !isHelp(word)), '--help', ...argv.slice(end)] : argv;
}

function read(program: Command, argv: readonly string[]): Reading {
  const uses: Use[] = [];
  let command = program;
  for (let index = 0; index < argv.length && argv[index] !== '--'; index++) {
    const word = argv[index] ?? '';
    const option = optionAt(optionsOf(command), word);
    const [name, value] = split(word);
    if (option?.required) {
      const apart = value === undefined;
      if (apart) index++;
      uses.push({ option, name, value: apart ? argv[index] : value, apart });
    } else if (!word.startsWith('-')) {
      const child = command.commands.find((one) => one.name() === word);
      if (child === undefined && command.commands.length > 0) return { command, uses, stray: word };
      command = child ?? command;
    } else if (option === undefined) {
      // The parser says what is wrong with it; whatever stands behind it may be its value.
      return { command: lastNamed(command, argv.slice(index)), uses, stray: undefined };
    }
  }
  return { command, uses, stray: undefined };
}

function lastNamed(command: Command, words: readonly string[]): Command {
  return words.reduce((group, word) => group.commands.find((one) => one.name() === word) ?? group, command);
}

/** The option that a word is, with or without a value in the same word. */
function optionAt(options: readonly Option[], word: string): Option | undefined {
  const [name] = split(word);
  return options.find(({ long, short }) => name === long || name === short);
}

/** `--org=acme` and `-XPOST` are an option and its value. */
function split(word: string): readonly [name: string, value: string | undefined] {
  const isLong = word.startsWith('--');
  const end = isLong ? word.indexOf('=') : word.length > 2 ? 2 : -1;
  return end < 0 ? [word, undefined] : [word.slice(0, end), word.slice(isLong ? end + 1 : end)];
}

/** Whether the option's parser is told the value before, and decides about the two. */
function countsItself({ parseArg }: Option): boolean {
  return parseArg !== undefined && parseArg.length > 1;
}
