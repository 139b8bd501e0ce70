import { isObject, type JsonObject, readNumber } from '../../json/values.ts';
import { once } from '../../once.ts';
import { splitName } from '../../split-name.ts';
import { findMoneyNames, formatDuration, formatMoney, formatValue, plural } from '../format.ts';
import { maskSecrets } from '../mask.ts';
import {
  type Block,
  date,
  dim,
  type FieldRow,
  formatJsonValue,
  type Text,
  toPlainText,
} from '../screen.ts';
import type { View } from '../terminal.ts';

/** Deeper values are shown as compact JSON. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 20;
const MAX_LENGTH = 2_000;

const MAX_ROWS = { terminal: 8, pipe: 60 };

/** Failures stand before the fields above, messages behind them, all else below a heading. */
const KINDS = ['failure', 'message', 'other'] as const;

interface Row {
  readonly kind: (typeof KINDS)[number];
  readonly field: FieldRow;
}

/**
 * Turns unknown fields into rows such as `Commit author  marie`, without what is empty or stands
 * above.
 */
export function expandUnknownFields(
  blocks: readonly Block[],
  isExact: boolean,
  view: View,
): Block[] {
  const expanded: Block[] = [];
  let room = view.tty ? MAX_ROWS.terminal : MAX_ROWS.pipe;
  let omitted = 0;
  for (const block of blocks) {
    if (block.kind !== 'rest') {
      expanded.push(block);
      continue;
    }
    const all = block.content.values.flatMap((value) =>
      flatten([], isExact ? value : maskSecrets(value), view),
    );
    // Made once a row needs it: an answer may have a hundred thousand parts.
    const above = once(() => expanded.flatMap(listTexts).map(toPlainText).join('\n'));
    const chosen: Row[] = [];
    for (const row of KINDS.flatMap((kind) => all.filter((other) => other.kind === kind))) {
      if (chosen.length >= room) omitted += 1;
      else if (!isRepeated(toPlainText(row.field[1]), above)) chosen.push(row);
    }
    room -= chosen.length;
    addRows(expanded, block.content.title, chosen);
  }
  if (omitted > 0) {
    addFields(expanded, [], [[`+${plural(omitted, 'field')}`, dim('--json shows all')]]);
  }
  return expanded;
}

function addRows(blocks: Block[], title: string | undefined, rows: readonly Row[]): void {
  const pickFields = (kind: Row['kind']) =>
    rows
      .filter((row) => (title === undefined ? row.kind : 'other') === kind)
      .map(({ field }) => field);
  const failures = pickFields('failure');
  const messages = pickFields('message');
  const others = pickFields('other');
  if (failures.length + messages.length > 0) addFields(blocks, failures, messages);
  if (others.length === 0) return;
  const heading = title ?? (blocks.length === 0 ? undefined : dim('More'));
  if (heading !== undefined) blocks.push({ kind: 'heading', content: heading });
  blocks.push({ kind: 'fields', content: others });
}

function addFields(
  blocks: Block[],
  before: readonly FieldRow[],
  behind: readonly FieldRow[],
): void {
  const above = blocks.at(-1);
  const rows = above?.kind === 'fields' ? above.content : [];
  if (above?.kind === 'fields') blocks.pop();
  blocks.push({ kind: 'fields', content: [...before, ...rows, ...behind] });
}

function listTexts({ kind, content }: Block): readonly Text[] {
  if (kind === 'fields') return content.map(([, value]) => value);
  if (kind === 'list' || kind === 'steps') return content;
  if (kind === 'line' || kind === 'heading' || kind === 'success' || kind === 'warning') {
    return [content];
  }
  return [];
}

/**
 * Whether a text with an id, an instant or an amount stands above; words and plain numbers mean
 * something else there.
 */
function isRepeated(text: string, above: () => string): boolean {
  if (text.length < 4 || /^[\d.]*$/.test(text) || !/[\d_@-]/.test(text)) return false;
  const literal = text.replace(/[^\w\s]/g, '\\$&');
  return new RegExp(`(?<![\\w.@/-])${literal}(?![\\w@/-]|\\.\\w)`).test(above());
}

/** @param path the words of each name on the way to the value */
function flatten(path: readonly (readonly string[])[], value: unknown, view: View): Row[] {
  if (isEmpty(value)) return [];
  const isShallow = path.length < MAX_DEPTH;
  if (isShallow && isObject(value)) return flattenObject(path, value, view);
  const words = path.flat();
  if (isShallow && Array.isArray(value) && value.some(isNested)) {
    const rows = value
      .slice(0, MAX_ITEMS)
      .flatMap((item, index) => flatten([...path, [String(index + 1)]], item, view));
    const more = value.length - MAX_ITEMS;
    const note = dim(`${plural(more, 'more item')} (--json shows all)`);
    if (more > 0) rows.push(createRow(words, note));
    return rows;
  }
  const text = withUnit(words.at(-1) ?? '', value);
  // The value says its unit, so that its label need not.
  const label = text !== undefined && words.length > 1 ? words.slice(0, -1) : words;
  return [createRow(label, text ?? format(value, view), typeof value === 'string')];
}

function flattenObject(
  path: readonly (readonly string[])[],
  object: JsonObject,
  view: View,
): Row[] {
  const amounts = findMoneyNames(object);
  return Object.entries(object).flatMap(([name, inner]) => {
    const innerPath = [...path, toLabelWords(name)];
    if (amounts.includes(name)) {
      const isPlain = path.length > 0 && name === 'amount';
      const labelled = isPlain ? path : innerPath;
      return createRow(labelled.flat(), formatMoney(inner, object['currency']));
    }
    if (name === 'currency' && amounts.length > 0) return [];
    return flatten(innerPath, inner, view);
  });
}

function isNested(item: unknown): item is object {
  return typeof item === 'object' && item !== null;
}

function isEmpty(value: unknown): boolean {
  return (value ?? '') === '' || (isNested(value) && Object.keys(value).length === 0);
}

const CAPITALS = /^(?:url|uri|ip|dns|api|cpu|ssl|tls|php|ssh|sql|http|https|sha|ttl)$/;

/** @param isWords whether the API wrote a text; a number of errors is no failure */
function createRow(words: readonly string[], value: Text, isWords = false): Row {
  const name = words.map((word) => (CAPITALS.test(word) ? word.toUpperCase() : word)).join(' ');
  const label = (name || 'value').replace(/^[a-z](?=[a-z]*(?: |$))/, (letter) =>
    letter.toUpperCase(),
  );
  const isText = isWords && typeof value === 'string';
  if (isText && words.some((word) => /^(?:failure|errors?)$/.test(word))) {
    return { kind: 'failure', field: [label, { text: value, tone: 'bad' }] };
  }
  const isMessage = isText && words[0] === 'message';
  return { kind: isMessage ? 'message' : 'other', field: [label, value] };
}

/** Splits `lastRestartAt` and `last_restart_at`; `DB_HOST` and `example.com` stay whole. */
function toLabelWords(name: string): string[] {
  return /^[a-z][A-Za-z0-9_]*$/.test(name) ? splitName(name) : [name];
}

/** Formats a value whose name ends in a unit, as in `durationSeconds` and `createdAt`. */
function withUnit(word: string, value: unknown): Text | undefined {
  const instant = date(value);
  if (word === 'at' && instant.at !== undefined) return instant;
  const number = readNumber(value);
  if (Number.isNaN(number)) return undefined;
  if (word === 'bytes' || word === 'percent') return formatValue(number, word);
  if (word !== 'seconds' && word !== 'ms') return undefined;
  const ms = word === 'seconds' ? number * 1_000 : number;
  return ms < 60_000 ? formatValue(ms, 'ms') : formatDuration(ms);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const HASH = /^[0-9a-f]{40}$/;

function format(value: unknown, view: View): Text {
  if (typeof value === 'string') {
    if (INSTANT.test(value)) return date(value);
    const ellipsis = view.unicode ? '…' : '...';
    return HASH.test(value) && view.tty ? value.slice(0, 12) + ellipsis : limit(value);
  }
  if (!Array.isArray(value) || value.some(isNested)) return limit(formatJsonValue(value));

  const more = value.length - MAX_ITEMS;
  const items = limit(value.slice(0, MAX_ITEMS).map(String).join(', '));
  return more > 0 ? [items, dim(` and ${more} more (--json shows all)`)] : items;
}

function limit(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const kept = text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return `${kept} (${plural(text.length - kept.length, 'more character')})`;
}
