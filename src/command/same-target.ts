import type { Globals } from './globals.ts';
import { shellWord } from './shell-word.ts';

/** A command line to be pasted later: flags that chose the service and the account of this run choose them there too. */
export function sameTarget(words: readonly string[], { profile, apiUrl, org }: Globals): string {
  const flags = Object.entries({ '--profile': profile, '--api-url': apiUrl, '--org': org });
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return [...words, ...given].map(shellWord).join(' ');
}
