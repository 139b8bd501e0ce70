import { isObject } from '../json/values.ts';
import { hasHalfCharacter, onOneLine } from '../spec/text.ts';

/** Keeps secrets out of everything that svc prints. */
export interface Redactor {
  /** From now on the text is a secret, in every spelling that URLs and JSON give it. */
  add(secret: string | undefined): void;
  /** The text with every known secret replaced: for results, where an id may look like a token. */
  conceal(text: string): string;
  /** The text with every known secret, and everything that looks like a token of the service, replaced. */
  redact(text: string): string;
}

/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** Shorter secrets would black out ordinary words. */
const SHORTEST_SECRET = 4;
/** What a text ends with that was too long to be shown whole. */
const CUT = '…';
/** A shorter beginning of a secret tells nothing. */
const SHORTEST_BEGINNING = 8;
/** Short ones are left alone, unless they are the sandbox's: ids of the service may start alike. */
const LOOKS_LIKE_A_TOKEN = /svc_(?:sandbox_[A-Za-z0-9_-]+|[A-Za-z0-9_-]{20,})/g;

/** A redactor that knows no secret yet, only what tokens look like. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let longestFirst: readonly string[] = [];
  const conceal = (text: string) => {
    const whole = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return whole.includes(CUT) ? longestFirst.reduce(withoutCut, whole) : whole;
  };
  return {
    conceal,
    add(secret) {
      if (secret === undefined || secret.length < SHORTEST_SECRET) return;
      for (const spelling of spellings(secret)) secrets.add(spelling);
      longestFirst = [...secrets].sort((a, b) => b.length - a.length);
    },
    redact: (text) => conceal(text).replace(LOOKS_LIKE_A_TOKEN, REDACTED),
  };
}

/** The text without the beginnings of a secret that were cut off. */
function withoutCut(text: string, secret: string): string {
  const parts = text.split(CUT);
  return parts.map((part, index) => (index < parts.length - 1 ? withoutEnd(part, secret) : part)).join(CUT);
}

function withoutEnd(text: string, secret: string): string {
  const start = secret.slice(0, SHORTEST_BEGINNING);
  let at = text.indexOf(start, text.length - secret.length);
  while (at !== -1 && !secret.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
  return at === -1 ? text : text.slice(0, at) + REDACTED;
}

/**
 * A value of JSON with `hide` done to every text, name and number in it. Done before it becomes JSON text: a replacement
 * in the text itself could take a quote with it, or stand where a number was, and leave something that no script reads.
 */
export function hideIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((item) => hideIn(item, hide));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [hide(name), hideIn(inner, hide)]));
  }
  if (typeof value !== 'number') return value;
  const shown = hide(String(value));
  return shown === String(value) ? value : shown;
}

/** Secrets of these characters alone are written in one way everywhere. */
const ONE_SPELLING = /^[\w.~-]+$/;

function spellings(secret: string): string[] {
  if (ONE_SPELLING.test(secret)) return [secret];
  const inJson = JSON.stringify(secret).slice(1, -1);
  const texts = [secret, inJson, onOneLine(secret)].filter((text) => text.length >= SHORTEST_SECRET);
  if (hasHalfCharacter(secret)) return texts;
  const inUrl = encodeURIComponent(secret);
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  return [...texts, ...[inUrl, inForm].flatMap((text) => [text, withSmallHex(text)])];
}

/** Services write `%2f` as often as `%2F`. */
function withSmallHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}
