import type { Command } from 'commander';
import { type CliError, quoted, usageError } from '../errors.ts';
import { closest } from './parse/did-you-mean.ts';
import { pathOf } from './usage.ts';

/** A word that names no command of a group: the error, with what was probably meant. */
export function unknownCommand(group: Command, word: string): CliError {
  const path = pathOf(group);
  const meant = commandsLike(group, word);
  const question = meant.length === 0 ? '' : ` Did you mean ${meant.map((one) => `"${one}"`).join(' or ')}?`;
  return usageError(`There is no command ${quoted(`${path} ${word}`)}.${question}`, `${meant[0] ?? path} --help`);
}

/** The command of a group that is spelt alike, or those below it that have this name: `svc domains import` for `import`. */
export function commandsLike(group: Command, word: string): string[] {
  const near = closest(
    word,
    group.commands.map((command) => command.name()),
  );
  return near === undefined ? pathsTo(group, word) : [`${pathOf(group)} ${near}`];
}

function pathsTo(group: Command, word: string): string[] {
  return group.commands.flatMap((command) => [
    ...(command.name() === word ? [pathOf(command)] : []),
    ...pathsTo(command, word),
  ]);
}
