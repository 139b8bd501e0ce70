import { dirname } from 'node:path';
import { getListOption, ITEM_WORDS } from '../cli/define/command.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { checkAgreement, longName, readOptions } from '../cli/values/parameters.ts';
import { CliError, quote, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { type BatchLine, createItem, type Item, type ListEntry } from './item.ts';
import { isLogText } from './log-text.ts';

export interface BatchList {
  readonly items: readonly Item[];
  /** The log whose jobs the line looks at. */
  readonly log?: { readonly text: string; readonly file: string };
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads all items of a line and checks them. Nothing is sent before, except to ask for all of them
 * (`--all-orgs`).
 * @throws CliError `usage` for a list that cannot be read, and for the first item that is invalid
 * or given twice.
 */
export async function readList(line: BatchLine, context: Context): Promise<BatchList> {
  const { batch, texts } = line;
  const { key, option } = getListOption(batch.of);
  const name = longName(key, option);
  const { [key]: list } = readOptions({ [key]: option }, texts);
  checkOneSource(line, name, list);

  if (typeof list === 'string') {
    const text = await context.io.readText(list, name, MAX_BYTES);
    if (batch.of === 'jobId' && isLogText(text)) return { items: [], log: { text, file: list } };
    const rows = readRows(ITEM_WORDS[batch.of], text, list);
    return { items: await createItems(line, rows, context) };
  }
  const ids = list ? ((await batch.all?.(context)) ?? []) : findTypedIds(line, name, context);
  const lines = ids.map((text) => ({ text, where: '' }));
  return { items: await createItems(line, { lines, read: String, folder: '' }, context) };
}

/** Throws a usage error for a list beside an id that is typed: one of them would be left out. */
function checkOneSource(line: BatchLine, name: string, list: unknown): void {
  const { command, batch, texts, items: typedIds = [] } = line;
  if (Object.hasOwn(command.args, batch.of)) checkAgreement(command.args, command.options, texts);
  if (!list) return;

  const [typedId] = [...typedIds, ...(texts.get(batch.of) ?? [])];
  if (typedId === undefined) return;
  const message = `${name} and ${quote(typedId)} cannot be used together.`;
  throw usageError(message, 'Use one of the two.');
}

function findTypedIds(
  { command, batch: { of }, items = [] }: BatchLine,
  name: string,
  { settings }: Needs<'settings'>,
): readonly string[] {
  if (items.length > 0) return items;
  if (of === 'service') return [settings.serviceId(undefined)];
  const isArgument = Object.hasOwn(command.args, of);
  const hint = isArgument ? `Give their ids, or ${name} <file>.` : `Add ${name}.`;
  throw usageError(`No ${ITEM_WORDS[of]}s are named.`, hint);
}

async function createItems(
  line: BatchLine,
  { lines, read, folder }: Rows,
  { settings }: Needs<'settings'>,
): Promise<readonly Item[]> {
  const items = new Map<string, Item>();
  const lineOrg = settings.org()?.value;

  for (const { where, text } of lines) {
    try {
      const item = await createItem(line, { given: read(text), folder }, items.size, lineOrg);
      if (items.has(item.key)) {
        throw usageError(`${quote(item.id)} is given twice.`, 'Give each one once.');
      }
      items.set(item.key, item);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      throw new CliError(error.code, where + error.message, error.details);
    }
  }
  return [...items.values()];
}

interface Rows {
  /** The texts, with the beginning of messages about each: `Line 3 of list.txt: `. */
  readonly lines: ReadonlyArray<{ readonly text: string; readonly where: string }>;
  /** Reads a text, and throws a usage error if it cannot be read. */
  read(text: string): ListEntry['given'];
  readonly folder: string;
}

/**
 * Reads the rows of a list: an id or a JSON text on each line, or comma-separated values below a
 * line with the names of the columns.
 */
function readRows(field: string, list: string, file: string): Rows {
  const source = file === '-' ? 'standard input' : file;
  const folder = file === '-' ? '' : dirname(file);
  const lines = list
    .split('\n')
    .map((line, index) => ({ text: line.trim(), where: `Line ${index + 1} of ${source}: ` }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'));

  const readCells = createRowReader(lines[0]?.text ?? '', field);
  if (readCells === undefined) return { lines, read: (text) => readPlainLine(text, field), folder };
  const rows = lines.slice(1).filter(({ text }) => !/^[,;\s"]*$/.test(text));
  return { lines: rows, read: readCells, folder };
}

/** The characters that spreadsheets put between cells, the one of the RFC first. */
const DIVIDERS = [',', ';', '\t'];

/** Reads the first line as the names of columns; undefined if none of them is the item. */
function createRowReader(head: string, field: string) {
  if (head.startsWith('{')) return undefined;
  for (const divider of DIVIDERS) {
    const names = splitCells(head.toLowerCase(), divider);
    if (names.includes(field)) return (row: string) => nameCells(names, splitCells(row, divider));
  }
  return undefined;
}

/** Splits a row as RFC 4180 says, but for cells of several lines. */
function splitCells(line: string, divider: string): readonly string[] {
  const parts = line.split('"');
  if (parts.length % 2 === 0) {
    throw usageError('It has a quote that is not closed.', 'Write each row on one line.');
  }
  // Every other part is quoted, and keeps its dividers.
  const divided = parts.map((part, index) => {
    return index % 2 === 0 ? part.replaceAll(divider, '\n') : part;
  });
  const cells = divided.join('"').split('\n');
  return cells.map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
      .trim(),
  );
}

/** Names the cells of a row, without empty ones: spreadsheets end a row with empty cells. */
function nameCells(names: readonly string[], cells: readonly string[]): JsonObject {
  const filled = cells.findLastIndex((cell) => cell !== '') + 1;
  if (filled > names.length) {
    throw usageError(`It has ${filled} cells, and the head has ${names.length} columns.`);
  }
  const named = cells.flatMap((cell, index) => (cell === '' ? [] : [[names[index], cell]]));
  return Object.fromEntries(named);
}

/** Reads an id, or a JSON text: jq without `-r` writes an id so. */
function readPlainLine(text: string, field: string): string | JsonObject {
  if (!/^(?:["{[]|null$)/.test(text)) return text;

  const hint = `Write an id, or {"${field}": "<id>"}. jq writes ids with jq -r.`;
  const value = readUserJson(text, 'It', { hint });
  if (typeof value === 'string') return value;
  if (isObject(value) && Object.keys(value).length > 0) return value;
  throw usageError(`${quote(text)} names no ${field}.`, hint);
}
