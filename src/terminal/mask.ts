import { rawJson, rawTextOf, toJsonText } from '../json/raw-json.ts';
import { replaceNumbers } from '../json/tokens.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { hidesText, MASK, maskText, type Secrecy, secrecyOf } from './mask-text.ts';

/** Fields that describe a secret without being it. */
const DESCRIBES = /^(?:id|name|label|title|description|type|kind|status|state|provider|version)$|(?:At|_at|Id|_id|On)$/;

/** Fields of a token's description that hold the token. */
const HOLDS = /^(?:value|key|plain\w*|raw|data|content|text|hash)$/i;

/** The fields of a pair such as `{ "name": "DB_PASSWORD", "value": "…" }`. */
const PAIR_NAMES = ['name', 'key', 'variable', 'env', 'header', 'field'];
const PAIR_VALUES = ['value', 'val', 'content', 'data', 'default', 'defaultValue'];
const PAIR_FLAGS = ['secret', 'isSecret', 'sensitive', 'isSensitive'];

/**
 * A value of an answer as people may see it: what its names say is secret is masked, and so is what its texts give away.
 * Where nothing is, it is the same value.
 */
export function maskSecrets(value: unknown, secrecy?: Secrecy): unknown {
  if (typeof value === 'string') return hidesText(secrecy, value) ? MASK : maskText(value);
  if (typeof value === 'number' || rawTextOf(value) !== undefined) return secrecy === 'password' ? MASK : value;
  if (Array.isArray(value)) {
    const masked = value.map((item) => maskSecrets(item, secrecyOfItem(secrecy)));
    return masked.some((item, index) => item !== value[index]) ? masked : value;
  }
  return isObject(value) ? maskObject(value, secrecy) : value;
}

/** JSON text as people may see it; the same text where nothing is secret, and numbers always as they were written. */
export function maskJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return maskSecrets(value) === value ? text : toJsonText(maskSecrets(withRawNumbers(text)));
}

function secrecyOfItem(secrecy: Secrecy | undefined): Secrecy | undefined {
  return secrecy === 'tokens' ? 'token' : secrecy;
}

function maskObject(object: JsonObject, secrecy: Secrecy | undefined): JsonObject {
  const ofPair = secrecyOfPair(object);
  const entries = Object.entries(object).map(([name, field]) => {
    const own = (PAIR_VALUES.includes(name) ? ofPair : undefined) ?? secrecyOf(name);
    const given = inherited(name, secrecy);
    // In a secret, a key is one, whatever it looks like.
    return [name, maskSecrets(field, own === 'key' ? (given ?? own) : (own ?? given))] as const;
  });
  return entries.some(([name, masked]) => masked !== object[name]) ? Object.fromEntries(entries) : object;
}

function secrecyOfPair(object: JsonObject): Secrecy | undefined {
  if (PAIR_FLAGS.some((name) => object[name] === true)) return 'secret';
  const name = PAIR_NAMES.map((field) => object[field]).find((field) => typeof field === 'string');
  return name === undefined ? undefined : secrecyOf(name);
}

/** What a field without a telling name of its own takes from the object that it stands in. */
function inherited(name: string, secrecy: Secrecy | undefined): Secrecy | undefined {
  if (secrecy === 'password' || secrecy === 'secret') return DESCRIBES.test(name) ? undefined : secrecy;
  return secrecy === 'token' && HOLDS.test(name) ? secrecy : undefined;
}

const NUMBER_FIELD = '\u0000number';

/** JavaScript would round long numbers, and write `1.10` as 1.1. */
function withRawNumbers(text: string): unknown {
  const marked = replaceNumbers(text, (number) => JSON.stringify({ [NUMBER_FIELD]: number }));
  return JSON.parse(marked, (_name, value: unknown) => {
    const number = isObject(value) ? value[NUMBER_FIELD] : undefined;
    return typeof number === 'string' && /^-?\d[\d.eE+-]*$/.test(number) ? rawJson(number) : value;
  });
}
