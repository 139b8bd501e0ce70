import { hasHalfCharacter, onOneLine } from '../contract/text.ts';
import { isObject } from '../json/values.ts';

/** The text in place of a secret. */
export const REDACTED = '[redacted]';

/** Shorter secrets would black out ordinary words. */
const MIN_SECRET = 4;
const CUT = '…';
/** A shorter beginning of a secret reveals nothing. */
const MIN_BEGINNING = 8;
/** The form of tokens. Other short texts are left alone: ids may have the same prefix. */
const LOOKS_LIKE_A_TOKEN = /svc_(?:sandbox_[A-Za-z0-9_-]+|[A-Za-z0-9_-]{20,})/g;

/** Keeps secrets out of what svc prints. */
export type Redactor = ReturnType<typeof createRedactor>;

/** Creates the redactor of a process, which all output passes. */
export function createRedactor() {
  const secrets = new Set<string>();
  let longestFirst: readonly string[] = [];
  const conceal = (text: string) => {
    const whole = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return whole.includes(CUT) ? longestFirst.reduce(redactCut, whole) : whole;
  };
  return {
    /** Replaces known secrets: for results, in which an id may look like a token. */
    conceal,
    add(secret: string | undefined): void {
      if (secret === undefined || secret.length < MIN_SECRET || secrets.has(secret)) return;
      for (const spelling of listSpellings(secret)) secrets.add(spelling);
      longestFirst = [...secrets].sort((a, b) => b.length - a.length);
    },
    redact: (text: string): string => conceal(text).replace(LOOKS_LIKE_A_TOKEN, REDACTED),
  };
}

/** Redacts what a secret begins with where a text was cut. */
function redactCut(text: string, secret: string): string {
  const parts = text.split(CUT);
  const last = parts.pop() ?? '';
  return [...parts.map((part) => redactEnd(part, secret)), last].join(CUT);
}

function redactEnd(text: string, secret: string): string {
  const start = secret.slice(0, MIN_BEGINNING);
  let at = text.indexOf(start, text.length - secret.length);
  while (at !== -1 && !secret.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
  return at === -1 ? text : text.slice(0, at) + REDACTED;
}

/**
 * Redacts every text, name and number of a value. Replacing in the JSON text instead could swallow a
 * quote or break a number.
 */
export function redactIn(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactIn(item, redact));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [redact(name), redactIn(field, redact)]),
    );
  }
  const text = String(value);
  return typeof value === 'number' && redact(text) !== text ? redact(text) : value;
}

/** Secrets of only these characters look the same in URLs, JSON and text. */
const ONE_SPELLING = /^[\w.~-]+$/;

function listSpellings(secret: string): string[] {
  if (ONE_SPELLING.test(secret)) return [secret];
  const texts = [secret, JSON.stringify(secret).slice(1, -1), onOneLine(secret)].filter(
    (text) => text.length >= MIN_SECRET,
  );
  if (hasHalfCharacter(secret)) return texts;
  const inUrl = encodeURIComponent(secret);
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  // Services write `%2f` as often as `%2F`.
  const lowerCase = [inUrl, inForm].map((text) =>
    text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  );
  return [...texts, inUrl, inForm, ...lowerCase];
}
