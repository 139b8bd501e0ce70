import { createHash } from 'node:crypto';
import { type LineValues, optionsOf, type TypedLine, valuesOf } from '../cli/define/command.ts';
import type { Context } from '../cli/define/context.ts';
import { type Each, KINDS, optionsForEach } from '../cli/define/each.ts';
import { parseApex } from '../cli/values/domain.ts';
import { parseIdentifier } from '../cli/values/identifier.ts';
import { checkAgreement, longName, TABLE_KEYS, type Texts } from '../cli/values/read-values.ts';
import { CliError, quoted, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { isObject, type JsonObject } from '../json/values.ts';

export type RunLine = TypedLine & { readonly each: Each };

/** One of several that a command is carried out for. */
export interface Item {
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly id: string;
  /** As it was given: an id, or the object of a line. */
  readonly given: string | JsonObject;
  readonly org: string | undefined;
  /**
   * Its name in a log. Items have the same key if the same is sent for them, however they are
   * spelled.
   */
  readonly key: string;
  readonly values: LineValues;
}

const MAX_BYTES = 64 * 1024 * 1024;

interface Row {
  /** In a list, from 1. */
  readonly line?: number;
  /** What messages about it begin with: `Line 3 of list.txt: `. */
  readonly where: string;
  /** Throws a usage error for a line that cannot be meant. */
  read(): string | JsonObject;
}

/**
 * Reads all items of a line and checks them. Nothing is sent before, except to ask for all of them
 * (`--all-orgs`).
 * @throws CliError `usage` for a list that cannot be read, and for the first item that is invalid
 * or given twice.
 */
export async function readItems(line: RunLine, context: Context): Promise<readonly Item[]> {
  const rows = await rowsOf(line, context);
  const org = context.settings.org()?.value;
  const items = new Map<string, Item>();
  for (const row of rows) {
    await within(row.where, async () => {
      const item = await itemOf(line, row.read(), items.size, org);
      const before = rows[items.get(item.key)?.index ?? -1];
      if (before !== undefined) {
        const first = before.line === undefined ? '' : `, first in line ${before.line}`;
        throw usageError(`${quoted(item.id)} is given twice${first}.`, 'Give each one once.');
      }
      items.set(item.key, item);
    });
  }
  return [...items.values()];
}

async function rowsOf(
  { command, each, texts, items: ids = [] }: RunLine,
  context: Context,
): Promise<readonly Row[]> {
  const { several, key, option } = KINDS[each];
  const isArgument = Object.hasOwn(command.args, each);
  if (isArgument) checkAgreement(command.args, command.options, texts);
  const source = texts.get(key);
  const name = longName(key, option);
  const [first] = ids;
  if (source === undefined && first === undefined) {
    throw usageError(
      `No ${several} are named.`,
      isArgument ? `Give their ids, or ${name} <file>.` : `Add ${name}.`,
    );
  }
  if (source !== undefined && first !== undefined) {
    throw usageError(
      `${name} and ${quoted(first)} cannot be used together.`,
      'Use one of the two.',
    );
  }
  if (source !== undefined && option.value !== '') {
    const file = String(option.read(source, name));
    const text = await context.io.readText(file, name, MAX_BYTES);
    return rowsIn(text, KINDS[each].field, file === '-' ? 'standard input' : file);
  }
  const typed = source === undefined ? ids : ((await command.all?.(context)) ?? []);
  return typed.map((id) => ({ where: '', read: () => id }));
}

async function rowsIn(text: string, field: string, file: string): Promise<readonly Row[]> {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, index) => ({
      text: line.trim(),
      line: index + 1,
      where: `Line ${index + 1} of ${file}: `,
    }))
    .filter((row) => row.text !== '' && !row.text.startsWith('#'));
  const [head = { text: '', where: '' }, ...others] = lines;
  const columns = await within(head.where, async () => columnsIn(head.text, field));
  const hint = `For example: {"${field}": "<id>"}`;
  const plain = (line: string) =>
    line.startsWith('{') ? (readUserJson(line, 'It', { hint }) as JsonObject) : line;
  const read = columns === undefined ? plain : (line: string) => objectOf(columns, cellsOf(line));
  return (columns === undefined ? lines : others).map((row) => ({
    ...row,
    read: () => read(row.text),
  }));
}

async function within<T>(where: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof CliError
      ? new CliError(error.code, where + error.message, error.details)
      : error;
  }
}

/** @param common the organization of the whole line */
async function itemOf(
  line: RunLine,
  given: string | JsonObject,
  index: number,
  common: string | undefined,
) {
  const { command, each, texts } = line;
  const { id, org, own } = partsOf(line, given);
  if (/[,;\s]/.test(id)) {
    const hint =
      'Write one id on each line, or comma-separated values below a line with the names of the columns.';
    throw usageError(`${quoted(id)} has a comma, a semicolon or white space in it.`, hint);
  }
  const values = valuesOf(command, textsFor(each, texts, id, own));
  const name =
    each === 'domain'
      ? (await parseApex(id, (domain) => `svc domains import ${domain}`)).ascii
      : id;
  const key = keyOf(name, org === common ? undefined : org, own);
  return { index, id, given, org: each === 'org' ? id : org, key, values };
}

/** Fields of a line that are options of the command, which may come from a column as well. */
const OWN_OPTIONS = ['service', 'records'];

function partsOf({ command, each }: RunLine, given: string | JsonObject) {
  const own = new Map<string, readonly string[]>();
  if (typeof given === 'string') return { id: given.trim(), org: undefined, own };
  const { field, one } = KINDS[each];
  const { [field]: id, org, params, ...others } = given;
  const options = optionsOf(command);
  const stray = new Set(Object.keys(others));
  for (const name of OWN_OPTIONS.filter((option) => option !== field)) {
    const isTaken = Object.hasOwn(options, name);
    if (isTaken && others[name] !== undefined) own.set(name, [textIn(others[name], name)]);
    // One list of domains is for all that is done with them.
    if (isTaken || each === 'domain') stray.delete(name);
  }
  if (params !== undefined && Object.hasOwn(options, 'param')) own.set('param', paramsIn(params));
  else if (params !== undefined) stray.add('params');
  const [unknown] = stray;
  if (unknown !== undefined)
    throw usageError(`It has a field ${quoted(unknown)} that svc does not know.`);
  if (id === undefined) throw usageError(`It has no ${one}: the field "${field}" is missing.`);
  const ownOrg =
    org === undefined ? undefined : parseIdentifier(textIn(org, 'org'), 'The field "org"');
  return { id: textIn(id, field), org: ownOrg, own };
}

/**
 * Reads the first line of a list as the head of comma-separated values; undefined if no column is
 * `field`.
 */
function columnsIn(text: string, field: string): readonly string[] | undefined {
  const names = text.startsWith('{') ? [] : cellsOf(text);
  if (!names.includes(field)) return undefined;
  const known = [...new Set([field, 'org', ...OWN_OPTIONS])];
  const stray = names.find((name, index) => !known.includes(name) || names.indexOf(name) !== index);
  if (stray === undefined) return names;
  const isKnown = known.includes(stray);
  const why = isKnown
    ? `The column ${quoted(stray)} is there twice.`
    : `svc does not know the column ${quoted(stray)}.`;
  throw usageError(why, `The columns of this list: ${known.join(', ')}`);
}

/** Names the cells of a line; empty ones are left out. */
function objectOf(names: readonly string[], cells: readonly string[]): JsonObject {
  if (cells.length > names.length) {
    throw usageError(`It has ${cells.length} cells, and the head has ${names.length} columns.`);
  }
  return Object.fromEntries(
    cells.flatMap((cell, index) => (cell === '' ? [] : [[names[index], cell]])),
  );
}

/** RFC 4180, but for cells of several lines. */
function cellsOf(line: string): readonly string[] {
  const parts = line.split('"');
  if (parts.length % 2 === 0)
    throw usageError('It has a quote that is not closed.', 'Write each row on one line.');
  // Every other part is quoted, and keeps its commas.
  const broken = parts
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(',', '\n') : part))
    .join('"');
  const cells = broken.split('\n').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  return cells.map((cell) => cell.replaceAll('""', '"').trim());
}

function textIn(value: unknown, field: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw usageError(`The field "${field}" is not a text.`);
}

function paramsIn(params: unknown): readonly string[] {
  if (!isObject(params)) throw usageError('The field "params" is not an object.');
  return Object.entries(params).map(([name, value]) => {
    if (/[=:]/.test(name))
      throw usageError(`The parameter ${quoted(name)} has an equals sign or a colon in its name.`);
    return `${name}:=${JSON.stringify(value)}`;
  });
}

/** The texts that a line for this item alone would have. */
export function textsFor(each: Each, texts: Texts, id: string, own: Texts): Texts {
  const left = new Set([...TABLE_KEYS, ...Object.keys(optionsForEach(each))]);
  const kept = [...texts].filter(([key]) => !left.has(key));
  // Parameters add up; of anything else, the line of the list says which one it is for this item.
  const params = [...(texts.get('param') ?? []), ...(own.get('param') ?? [])];
  const added = [...own].map(([key, values]) => [key, key === 'param' ? params : values] as const);
  return new Map([...kept, ...added, ...(each === 'org' ? [] : [[each, [id]] as const])]);
}

/** Hashes the options that decide what is sent: a log is resumed with the same ones only. */
export function hashOfOptions({ each, texts }: RunLine): string {
  // Waiting changes nothing of what is sent.
  const sent = [...textsFor(each, texts, '', new Map())].filter(
    ([key]) => key !== 'wait' && key !== 'waitTimeout',
  );
  return hashOf(inOrder(sent));
}

function keyOf(name: string, org: string | undefined, own: Texts): string {
  const options = [...own].filter(([, values]) => values.length > 0);
  if (org === undefined && options.length === 0) return name;
  return `${name} ${hashOf([org, inOrder(options)]).slice(0, 'sha256:'.length + 16)}`;
}

function hashOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;
}

function inOrder(options: ReadonlyArray<readonly [key: string, values: readonly string[]]>) {
  const sorted = options.map(([key, values]) => [key, [...values].sort()] as const);
  return sorted.sort(([one], [other]) => (one < other ? -1 : 1));
}
