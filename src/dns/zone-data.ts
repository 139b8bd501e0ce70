import { isUtf8 } from 'node:buffer';
import { RECORD_TYPES, type ZoneRecord } from '../contract/operations.ts';
import { quote } from '../errors.ts';
import { isUint16 } from './record-value.ts';
import { readName, readStringBytes, type Token, ZoneFault } from './zone-tokens.ts';

/** A target that a zone file gives without its final dot, and the name that it means there. */
export interface RelativeTarget {
  readonly token: Token;
  readonly written: string;
  readonly full: string;
  readonly origin: string;
}

/** The words of a record behind its type, and where they stand. */
interface DataWords {
  readonly owner: string;
  readonly type: Token;
  readonly words: readonly Token[];
  readonly comments: readonly Token[];
  readonly origin: string;
}

/** Data of numbers and a name; other types keep theirs as written. */
const FORMS: Readonly<Record<string, readonly [numbers: number, form: string]>> = {
  CNAME: [0, 'a host name'],
  NS: [0, 'a host name'],
  MX: [1, 'a priority and a host name'],
  SRV: [3, 'priority, weight, port and a host name'],
};

/** Reads the data of a record. Throws a {@link ZoneFault}. */
export function readData(record: DataWords): {
  readonly data: Pick<ZoneRecord, 'value' | 'priority'>;
  readonly target?: RelativeTarget;
} {
  const { type, words, origin } = record;
  const name = type.text.toUpperCase();
  if (RECORD_TYPES.some((known) => known === name)) refuseForeignData(name, words);
  if (name === 'TXT') return { data: { value: readText(record) } };

  const [numbers, form] = FORMS[name] ?? [];
  if (numbers === undefined) {
    const texts = words.map(({ kind, text }) => (kind === 'string' ? `"${text}"` : text));
    return { data: { value: texts.join(' ') } };
  }

  const [priority, ...others] = words.slice(0, numbers).map(readNumber);
  const [target, extra] = words.slice(numbers);
  if (target === undefined || extra !== undefined) {
    throw new ZoneFault(extra ?? type, `${name} takes ${form}`);
  }

  const full = readName(target, origin);
  const value = [...others, full].join(' ');
  const data = priority === undefined ? { value } : { value, priority };
  if (target.text === '@' || target.text.endsWith('.') || origin === '.') return { data };
  return { data, target: { token: target, written: readName(target, '.'), full, origin } };
}

/** Refuses what other programs write in the place of data, and what no zone file means so. */
function refuseForeignData(name: string, words: readonly Token[]): void {
  const [first] = words;
  if (first?.kind === 'word' && first.text === '\\#') {
    throw new ZoneFault(
      first,
      `this is data in the form of RFC 3597 (a length and hexadecimal bytes). Write the data of ${name} as text`,
    );
  }

  const hash = words.find(({ kind, text }) => kind === 'word' && text.startsWith('#'));
  if (hash !== undefined && name !== 'TXT') {
    throw new ZoneFault(hash, 'a comment begins with ; in a zone file. Write ; for #');
  }
}

/** Quotes around words that are none in a zone file, such as those of word processors. */
const OTHER_QUOTES = /(?<!\S)['`\u2018-\u201f\u00ab\u00bb]|['`\u2018-\u201f\u00ab\u00bb](?!\S)/g;

/**
 * Joins the strings of a text. One of several words without quotes, or one that a comment follows
 * at once, is hardly meant so: the words would be joined without their blanks, and the comment
 * lost.
 */
function readText({ owner, type, words, comments }: DataWords): string {
  const [first] = words;
  if (first === undefined) throw new ZoneFault(type, 'TXT takes a text or several, in quotes');

  const bare = words.filter(({ kind }) => kind === 'word');
  const [firstBare] = bare;
  const cut = bare.map((word) => findCutText(word, comments)).find(Boolean);
  const isQuoted = first === firstBare && /^['`\u2018-\u201f\u00ab\u00bb]/.test(first.text);
  if (firstBare !== undefined && (bare.length > 1 || cut !== undefined || isQuoted)) {
    const whole = words.map(({ text }) => text).join(' ') + (cut ?? '');
    const text = isQuoted ? whole.replaceAll(OTHER_QUOTES, '') : whole;
    const reason = isQuoted ? 'a text has straight double quotes' : describeBareText(cut);
    throw new ZoneFault(firstBare, reason, `${owner} TXT "${text}"`);
  }

  const bytes = Buffer.concat(words.map(readStringBytes));
  if (isUtf8(bytes)) return bytes.toString();
  throw new ZoneFault(
    first,
    'the bytes of this text are not UTF-8, so JSON cannot carry them. Leave the record out, and create it at the platform',
  );
}

function describeBareText(cut: string | undefined): string {
  return cut === undefined
    ? 'this text has no quotes, so its words would be joined without the blanks between them'
    : 'this text has no quotes, so all behind its semicolon is a comment';
}

/**
 * Finds the comment behind a word that seems to be the rest of the text: it follows at once, or
 * goes on with `name=`. It is in the form that fits between quotes.
 */
function findCutText(word: Token, comments: readonly Token[]): string | undefined {
  const comment = comments.find(({ line }) => line === word.line);
  if (comment === undefined || comment.column < word.column) return undefined;

  const isBehindAtOnce = comment.column === word.column + word.text.length;
  if (!isBehindAtOnce && !/^\s*\w+=/.test(comment.text)) return undefined;
  const rest = comment.text.trimEnd().replaceAll(/["\\]/g, String.raw`\$&`);
  return isBehindAtOnce ? `;${rest}` : ` ;${rest}`;
}

function readNumber(token: Token): number {
  if (token.kind === 'word' && isUint16(token.text)) return Number(token.text);
  throw new ZoneFault(
    token,
    `a whole number from 0 to 65535 is expected here, not ${quote(token.text)}`,
  );
}
