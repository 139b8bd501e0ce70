import { type Assume, type AssumptionName, assumeFrom } from '../spec/assumptions.ts';

/** The kinds of status words, worst first: a status is of the first kind that one of its words has. */
export type Kind = 'failed' | 'pending' | 'done';

/** The status words of orders, or those of jobs and everything else. */
export type StatusWords = Readonly<Record<Kind, ReadonlySet<string>>>;

/** The assumptions with the words of each thing. Both share the pending ones. */
export const WORD_TABLES = {
  checkout: { failed: 'checkout.failed', pending: 'checkout.pending', done: 'checkout.done' },
  job: { failed: 'job.failed', pending: 'checkout.pending', done: 'job.done' },
} as const satisfies Record<string, Record<Kind, AssumptionName>>;

/** Which table holds the words of a thing. */
export type WordTable = keyof typeof WORD_TABLES;

/** The words of assumptions that were read before, by their texts: a list asks for the same ones each time. */
const known = new Map<string, StatusWords>();

/** Returns the status words of a table. A word that the user declared is of that kind alone. */
export function statusWords(assume: Assume, name: WordTable): StatusWords {
  const key = [name, ...Object.values(WORD_TABLES[name]).map(assume)].join('\n');
  const words = known.get(key) ?? readWords(assume, name);
  known.set(key, words);
  return words;
}

function readWords(assume: Assume, name: WordTable): StatusWords {
  const own = assumeFrom(new Map());
  const read = (text: string) => new Set(text.split(/\s+/).map((word) => splitWords(word).join(' ')));
  const table = Object.fromEntries(
    Object.entries(WORD_TABLES[name]).map(([kind, row]) => [kind, { words: read(assume(row)), own: read(own(row)) }]),
  );
  const declaredBy = (kind: string, word: string) => table[kind]?.words.has(word) && !table[kind].own.has(word);
  const isTaken = (kind: string, word: string) =>
    Object.keys(table).some((other) => other !== kind && declaredBy(other, word));
  const wordsFor = (kind: Kind) =>
    new Set([...(table[kind]?.words ?? [])].filter((word) => word !== '' && !isTaken(kind, word)));
  return { failed: wordsFor('failed'), pending: wordsFor('pending'), done: wordsFor('done') };
}

const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'non', 'never', 'without']);
/** Words that add nothing to a word of the table. */
const FILLERS: ReadonlySet<string> = new Set('payment order job in is and with the was has been by user'.split(' '));

/** Splits a status or the name of a field: `PaymentFailed`, `payment_failed` and `PAYMENT-FAILED` are the same. */
export function splitWords(text: string): readonly string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/timed[ _-]?out/g, 'timeout')
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '');
}

/** Returns the kind of a status, or undefined for one that svc does not know. */
export function kindOf(status: string, table: StatusWords): Kind | undefined {
  const words = splitWords(status);
  const whole = words.join(' ');
  for (const kind of ['failed', 'pending', 'done'] as const) if (table[kind].has(whole)) return kind;
  if (words.some((word) => NEGATIONS.has(word))) return undefined;
  for (const kind of ['failed', 'pending'] as const) if (words.some((word) => table[kind].has(word))) return kind;
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length > 0 && telling.every((word) => table.done.has(word)) ? 'done' : undefined;
}
