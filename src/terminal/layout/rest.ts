import { readInstant } from '../../json/instant.ts';
import { isObject, type JsonObject, readNumber } from '../../json/values.ts';
import { once } from '../../once.ts';
import { formatDuration } from '../dates.ts';
import { formatMoney, formatValue, moneyNames, plural } from '../numbers.ts';
import { type Block, date, dim, type FieldRow, plainOf, type Text } from '../screen.ts';
import type { View } from '../terminal.ts';

/** Deeper values are shown as compact JSON. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 20;
const MAX_LENGTH = 2_000;

/** Most rows of unknown fields on a screen. */
const MAX_ROWS = { terminal: 8, pipe: 60 };

/** How early a row is shown: what failed, other fields of a failure, a message, and everything else. */
const [FAILED, FAILURE, MESSAGE, MORE] = [0, 1, 2, 3];

interface Row {
  readonly rank: number;
  readonly field: FieldRow;
}

/**
 * Turns unknown fields into rows such as `Commit author  marie`: failures and messages first, beside the fields above
 * them, the others below a heading. Leaves out empty fields, and ids, dates and amounts that stand above already.
 */
export function expandRest(blocks: readonly Block[], view: View): Block[] {
  const expanded: Block[] = [];
  let room = view.tty ? MAX_ROWS.terminal : MAX_ROWS.pipe;
  let omitted = 0;
  let last: FieldRow[] | undefined;
  for (const block of blocks) {
    if (block.kind !== 'rest') {
      expanded.push(block);
      continue;
    }
    const { chosen, left } = choose(rowsOf(block.values, view), room, expanded);
    room -= chosen.length;
    omitted += left;
    last = addRows(expanded, block.title, chosen) ?? last;
  }
  if (omitted > 0) {
    const note: FieldRow = [`+${plural(omitted, 'field')}`, dim('--json shows all')];
    if (last === undefined) expanded.push({ kind: 'fields', rows: [note] });
    else last.push(note);
  }
  return expanded;
}

/** Chooses the rows that fit and do not repeat what stands above; `left` counts those that do not fit. */
function choose(rows: readonly Row[], room: number, above: readonly Block[]): { chosen: Row[]; left: number } {
  const isRepeated = room > 0 ? repeatsAny(above) : () => false;
  const chosen: Row[] = [];
  let left = 0;
  for (const row of rows) {
    if (chosen.length >= room) left += 1;
    else if (!isRepeated(row)) chosen.push(row);
  }
  return { chosen, left };
}

/** Adds the rows below the blocks. Returns those that stand below a heading of their own, if any. */
function addRows(blocks: Block[], title: string | undefined, chosen: readonly Row[]): FieldRow[] | undefined {
  const ranked = (...ranks: readonly number[]) => {
    return chosen.filter(({ rank }) => ranks.includes(rank)).map(({ field }) => field);
  };
  if (title === undefined) addLead(blocks, ranked(FAILED, FAILURE), ranked(MESSAGE));
  const rows = title === undefined ? ranked(MORE) : ranked(FAILED, FAILURE, MESSAGE, MORE);
  if (rows.length === 0) return undefined;
  const heading = title ?? (blocks.length === 0 ? undefined : dim('More'));
  if (heading !== undefined) blocks.push({ kind: 'heading', text: heading });
  blocks.push({ kind: 'fields', rows });
  return rows;
}

function rowsOf(values: readonly unknown[], view: View): Row[] {
  const rows = values.flatMap((value) => [...flatten([], value, 0, view)]);
  return rows.sort((one, other) => one.rank - other.rank);
}

/** Adds failures before the rows of the fields above, and messages after them. */
function addLead(blocks: Block[], failures: readonly FieldRow[], messages: readonly FieldRow[]): void {
  if (failures.length + messages.length === 0) return;
  const above = blocks.at(-1);
  const rows = above?.kind === 'fields' ? blocks.pop() && above.rows : [];
  blocks.push({ kind: 'fields', rows: [...failures, ...(rows ?? []), ...messages] });
}

/** Whether the blocks show the text of a row: an id, an instant or an amount, but no word or plain number. */
function repeatsAny(blocks: readonly Block[]): (row: Row) => boolean {
  const texts = once(() => blocks.flatMap(textsOf).map(plainOf).join('\n'));
  return ({ field: [, value], rank }) => {
    const text = plainOf(value);
    if (rank !== MORE || text.length < 4 || /^[\d.]*$/.test(text) || !/[\d_@-]/.test(text)) return false;
    const shown = texts();
    for (let at = shown.indexOf(text); at !== -1; at = shown.indexOf(text, at + 1)) {
      const [before, after] = [shown.charAt(at - 1), shown.slice(at + text.length, at + text.length + 2)];
      if (!/[\w.@/-]/.test(before) && !/^(?:[\w@/-]|\.\w)/.test(after)) return true;
    }
    return false;
  };
}

function textsOf(block: Block): readonly Text[] {
  if (block.kind === 'fields') return block.rows.map(([, value]) => value);
  if (block.kind === 'list') return block.items;
  return 'text' in block && block.kind !== 'verbatim' ? [block.text] : [];
}

function* flatten(path: readonly string[], value: unknown, depth: number, view: View): Generator<Row> {
  if (depth < MAX_DEPTH && isObject(value)) {
    yield* flattenObject(path, value, depth, view);
  } else if (depth < MAX_DEPTH && Array.isArray(value) && value.some(isNested)) {
    for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
      yield* flatten([...path, String(index + 1)], item, depth + 1, view);
    }
    const left = value.length - MAX_ITEMS;
    if (left > 0) yield rowOf(path, dim(`${plural(left, 'more item')} (--json shows all)`));
  } else if (!isEmpty(value)) {
    yield formatUnit(path, value) ?? rowOf(path, format(value, view), typeof value === 'string');
  }
}

function* flattenObject(path: readonly string[], object: JsonObject, depth: number, view: View): Generator<Row> {
  const amounts = moneyNames(object);
  for (const [name, inner] of Object.entries(object)) {
    const words = wordsOf(name);
    if (amounts.includes(name)) {
      const isPlain = path.length > 0 && words.join(' ') === 'amount';
      yield rowOf(isPlain ? path : [...path, ...words], formatMoney(inner, object['currency']));
    } else if (name !== 'currency' || amounts.length === 0) {
      yield* flatten([...path, ...words], inner, depth + 1, view);
    }
  }
}

function isNested(item: unknown): boolean {
  return typeof item === 'object' && item !== null;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (isNested(value) && Object.keys(value).length === 0);
}

/** @param isWords whether the API wrote a text; a number of errors is no failure */
function rowOf(path: readonly string[], value: Text, isWords = false): Row {
  const label = labelOf(path);
  if (!isWords || typeof value !== 'string') return { rank: MORE, field: [label, value] };
  if (path.some((word) => /^(?:failure|error|errors)$/.test(word))) {
    const rank = /^(?:failure|error|errors|message|reason)$/.test(path.at(-1) ?? '') ? FAILED : FAILURE;
    return { rank, field: [label, { text: value, tone: 'bad' }] };
  }
  return { rank: path[0] === 'message' ? MESSAGE : MORE, field: [label, value] };
}

const CAPITALS = /^(?:url|uri|ip|dns|api|cpu|ssl|tls|php|ssh|sql|http|https|sha|ttl)$/;

function labelOf(path: readonly string[]): string {
  const label = path.map((word) => (CAPITALS.test(word) ? word.toUpperCase() : word)).join(' ') || 'value';
  return /^[a-z]+(?: |$)/.test(label) ? label.charAt(0).toUpperCase() + label.slice(1) : label;
}

/** Splits `lastRestartAt` and `last_restart_at`; other names, such as `DB_HOST` and `example.com`, stay whole. */
function wordsOf(name: string): string[] {
  if (!/^[a-z][A-Za-z0-9_]*$/.test(name)) return [name];
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.split(/[ _]/).filter((word) => word !== '');
}

/** Formats a value whose name ends in a unit, as in `durationSeconds`, without the unit in its label. */
function formatUnit(path: readonly string[], value: unknown): Row | undefined {
  const word = path.at(-1) ?? '';
  const unit = UNITS[word];
  const number = readNumber(value);
  if (TIMES.has(word) && !Number.isNaN(readInstant(number))) return rowOf(path, date(value));
  if (unit === undefined || (typeof value !== 'number' && typeof value !== 'string')) return undefined;
  const text = unit(number, value);
  return text === undefined ? undefined : rowOf(path.length > 1 ? path.slice(0, -1) : path, text);
}

type Unit = (number: number, value: number | string) => Text | undefined;

const duration =
  (ms: number): Unit =>
  (number) => {
    if (Number.isNaN(number)) return undefined;
    const size = Math.abs(number * ms);
    return size < 60_000 ? formatValue(number * ms, 'ms') : `${number < 0 ? '-' : ''}${formatDuration(size)}`;
  };

const UNITS: Readonly<Record<string, Unit>> = {
  __proto__: null as never,
  seconds: duration(1_000),
  secs: duration(1_000),
  ms: duration(1),
  millis: duration(1),
  bytes: (number) => (Number.isNaN(number) ? undefined : formatValue(number, 'bytes')),
  percent: (number) => (Number.isNaN(number) ? undefined : formatValue(number, 'percent')),
  at: (_number, value) => (Number.isNaN(readInstant(value, { isTime: true })) ? undefined : date(value)),
};

/** Names of times without the word `at`; a number there is a time if it is one of this age. */
const TIMES = new Set('timestamp created updated expires expiry started finished since until'.split(' '));

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const HASH = /^[0-9a-f]{40}$/;

function format(value: unknown, view: View): Text {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') {
    if (INSTANT.test(value)) return date(value);
    if (HASH.test(value) && view.tty) return value.slice(0, 12) + (view.unicode ? '…' : '...');
    return limit(value);
  }
  if (Array.isArray(value) && !value.some(isNested)) return formatList(value);
  return limit(JSON.stringify(value));
}

function formatList(items: readonly unknown[]): Text {
  const shown = items.slice(0, MAX_ITEMS).map(String).join(', ');
  const left = items.length - MAX_ITEMS;
  return left > 0 ? [limit(shown), dim(` and ${left} more (--json shows all)`)] : limit(shown);
}

function limit(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const kept = text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return `${kept} (${plural(text.length - kept.length, 'more character')})`;
}
