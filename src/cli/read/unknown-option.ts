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
  const names = listOptionNames(command);
  const option: TypedOption = { argv, at: argv.indexOf(word), name, value, command, names };
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
  const { name, value, names, command } = option;
  if (!names.includes(name)) return undefined;
  const help = `${toLine(getPath(command))} --help`;
  if (value === undefined) {
    const meant = moveToEnd(option);
    return usageError(`${name} goes after its command.`, help).with({ meant });
  }
  return usageError(`${name} takes no value.`, help).with({ meant: replaceSwitch(option) });
}

function explainArgument(option: TypedOption): CliError | undefined {
  const line = toLine(getPath(option.command));
  const name = option.name.slice(2);
  if (!option.command.registeredArguments.some((argument) => argument.name() === name)) {
    return undefined;
  }
  return usageError(
    `"${line}" takes the ${name} without ${option.name}.`,
    `Write: ${line} <${name}>`,
  ).with({ meant: replaceOption(option, '<>') });
}

/** Explains `--browser` where there is `--no-browser`: nothing needs to be typed for it. */
function explainOpposite(option: TypedOption): CliError | undefined {
  const opposite = toOpposite(option.name);
  if (!option.names.includes(opposite)) return undefined;
  const line = toLine(getPath(option.command));
  return usageError(`"${line}" does so without ${opposite}.`, line).with({
    meant: replaceOption(option, '-'),
  });
}

function explainSynonym(option: TypedOption): CliError | undefined {
  const path = getPath(option.command);
  const synonym = findOptionSynonym(path, option.name);
  if (synonym === undefined) return undefined;
  const [, targets, sentence] = synonym;
  const target = targets.split(' ').find((one) => isTaken(option, one));
  const meant = target ? replaceOption(option, target) : undefined;
  const isExplained = sentence && (target === undefined || target === '=');
  const explanation = isExplained ? { lines: [sentence], hint: undefined } : {};
  return unknownOptionError(option).with({ meant, ...explanation });
}

function explainMisspelled(option: TypedOption): CliError {
  const { name, names, command } = option;
  const positive = names.filter((one) => one.startsWith('--no-')).map(toOpposite);
  const near = findSimilarOption(name, [...names, ...positive]);
  // An id may begin with one hyphen.
  const isArgument =
    /^-[^-]/.test(name) && command.registeredArguments.some(({ required }) => required);
  const line = `${toLine(getPath(command))} -- ${name}`;
  const lines = isArgument ? [`If it is an argument, not an option: ${line}`] : [];
  if (near === undefined) return unknownOptionError(option).with({ lines });

  const meant = replaceOption(option, names.includes(near) ? near : '-');
  return unknownOptionError(option, ` Did you mean ${near}?`).with({ lines, meant });
}

function unknownOptionError({ name, command }: TypedOption, question = ''): CliError {
  const line = toLine(getPath(command));
  return usageError(`"${line}" has no option ${quote(name)}.${question}`, `${line} --help`);
}

/** Lists the long names, with those of the commands above, and of the usual one of a group. */
export function listOptionNames(command: Command): readonly string[] {
  return [...new Set(listOptions(command).flatMap(({ long }) => long ?? []))];
}

function listOptions(command: Command): readonly Option[] {
  const { commands, parent } = command;
  const [usual] = commands.length === 1 ? commands : [];
  const options = [command, usual ?? []].flat().flatMap((one) => one.options);
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
function replaceSwitch(option: TypedOption): readonly string[] | undefined {
  if (/^(?:true|yes|on|1)$/i.test(option.value ?? '')) {
    return replaceOption(option, `=${option.name}`);
  }
  return /^(?:false|no|off|0)$/i.test(option.value ?? '') ? replaceOption(option, '=') : undefined;
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
  const isForm = form !== undefined && FORMATS.includes(form);
  if (name === '-o' && !isForm) return explainShortO(option);

  const target = form === 'csv' && names.includes('--csv') ? '=--csv' : '=--json';
  return unknownOptionError(option).with({ meant: replaceOption(option, target) });
}

/** Explains `-o kola-studio` and `-o chart.svg`: the letter could be either option. */
function explainShortO(option: TypedOption): CliError {
  const targets = ['--org', '--output'].filter((name) => option.names.includes(name));
  const say = `Write ${targets.join(' or ')}.`;
  const hasValue = (option.value ?? option.argv[option.at + 1]) !== undefined;
  const lines = hasValue ? targets.map((target) => repeatLine(replaceOption(option, target))) : [];
  return unknownOptionError(option).with({ hint: { say, run: lines } });
}
