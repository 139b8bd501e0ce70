import { shellWord } from '../shell-line.ts';
import type { Globals } from './globals.ts';

/** Writes a command line to run later, with the flags that chose the address, the account and the organization now. */
export function sameTarget(words: readonly string[], { profile, apiUrl, org }: Globals): string {
  const flags = Object.entries({ '--profile': profile, '--api-url': apiUrl, '--org': org });
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return [...words, ...given].map((word) => shellWord(word)).join(' ');
}
