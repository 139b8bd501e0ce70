import { hasHalfCharacter, onOneLine } from '../contract/text.ts';
import { isObject } from '../json/values.ts';

/** Replaces a secret in everything that svc prints. */
export const REDACTED = '[redacted]';

/** Shorter secrets would black out ordinary words. */
const MIN_SECRET = 4;
const CUT = '…';
/** A shorter beginning of a secret reveals nothing. */
const MIN_BEGINNING = 8;
/** Apart from sandbox tokens, short texts are left alone: ids may have the same prefix. */
const LOOKS_LIKE_A_TOKEN = /svc_(?:sandbox_[A-Za-z0-9_-]+|[A-Za-z0-9_-]{20,})/g;

/** See {@link createRedactor}. */
export type Redactor = ReturnType<typeof createRedactor>;

/** Keeps secrets out of everything that svc prints. */
export function createRedactor() {
  const secrets = new Set<string>();
  let longestFirst: readonly string[] = [];
  const conceal = (text: string) => {
    const whole = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return whole.includes(CUT) ? longestFirst.reduce(withoutCut, whole) : whole;
  };
  return {
    /** Replaces known secrets: for results, in which an id may look like a token. */
    conceal,
    add(secret: string | undefined): void {
      if (secret === undefined || secret.length < MIN_SECRET || secrets.has(secret)) return;
      for (const spelling of spellings(secret)) secrets.add(spelling);
      longestFirst = [...secrets].sort((a, b) => b.length - a.length);
    },
    redact: (text: string): string => conceal(text).replace(LOOKS_LIKE_A_TOKEN, REDACTED),
  };
}

function withoutCut(text: string, secret: string): string {
  const parts = text.split(CUT);
  return parts
    .map((part, index) => (index < parts.length - 1 ? withoutEnd(part, secret) : part))
    .join(CUT);
}

function withoutEnd(text: string, secret: string): string {
  const start = secret.slice(0, MIN_BEGINNING);
  let at = text.indexOf(start, text.length - secret.length);
  while (at !== -1 && !secret.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
  return at === -1 ? text : text.slice(0, at) + REDACTED;
}

/**
 * Hides in every text, name and number. Replacing in the JSON text instead could swallow a quote or
 * break a number.
 */
export function hideIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((item) => hideIn(item, hide));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [hide(name), hideIn(inner, hide)]),
    );
  }
  if (typeof value !== 'number') return value;
  const shown = hide(String(value));
  return shown === String(value) ? value : shown;
}

/** Secrets of only these characters look the same in URLs, JSON and text. */
const ONE_SPELLING = /^[\w.~-]+$/;

function spellings(secret: string): string[] {
  if (ONE_SPELLING.test(secret)) return [secret];
  const inJson = JSON.stringify(secret).slice(1, -1);
  const texts = [secret, inJson, onOneLine(secret)].filter((text) => text.length >= MIN_SECRET);
  if (hasHalfCharacter(secret)) return texts;
  const inUrl = encodeURIComponent(secret);
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  // Services write `%2f` as often as `%2F`.
  const lowerCase = [inUrl, inForm].map((text) =>
    text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  );
  return [...texts, inUrl, inForm, ...lowerCase];
}
