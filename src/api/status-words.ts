import { type Assume, type AssumptionName, assumeFrom } from '../contract/assumptions.ts';

/** What an answer is about. */
export type Thing = 'order' | 'staging' | 'job' | 'restart' | 'deployment' | 'change';

/** Worst first: a status is of the first kind that one of its words has. */
const KINDS = ['failed', 'pending', 'done'] as const;
type Kind = (typeof KINDS)[number];

/** The words of each kind, split and joined by spaces. */
export type StatusWords = ReadonlyMap<Kind, ReadonlySet<string>>;

/** The assumptions with the status words of a thing. */
export function wordRowsOf(thing: Thing): Readonly<Record<Kind, AssumptionName>> {
  const isOrder = thing === 'order';
  return {
    failed: isOrder ? 'checkout.failed' : 'job.failed',
    pending: 'checkout.pending',
    done: isOrder ? 'checkout.done' : 'job.done',
  };
}

/** A word that the user declared is of that kind alone. */
export function statusWords(assume: Assume, thing: Thing): StatusWords {
  const rows = wordRowsOf(thing);
  const standard = assumeFrom(new Map());
  const read = (text: string) =>
    new Set(text.split(/\s+/).map((word) => splitWords(word).join(' ')));
  const kinds = KINDS.map((kind) => ({
    kind,
    words: read(assume(rows[kind])),
    own: read(standard(rows[kind])),
  }));
  return new Map(
    kinds.map(({ kind, words }) => {
      const others = kinds.filter((one) => one.kind !== kind);
      const isTaken = (word: string) =>
        others.some((other) => other.words.has(word) && !other.own.has(word));
      return [kind, new Set([...words].filter((word) => word !== '' && !isTaken(word)))];
    }),
  );
}

const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'non', 'never', 'without']);
/** Words that add nothing to a word of the table. */
const FILLERS: ReadonlySet<string> = new Set(
  'payment order job in is and with the was has been by user'.split(' '),
);

/**
 * Splits a status or the name of a field: `PaymentFailed`, `payment_failed` and `PAYMENT-FAILED`
 * are the same.
 */
export function splitWords(text: string): readonly string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/timed[ _-]?out/g, 'timeout')
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '');
}

/** Undefined for a status that svc does not know. */
export function kindOf(status: string, table: StatusWords): Kind | undefined {
  const words = splitWords(status);
  const whole = KINDS.find((kind) => table.get(kind)?.has(words.join(' ')));
  if (whole !== undefined || words.some((word) => NEGATIONS.has(word))) return whole;
  const worse = (['failed', 'pending'] as const).find((kind) =>
    words.some((word) => table.get(kind)?.has(word)),
  );
  const telling = words.filter((word) => !FILLERS.has(word));
  const isDone = telling.length > 0 && telling.every((word) => table.get('done')?.has(word));
  return worse ?? (isDone ? 'done' : undefined);
}
