import { quoted, usageError } from '../../errors.ts';
import { closest } from './did-you-mean.ts';
import { example } from './example.ts';

/** Reads one of the listed words, spelt exactly so. Throws a usage error that lists them and names the one meant. */
export function parseChoice<const Choice extends string>(
  text: string,
  field: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((word) => word === text);
  if (choice !== undefined) return choice;
  const meant = closest(text, choices) ?? choices[0] ?? '';
  throw usageError(`${field} ${quoted(text)} is not one of ${choices.join(', ')}.`, example(field, meant));
}
