import type { Command } from 'commander';
import { splitAtDoubleDash } from '../../shell-line.ts';
import type { Entry } from '../define/define.ts';
import { closest } from '../values/text.ts';

/** A typed line that commander refuses. */
export interface RefusedLine {
  readonly program: Command;
  readonly argv: readonly string[];
  readonly tree: readonly Entry[];
}

/** Returns what a line names, as far as its words do. */
export function findNamedCommand(program: Command, argv: readonly string[]): Command {
  const [words] = splitAtDoubleDash(argv);
  return words.reduce(
    (group, word) => group.commands.find((command) => command.name() === word) ?? group,
    program,
  );
}

/** Returns the words after `svc`. */
export function getPath(command: Command): readonly string[] {
  return command.parent ? [...getPath(command.parent), command.name()] : [];
}

/** Returns a command as it is typed: `svc domains add`. */
export function toLine(path: readonly string[]): string {
  return ['svc', ...path].join(' ');
}

/** Replaces words of a line by others; words that end in `=` are glued to what follows. */
export function replaceWords(
  argv: readonly string[],
  at: number,
  count: number,
  words: readonly string[],
): readonly string[] {
  const next = argv[at + count];
  const last = words.at(-1);
  if (last?.endsWith('=') && next !== undefined) {
    return argv.toSpliced(at, count + 1, ...words.slice(0, -1), `${last}${next}`);
  }
  return argv.toSpliced(at, count, ...words);
}

/** Finds the option that a word seems to be: `--dryRun`, `--dry_run`, `-dry-run`, `--quan=2`. */
export function findSimilarOption(word: string, names: readonly string[]): string | undefined {
  const [typed = ''] = word.split('=');
  if (/^-[a-z][\w-]{2,}$/i.test(typed)) return names.find((name) => name === `-${typed}`);
  if (!/^--[a-z][\w-]+$/i.test(typed)) return undefined;
  const beginning = typed.length < 5 ? [] : names.filter((name) => name.startsWith(typed));
  if (beginning.length === 1) return beginning[0];
  const words = names.map((name) => name.slice(2));
  const near = closest(typed.slice(2).replaceAll('_', '-'), words);
  return near === undefined ? undefined : `--${near}`;
}
