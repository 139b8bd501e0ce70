import { type Assume, createAssume } from '../contract/assumptions.ts';
import { findField, type JsonObject } from '../json/values.ts';
import { splitName } from '../split-name.ts';

/** A kind of change, or what else an answer is about. */
export type ChangeKind = 'order' | 'staging' | 'job' | 'restart' | 'deployment' | 'change';

const KINDS = ['failed', 'pending', 'done'] as const;
type Kind = (typeof KINDS)[number];

/** A status as the API wrote it. Without a kind, svc does not know its words. */
export interface Status {
  /** The path of its field, such as `payment.status`. */
  readonly path: string;
  readonly text: string;
  readonly kind: Kind | undefined;
}

/**
 * Returns the assumptions with the places and the words of a status. Stagings and restarts have
 * those of jobs.
 */
export function getStatusAssumptions(thing: ChangeKind) {
  const name = thing === 'order' ? 'checkout' : 'job';
  const place = thing === 'deployment' ? thing : name;
  return {
    places: `${place}.status`,
    failed: `${name}.failed`,
    pending: `${name}.pending`,
    done: `${name}.done`,
  } as const;
}

/** Reads the statuses of an object, at the assumed places. */
export function readStatuses(
  part: JsonObject,
  thing: ChangeKind,
  assume: Assume,
): readonly Status[] {
  const places = assume(getStatusAssumptions(thing).places).split(/\s+/);
  return places.flatMap((path) => {
    const value = path.split('.').reduce<unknown>(findField, part);
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '') return [];
    return [{ path, text, kind: classifyStatus(text, getStatusWords(assume, thing)) }];
  });
}

type StatusWords = ReadonlyMap<string, Kind>;

/** The words that were read already: a batch reads thousands of answers. */
const WORDS_READ = new WeakMap<Assume, Map<ChangeKind, StatusWords>>();

function getStatusWords(assume: Assume, thing: ChangeKind): StatusWords {
  const byThing = WORDS_READ.get(assume) ?? new Map<ChangeKind, StatusWords>();
  WORDS_READ.set(assume, byThing);
  const words = byThing.get(thing) ?? readStatusWords(assume, thing);
  byThing.set(thing, words);
  return words;
}

/** Reads the kind of each word or phrase. One that the user declared is of that kind alone. */
export function readStatusWords(assume: Assume, thing: ChangeKind): StatusWords {
  const rows = getStatusAssumptions(thing);
  const listWords = (source: Assume) =>
    KINDS.flatMap((kind) => {
      const words = source(rows[kind]).split(/\s+/);
      return words.map((word) => [splitWords(word).join(' '), kind] as const);
    });
  const standard = new Map(listWords(STANDARD));
  const isDeclared = ([word, kind]: readonly [string, Kind]) => standard.get(word) !== kind;
  // The last entry of a word counts.
  return new Map(listWords(assume).sort((a, b) => Number(isDeclared(a)) - Number(isDeclared(b))));
}

const STANDARD = createAssume(new Map());

/** Words that say what a status is about, or join others. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    'payment order job action request transaction charge card checkout build deploy deployment restart staging backup plugin record records ' +
    'validation verification funds approval confirmation method user customer in is and with the was has been by for of to on'
  ).split(' '),
);

/**
 * Splits a status or the name of a field: `PaymentFailed`, `payment_failed` and `PAYMENT-FAILED`
 * are the same.
 */
export function splitWords(text: string): readonly string[] {
  return splitName(text.replace(/timed[ _-]?out/gi, ' timeout'));
}

/**
 * Returns the kind that all words have that say something. Undefined if they have several, or svc
 * does not know one of them.
 */
export function classifyStatus(status: string, table: StatusWords): Kind | undefined {
  const words = splitWords(status);
  const kinds = new Set(words.filter((word) => !FILLERS.has(word)).map((word) => table.get(word)));
  const [only] = kinds.size === 1 ? kinds : [];
  return table.get(words.join(' ')) ?? only;
}
