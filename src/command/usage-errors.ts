import type { Command, CommanderError } from 'commander';
import { type CliError, listed, quoted, usageError } from '../errors.ts';
import { commandNamed, optionsOf } from './command-line.ts';
import { closest } from './parse/did-you-mean.ts';
import { pathOf, usageOf } from './usage.ts';

/** What the parser refuses, in svc's words: what is wrong, what was probably meant, where to read on. */
export function usageErrorFrom(error: CommanderError, program: Command, argv: readonly string[]): CliError {
  const command = commandNamed(program, argv);
  const path = pathOf(command);
  const subject = error.message.match(/'(.*)'/s)?.[1] ?? '';
  switch (error.code) {
    case 'commander.help':
      return usageError(`"${path}" needs a subcommand: ${namesOf(command).join(', ')}.`, `${path} --help`);
    case 'commander.excessArguments':
      return tooMany(command);
    case 'commander.unknownOption':
      return unknownOption(command, subject);
    case 'commander.optionMissingArgument':
      return usageError(`${subject.split(/[ ,]/)[0]} needs a value: ${subject}.`, `${path} --help`);
    case 'commander.missingArgument':
      return usageError(`"${path}" needs <${subject}>.`, `${path} --help`).with({
        lines: [`Usage: ${usageOf(command)}`],
      });
    default:
      return usageError(error.message.replace(/^error: /, ''), `${path} --help`);
  }
}

function unknownOption(command: Command, word: string): CliError {
  const path = pathOf(command);
  const [name = '', value] = word.split('=');
  const names = optionsOf(command).flatMap(({ long }) => long ?? []);
  if (names.includes(name)) {
    return value === undefined
      ? usageError(`${name} goes after its command.`, `${path} ${name}`)
      : usageError(`${name} takes no value.`, name);
  }
  const argument = command.registeredArguments.find((one) => `--${one.name()}` === name);
  if (argument !== undefined) {
    const words = [path, value ?? `<${argument.name()}>`].join(' ');
    return usageError(`"${path}" takes the ${argument.name()} without ${name}.`, words);
  }
  const meant = closest(name, names);
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const isArgument = meant === undefined && command.registeredArguments.length > 0;
  return usageError(`"${path}" has no option ${quoted(name)}.${question}`, `${path} --help`).with({
    lines: isArgument ? [`If it is an argument, not an option: ${path} -- ${word}`] : [],
  });
}

function tooMany(command: Command): CliError {
  const path = pathOf(command);
  const count = command.registeredArguments.length;
  const takes = count === 0 ? 'no argument' : count === 1 ? 'one argument' : `${count} arguments`;
  return usageError(`"${path}" takes ${takes}, but was given ${listed(command.args.map(quoted))}.`, `${path} --help`);
}

function namesOf(group: Command): string[] {
  return group.commands.map((command) => command.name());
}
