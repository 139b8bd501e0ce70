import { dirname, isAbsolute, join } from 'node:path';
import { getListOption, ITEM_WORDS } from '../cli/define/batch.ts';
import type { Context } from '../cli/define/context.ts';
import { checkAgreement, longName, readOptions } from '../cli/values/read-values.ts';
import { CliError, quote, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { type BatchLine, createItem, type Item, type ListEntry } from './item.ts';
import { isLogText } from './log-text.ts';

/** The items of a command line, or the text of the log whose jobs it looks at. */
export type BatchList =
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  | { readonly kind: 'log'; readonly text: string; readonly file: string };

interface Row {
  /** The beginning of messages about it: `Line 3 of list.txt: `. */
  readonly where: string;
  /** Reads the line, and throws a usage error if it cannot be read. */
  read(): ListEntry;
}

/** A line of a list that is neither empty nor a comment. */
interface ListLine {
  readonly text: string;
  readonly where: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads all items of a line and checks them. Nothing is sent before, except to ask for all of them
 * (`--all-orgs`).
 * @throws CliError `usage` for a list that cannot be read, and for the first item that is invalid
 * or given twice.
 */
export async function readList(line: BatchLine, context: Context): Promise<BatchList> {
  const { command, batch, texts, items: typedIds = [] } = line;
  const { key, option } = getListOption(batch.of);
  const name = longName(key, option);
  const { [key]: list } = readOptions({ [key]: option }, texts);
  checkOneSource(line, name, list);

  if (typeof list === 'string') {
    const text = await context.io.readText(list, name, MAX_BYTES);
    if (batch.of === 'jobId' && isLogText(text)) return { kind: 'log', text, file: list };
    return { kind: 'items', items: await createItems(line, context, readRows(line, text, list)) };
  }

  const ids = list ? await batch.all?.(context) : typedIds;
  const isDefault = ids?.length === 0 && !list && batch.of === 'service';
  const found = isDefault ? [context.settings.serviceId(undefined)] : (ids ?? []);
  if (found.length === 0 && !list) {
    const isArgument = Object.hasOwn(command.args, batch.of);
    const hint = isArgument ? `Give their ids, or ${name} <file>.` : `Add ${name}.`;
    throw usageError(`No ${ITEM_WORDS[batch.of]}s are named.`, hint);
  }
  const rows = found.map((id) => ({ where: '', read: () => ({ given: id }) }));
  return { kind: 'items', items: await createItems(line, context, rows) };
}

function describeSource(file: string): string {
  return file === '-' ? 'standard input' : file;
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

async function createItems(
  line: BatchLine,
  context: Context,
  rows: readonly Row[],
): Promise<readonly Item[]> {
  const items = new Map<string, Item>();
  const lineOrg = context.settings.org()?.value;

  for (const { where, read } of rows) {
    try {
      const item = await createItem(line, read(), items.size, lineOrg);
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

/**
 * Reads the rows of a list: an id or a JSON text on each line, or comma-separated values below a
 * line with the names of the columns.
 */
function readRows({ batch }: BatchLine, text: string, file: string): readonly Row[] {
  const field = ITEM_WORDS[batch.of];
  const folder = file === '-' ? '' : dirname(file);
  const lines = readLines(text, describeSource(file));
  const [head, ...rest] = lines;
  const table = head && readHead(head.text, field);

  if (table === undefined) {
    return lines.map(({ text, where }) => ({
      where,
      read: () => toEntry(readPlainLine(text, field), folder),
    }));
  }
  const rows = rest.filter(({ text }) => !/^[,;\s"]*$/.test(text));
  return rows.map(({ text, where }) => ({
    where,
    read: () => toEntry(nameCells(table.names, splitCells(text, table.divider)), folder),
  }));
}

function readLines(text: string, source: string): readonly ListLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), where: `Line ${index + 1} of ${source}: ` }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

/** The characters that spreadsheets put between cells, the one of the RFC first. */
const DIVIDERS = [',', ';', '\t'];

/** Reads the first line as the names of columns; undefined if none of them is the item. */
function readHead(text: string, field: string) {
  if (text.startsWith('{')) return undefined;
  for (const divider of DIVIDERS) {
    const names = splitCells(text.toLowerCase(), divider);
    if (names.includes(field)) return { divider, names };
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

/** Finds the file of `records` beside the list that names it. */
function toEntry(given: string | JsonObject, folder: string): ListEntry {
  if (typeof given === 'string') return { given };

  const { records } = given;
  if (typeof records !== 'string' || records === '-') return { given };
  const path = isAbsolute(records) || folder === '' ? records : join(folder, records.trim());
  return { given, recordsPath: path };
}
