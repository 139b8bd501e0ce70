import type { Globals } from './globals.ts';

/** A word as it is typed in a POSIX shell: in single quotes where the shell would read more than itself in it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command line to be pasted later: flags that chose the service and the account of this run choose them there too. */
export function sameTarget(words: readonly string[], { profile, apiUrl, org }: Globals): string {
  const flags = Object.entries({ '--profile': profile, '--api-url': apiUrl, '--org': org });
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return [...words, ...given].map(shellWord).join(' ');
}
