import { isObject } from '../../json/values.ts';
import { formatValue, plural } from '../numbers.ts';
import type { Field } from '../screen.ts';
import { date, dim, type Text } from '../text.ts';

/** Objects inside one another that get rows of their own; below, compact JSON. */
const DEEPEST = 4;
const MOST_ROWS = 60;
const MOST_ITEMS = 20;
const LONGEST_VALUE = 2_000;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Rows for values that svc knows nothing about: `commit.author  marie`. What is left out is counted. */
export function rowsOfRest(value: unknown): Field[] {
  if (isObject(value) && Object.keys(value).length === 0) return [];
  const rows: Field[] = [];
  let left = 0;
  const add = (label: string, text: Text) => {
    if (rows.length < MOST_ROWS) rows.push([label, text]);
    else left += 1;
  };
  collect('', value, 0, add);
  return left === 0 ? rows : [...rows, ['more', dim(`${plural(left, 'field')} (--json shows all)`)]];
}

type Add = (label: string, text: Text) => void;

function collect(label: string, value: unknown, depth: number, add: Add): void {
  if (depth < DEEPEST && isObject(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value))
      collect(label ? `${label}.${name}` : name, inner, depth + 1, add);
  } else if (
    depth < DEEPEST &&
    Array.isArray(value) &&
    value.some((item) => typeof item === 'object' && item !== null)
  ) {
    value.slice(0, MOST_ITEMS).forEach((item, index) => {
      collect(`${label}[${index}]`, item, depth + 1, add);
    });
    if (value.length > MOST_ITEMS)
      add(label, dim(`${plural(value.length - MOST_ITEMS, 'more item')} (--json shows all)`));
  } else {
    add(label || 'value', typeof value === 'number' && /Bytes$/.test(label) ? bytesOf(value) : wordsOf(value));
  }
}

/** The number as it came, to be copied, and how much that is. */
function bytesOf(value: number): Text {
  const size = formatValue(value, 'bytes');
  return Number.isFinite(value) && Math.abs(value) >= 1024 ? [String(value), dim(` (${size})`)] : String(value);
}

function wordsOf(value: unknown): Text {
  if (value === null || value === undefined) return dim('none');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string')
    return INSTANT.test(value) ? date(value) : value === '' ? dim('empty') : limited(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return listOf(value);
  return limited(JSON.stringify(value));
}

function listOf(items: readonly unknown[]): Text {
  if (items.length === 0) return dim('none');
  const shown = items.slice(0, MOST_ITEMS).map(String).join(', ');
  const left = items.length - MOST_ITEMS;
  return left > 0 ? [limited(shown), dim(` and ${left} more (--json shows all)`)] : limited(shown);
}

function limited(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  const kept = text.slice(0, LONGEST_VALUE).replace(/[\ud800-\udbff]$/, '');
  return `${kept} (${plural(text.length - kept.length, 'more character')})`;
}
