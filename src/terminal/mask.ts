import { RawJson, toJsonText } from '../json/raw-json.ts';
import { replaceNumbers } from '../json/scan.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { isSecretText, MASK, maskText, type Secrecy, secrecyOf } from './mask-text.ts';

const DESCRIBES = /^(?:id|name|label|title|description|type|kind|status|state|provider|version)$|(?:At|_at|Id|_id|On)$/;

const CONTAINS_TOKEN = /^(?:value|key|plain\w*|raw|data|content|text|hash)$/i;

/** The fields of a pair such as `{ "name": "DB_PASSWORD", "value": "…" }`. */
const PAIR_NAMES = ['name', 'key', 'variable', 'env', 'header', 'field'];
const PAIR_VALUES = ['value', 'val', 'content', 'data', 'default', 'defaultValue'];
const PAIR_FLAGS = ['secret', 'isSecret', 'sensitive', 'isSensitive'];

/** Masks values with secret names and secrets within text. Returns the same value if nothing is masked. */
export function maskSecrets(value: unknown, secrecy?: Secrecy): unknown {
  if (typeof value === 'string') return isSecretText(secrecy, value) ? MASK : maskText(value);
  if (typeof value === 'number' || value instanceof RawJson) return secrecy === 'password' ? MASK : value;
  if (Array.isArray(value)) {
    const masked = value.map((item) => maskSecrets(item, secrecy === 'tokens' ? 'token' : secrecy));
    return masked.some((item, index) => item !== value[index]) ? masked : value;
  }
  return isObject(value) ? maskObject(value, secrecy) : value;
}

/** Masks secrets in JSON text. Returns the same text if nothing is masked; numbers stay as written. */
export function maskJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return maskSecrets(value) === value ? text : toJsonText(maskSecrets(withRawNumbers(text)));
}

function maskObject(object: JsonObject, secrecy: Secrecy | undefined): JsonObject {
  const ofPair = secrecyOfPair(object);
  const entries = Object.entries(object).map(([name, field]) => {
    const own = (PAIR_VALUES.includes(name) ? ofPair : undefined) ?? secrecyOf(name);
    const given = inherited(name, secrecy);
    // Inside a secret every key is one, whatever its value looks like.
    return [name, maskSecrets(field, own === 'key' ? (given ?? own) : (own ?? given))] as const;
  });
  return entries.some(([name, masked]) => masked !== object[name]) ? Object.fromEntries(entries) : object;
}

function secrecyOfPair(object: JsonObject): Secrecy | undefined {
  if (PAIR_FLAGS.some((name) => object[name] === true)) return 'secret';
  const name = PAIR_NAMES.map((field) => object[field]).find((field) => typeof field === 'string');
  return name === undefined ? undefined : secrecyOf(name);
}

function inherited(name: string, secrecy: Secrecy | undefined): Secrecy | undefined {
  if (secrecy === 'password' || secrecy === 'secret') return DESCRIBES.test(name) ? undefined : secrecy;
  return secrecy === 'token' && CONTAINS_TOKEN.test(name) ? secrecy : undefined;
}

const NUMBER_FIELD = '\u0000number';

/** Keeps numbers as text: JavaScript would round long ones and write `1.10` as 1.1. */
function withRawNumbers(text: string): unknown {
  const marked = replaceNumbers(text, (number) => JSON.stringify({ [NUMBER_FIELD]: number }));
  return JSON.parse(marked, (_name, value: unknown) => {
    const number = isObject(value) ? value[NUMBER_FIELD] : undefined;
    return typeof number === 'string' && /^-?\d[\d.eE+-]*$/.test(number) ? new RawJson(number) : value;
  });
}
