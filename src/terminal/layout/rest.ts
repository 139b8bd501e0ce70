import { isObject } from '../../json/values.ts';
import { formatValue, plural } from '../numbers.ts';
import type { Field } from '../screen.ts';
import { date, dim, type Text } from '../text.ts';

/** Deeper values are shown as compact JSON. */
const MAX_DEPTH = 4;
const MAX_ROWS = 60;
const MAX_ITEMS = 20;
const MAX_LENGTH = 2_000;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Flattens an unknown value into rows such as `commit.author  marie`. Rows that are left out are counted. */
export function rowsOfRest(value: unknown): Field[] {
  if (isObject(value) && Object.keys(value).length === 0) return [];
  const rows: Field[] = [];
  let left = 0;
  for (const row of flatten('', value, 0)) {
    if (rows.length < MAX_ROWS) rows.push(row);
    else left += 1;
  }
  return left === 0 ? rows : [...rows, ['more', dim(`${plural(left, 'field')} (--json shows all)`)]];
}

function* flatten(label: string, value: unknown, depth: number): Generator<Field> {
  if (depth < MAX_DEPTH && isObject(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value)) {
      yield* flatten(label ? `${label}.${name}` : name, inner, depth + 1);
    }
  } else if (depth < MAX_DEPTH && Array.isArray(value) && value.some(isNested)) {
    for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
      yield* flatten(`${label}[${index}]`, item, depth + 1);
    }
    const left = value.length - MAX_ITEMS;
    if (left > 0) yield [label, dim(`${plural(left, 'more item')} (--json shows all)`)];
  } else {
    yield [label || 'value', typeof value === 'number' && /Bytes$/.test(label) ? formatBytes(value) : format(value)];
  }
}

function isNested(item: unknown): boolean {
  return typeof item === 'object' && item !== null;
}

/** Keeps the exact number for copying, beside the readable size. */
function formatBytes(value: number): Text {
  const size = formatValue(value, 'bytes');
  return Number.isFinite(value) && Math.abs(value) >= 1024 ? [String(value), dim(` (${size})`)] : String(value);
}

function format(value: unknown): Text {
  if (value === null || value === undefined) return dim('none');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return INSTANT.test(value) ? date(value) : value === '' ? dim('empty') : limit(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return formatList(value);
  return limit(JSON.stringify(value));
}

function formatList(items: readonly unknown[]): Text {
  if (items.length === 0) return dim('none');
  const shown = items.slice(0, MAX_ITEMS).map(String).join(', ');
  const left = items.length - MAX_ITEMS;
  return left > 0 ? [limit(shown), dim(` and ${left} more (--json shows all)`)] : limit(shown);
}

function limit(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const kept = text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return `${kept} (${plural(text.length - kept.length, 'more character')})`;
}
