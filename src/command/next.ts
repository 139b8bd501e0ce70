import type { Globals } from './globals.ts';

/** Quotes a word for a POSIX shell if it needs quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Writes a command line as it was typed, with more words in front of a `--`. */
export function sameLine(argv: readonly string[], more: readonly string[]): string {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return ['svc', ...argv.slice(0, end), ...more, ...argv.slice(end)].map(shellWord).join(' ');
}

/** Writes a command line to run later, with the flags that chose the address, the account and the organization now. */
export function sameTarget(words: readonly string[], { profile, apiUrl, org }: Globals): string {
  const flags = Object.entries({ '--profile': profile, '--api-url': apiUrl, '--org': org });
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return [...words, ...given].map(shellWord).join(' ');
}
