import type { Command, Option } from 'commander';
import { type CliError, quote, usageError } from '../../errors.ts';
import { repeatLine } from '../../shell-line.ts';
import {
  findSimilarOption,
  getPath,
  type RefusedLine,
  replaceWords,
  toLine,
} from './refused-line.ts';
import { FORMAT_OPTIONS, FORMATS, findOptionSynonym } from './synonyms.ts';

/** An option as it was typed, at its place in the line. */
interface TypedOption {
  readonly argv: readonly string[];
  readonly at: number;
  readonly name: string;
  /** The text behind its equals sign. */
  readonly value: string | undefined;
  readonly command: Command;
  /** The command as it is typed. */
  readonly line: string;
  /** The long names that the command takes. */
  readonly names: readonly string[];
}

/** Explains an option that a command does not have, and finds the line that was meant. */
export function explainUnknownOption(
  command: Command,
  word: string,
  { argv }: RefusedLine,
): CliError {
  const [name = '', value] = word.split(/=(.*)/s);
  const option: TypedOption = {
    argv,
    at: argv.indexOf(word),
    name,
    value,
    command,
    line: toLine(getPath(command)),
    names: listOptionNames(command),
  };
  // It stands in a group of letters, such as `-qj`.
  if (option.at < 0) return unknownOptionError(option);
  return (
    explainMisplaced(option) ??
    explainArgument(option) ??
    explainOpposite(option) ??
    explainFormat(option) ??
    explainSynonym(option) ??
    explainMisspelled(option)
  );
}

/** Explains an option that is there, but not so, or not here. */
function explainMisplaced(option: TypedOption): CliError | undefined {
  const { name, value, names, line } = option;
  if (!names.includes(name)) return undefined;
  const isMoved = value === undefined;
  const why = isMoved ? 'goes after its command' : 'takes no value';
  const meant = isMoved ? moveToEnd(option) : replaceSwitch(option, value);
  return usageError(`${name} ${why}.`, `${line} --help`).with({ meant });
}

function explainArgument(option: TypedOption): CliError | undefined {
  const { line, command } = option;
  const name = option.name.slice(2);
  if (!command.registeredArguments.some((argument) => argument.name() === name)) return undefined;
  return usageError(
    `"${line}" takes the ${name} without ${option.name}.`,
    `Write: ${line} <${name}>`,
  ).with({ meant: replaceOption(option, '<>') });
}

/** Explains `--browser` where there is `--no-browser`: nothing needs to be typed for it. */
function explainOpposite(option: TypedOption): CliError | undefined {
  const { name, names, line } = option;
  const opposite = toOpposite(name);
  if (!names.includes(opposite)) return undefined;
  return usageError(`"${line}" does so without ${opposite}.`, line).with({
    meant: replaceOption(option, '-'),
  });
}

function explainSynonym(option: TypedOption): CliError | undefined {
  const synonym = findOptionSynonym(getPath(option.command), option.name);
  if (!synonym) return undefined;
  const [, targets, sentence] = synonym;
  const target = targets.split(' ').find((one) => isTaken(option, one));
  const meant = target ? replaceOption(option, target) : undefined;
  const isExplained = target === undefined || target === '=';
  const explanation =
    sentence !== undefined && isExplained ? { lines: [sentence], hint: undefined } : {};
  return unknownOptionError(option).with({ meant, ...explanation });
}

function explainMisspelled(option: TypedOption): CliError {
  const { name, names, command, line } = option;
  const positive = names.filter((one) => one.startsWith('--no-')).map(toOpposite);
  const near = findSimilarOption(name, [...names, ...positive]);
  // An id may begin with one hyphen.
  const isArgument =
    /^-[^-]/.test(name) && command.registeredArguments.some(({ required }) => required);
  const lines = isArgument ? [`If it is an argument, not an option: ${line} -- ${name}`] : [];
  if (near === undefined) return unknownOptionError(option).with({ lines });

  const meant = replaceOption(option, names.includes(near) ? near : '-');
  return unknownOptionError(option, ` Did you mean ${near}?`).with({ lines, meant });
}

function unknownOptionError({ name, line }: TypedOption, question = ''): CliError {
  return usageError(`"${line}" has no option ${quote(name)}.${question}`, `${line} --help`);
}

/** Lists the long names, with those of the commands above, and of the usual one of a group. */
export function listOptionNames(command: Command): readonly string[] {
  return [...new Set(listOptions(command).flatMap(({ long }) => long ?? []))];
}

function listOptions(command: Command): readonly Option[] {
  const { commands, parent } = command;
  const usual = commands.length === 1 ? commands : [];
  const options = [command, ...usual].flatMap((one) => one.options);
  return [...options, ...(parent ? listOptions(parent) : [])];
}

function toOpposite(name: string): string {
  return name.startsWith('--no-') ? name.replace('--no-', '--') : name.replace(/^--/, '--no-');
}

/** Whether a command can do what a target of {@link OPTION_SYNONYMS} says. */
function isTaken({ command, names }: TypedOption, target: string): boolean {
  if (target === '<>') return command.registeredArguments.length > 0;
  return (target !== '' && !target.includes('--')) || names.includes(target.replace('=', ''));
}

/** Replaces an option as a target of {@link OPTION_SYNONYMS} says. */
function replaceOption({ argv, at, value }: TypedOption, target: string): readonly string[] {
  const next = argv[at + 1];
  const isNextValue = value === undefined && next !== undefined && !next.startsWith('-');
  const glued = value === undefined ? [] : [value];
  if (target === '<>') return replaceWords(argv, at, 1, glued);
  if (target === '-') return replaceWords(argv, at, 1, []);
  if (!target.startsWith('=')) return replaceWords(argv, at, 1, [[target, ...glued].join('=')]);
  const name = target.slice(1);
  return replaceWords(argv, at, isNextValue ? 2 : 1, name === '' ? [] : [name]);
}

/** Replaces `--json=true` by the switch alone, and `--json=false` by nothing. */
function replaceSwitch(option: TypedOption, value: string): readonly string[] | undefined {
  if (/^(?:true|yes|on|1)$/i.test(value)) return replaceOption(option, `=${option.name}`);
  return /^(?:false|no|off|0)$/i.test(value) ? replaceOption(option, '=') : undefined;
}

/** Moves an option, and its value, behind the command that it was typed in front of. */
function moveToEnd({ argv, at, name, command }: TypedOption): readonly string[] {
  const option = listOptions(command).find(({ long }) => long === name);
  const count = option?.required ? 2 : 1;
  return [...replaceWords(argv, at, count, []), ...argv.slice(at, at + count)];
}

/** Explains `-o json` and its like: the form is an option of its own. */
function explainFormat(option: TypedOption): CliError | undefined {
  const { argv, at, name, value, names } = option;
  if (!FORMAT_OPTIONS.includes(name)) return undefined;
  const form = value ?? argv[at + 1];
  const error = unknownOptionError(option);
  if (name !== '-o' || FORMATS.includes(form ?? '')) {
    const target = form === 'csv' && names.includes('--csv') ? '=--csv' : '=--json';
    return error.with({ meant: replaceOption(option, target) });
  }

  // `-o kola-studio` and `-o chart.svg`: the letter could be either option.
  const targets = ['--org', '--output'].filter((target) => names.includes(target));
  const proposed = form === undefined ? [] : targets;
  const run = proposed.map((target) => repeatLine(replaceOption(option, target)));
  return error.with({ hint: { say: `Write ${targets.join(' or ')}.`, run } });
}
