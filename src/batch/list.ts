import { createHash } from 'node:crypto';
import { type BatchItem, batchOptions, listOption, ONE } from '../cli/define/batch.ts';
import { type LineValues, type TypedLine, valuesOf } from '../cli/define/command.ts';
import type { Context } from '../cli/define/context.ts';
import type { Command } from '../cli/define/define.ts';
import { parseApex } from '../cli/values/domain.ts';
import { parseIdentifier } from '../cli/values/identifier.ts';
import {
  checkAgreement,
  longName,
  readOptions,
  TABLE_KEYS,
  type Texts,
} from '../cli/values/read-values.ts';
import { CliError, quoted, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { utf8Of } from '../store/files.ts';

export type BatchLine = TypedLine & { readonly batch: NonNullable<Command['batch']> };

/** One of several that a command is carried out for. */
export interface Item extends BatchItem {
  /** As it was given: an id, or the object of a line. */
  readonly given: Given;
  readonly org: string | undefined;
  /**
   * Its name in a log. Items have the same key if the same is sent for them, however they are
   * spelled.
   */
  readonly key: string;
  readonly values: LineValues;
}

type Given = string | JsonObject;

interface Row {
  /** What messages about it begin with: `Line 3 of list.txt: `. */
  readonly where: string;
  /** Throws a usage error for a line that cannot be read. */
  read(): Given;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads all items of a line and checks them. Nothing is sent before, except to ask for all of them
 * (`--all-orgs`).
 * @throws CliError `usage` for a list that cannot be read, and for the first item that is invalid
 * or given twice; for one without items `no_data` if it would only be read.
 */
export async function readItems(line: BatchLine, context: Context): Promise<readonly Item[]> {
  const items = new Map<string, Item>();
  const org = context.settings.org()?.value;
  for (const { where, read } of await rowsOf(line, context)) {
    try {
      const item = await itemOf(line, read(), items.size, org);
      if (items.has(item.key))
        throw usageError(`${quoted(item.id)} is given twice.`, 'Give each one once.');
      items.set(item.key, item);
    } catch (error) {
      throw error instanceof CliError
        ? new CliError(error.code, where + error.message, error.details)
        : error;
    }
  }
  if (items.size > 0) return [...items.values()];
  const nothing = `There are no ${ONE[line.batch.of]}s in the list, so nothing was done.`;
  throw new CliError(line.command.effect === 'reads' ? 'no_data' : 'usage', nothing);
}

async function rowsOf(
  { command, batch, texts, items: typed = [] }: BatchLine,
  context: Context,
): Promise<readonly Row[]> {
  const { key, option } = listOption(batch.of);
  const name = longName(key, option);
  if (Object.hasOwn(command.args, batch.of)) checkAgreement(command.args, command.options, texts);
  const { [key]: list } = readOptions({ [key]: option }, texts);
  const [first] = typed;
  if (list && first !== undefined) {
    throw usageError(
      `${name} and ${quoted(first)} cannot be used together.`,
      'Use one of the two.',
    );
  }
  if (typeof list === 'string') {
    const bytes = utf8Of(await context.io.readFile(list, name, MAX_BYTES));
    return rowsIn(bytes.toString('utf8'), ONE[batch.of], list === '-' ? 'standard input' : list);
  }
  const ids = list ? await batch.all?.(context) : typed;
  const isDefault = ids?.length === 0 && !list && batch.of === 'service';
  const found = isDefault ? [context.settings.serviceId(undefined)] : (ids ?? []);
  if (found.length === 0 && !list)
    throw usageError(`No ${ONE[batch.of]}s are named.`, `Give their ids, or ${name} <file>.`);
  return found.map((id) => ({ where: '', read: () => id }));
}

/**
 * A list has an id or a JSON text on each line, or comma-separated values below a line with the
 * names of the columns.
 */
function rowsIn(text: string, field: string, file: string): readonly Row[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, index) => ({ text: line.trim(), where: `Line ${index + 1} of ${file}: ` }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
  const [head, ...rows] = lines;
  const names =
    head === undefined || head.text.startsWith('{')
      ? []
      : head.text.toLowerCase().split(',').map(bare);
  if (!names.includes(field))
    return lines.map((line) => ({ where: line.where, read: () => givenIn(line.text, field) }));
  return rows.map((line) => ({
    where: line.where,
    read: () => objectOf(names, line.text.split(',').map(bare)),
  }));
}

/** jq without `-r` writes an id as a JSON text. */
function givenIn(text: string, field: string): Given {
  const hint = `For example: {"${field}": "<id>"}`;
  const given = /^(?:["{[]|null$)/.test(text) ? readUserJson(text, 'It', { hint }) : text;
  if (typeof given === 'string' || isObject(given)) return given;
  throw usageError(`${text} is neither an id nor a JSON object.`, hint);
}

function objectOf(names: readonly string[], cells: readonly string[]): JsonObject {
  if (cells.length > names.length) {
    throw usageError(`It has ${cells.length} cells, and the head has ${names.length} columns.`);
  }
  return Object.fromEntries(
    cells.flatMap((cell, index) => (cell === '' ? [] : [[names[index], cell]])),
  );
}

/**
 * Without its quotes: an id has no comma, and a row with a comma more than the head has is refused.
 */
function bare(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}

/** @param common the organization of the whole line */
async function itemOf(
  line: BatchLine,
  given: Given,
  index: number,
  common: string | undefined,
): Promise<Item> {
  const { command, batch } = line;
  const { id, org, own } =
    typeof given === 'string'
      ? { id: given.trim(), org: undefined, own: [] }
      : partsOf(line, given);
  if (/[",;\s]/.test(id)) {
    const hint =
      'Write one id on each line, or comma-separated values below a line with the names of the columns.';
    throw usageError(`${quoted(id)} has a comma, a semicolon, a quote or white space in it.`, hint);
  }
  const values = valuesOf(command, textsFor(line, id, own));
  const name =
    batch.of === 'domain'
      ? (await parseApex(id, (domain) => `svc domains import ${domain}`)).ascii
      : id;
  const ownOrg = org === common ? undefined : org;
  const isPlain = ownOrg === undefined && own.length === 0;
  const key = isPlain
    ? name
    : `${name} ${hashOf([ownOrg, inOrder(own)]).slice(0, 'sha256:'.length + 16)}`;
  return { index, id, given, org: batch.of === 'org' ? id : org, key, values };
}

type Own = ReadonlyArray<readonly [key: string, texts: readonly string[]]>;

/**
 * Besides the item and `org`, the fields of a line are options of the command; parameters are an
 * object.
 */
function partsOf({ command: { options }, batch }: BatchLine, given: JsonObject) {
  const field = ONE[batch.of];
  const { [field]: id, org, ...others } = given;
  const own = Object.entries(others).flatMap(([name, value]): Own => {
    const key = name === 'params' && isObject(value) ? 'param' : name;
    const { form } = options[key] ?? {};
    if (form === 'value' || (key === 'param' && form === 'list'))
      return [[key, textsOf(value, name)]];
    // One list of domains is for all that is done with them.
    if (batch.of === 'domain' && DOMAIN_FIELDS.includes(name)) return [];
    throw usageError(`It has a field ${quoted(name)} that svc does not know.`);
  });
  const [found] = id === undefined ? [] : textsOf(id, field);
  if (found === undefined) throw usageError(`It has no ${field}: the field "${field}" is missing.`);
  const [ownOrg] =
    org === undefined
      ? []
      : textsOf(org, 'org').map((text) => parseIdentifier(text, 'The field "org"'));
  return { id: found, org: ownOrg, own };
}

const DOMAIN_FIELDS = ['service', 'records'];

/**
 * The texts that a command line would have: of an object one `name:=value` for each of its fields.
 */
function textsOf(value: unknown, field: string): readonly string[] {
  if (typeof value === 'string' && value.trim() !== '') return [value.trim()];
  if (field !== 'params' || !isObject(value))
    throw usageError(`The field "${field}" is not a text.`);
  return Object.entries(value).map(([name, one]) => {
    if (/[=:]/.test(name))
      throw usageError(`The parameter ${quoted(name)} has an equals sign or a colon in its name.`);
    return `${name}:=${JSON.stringify(one)}`;
  });
}

/**
 * The texts that a line for this item alone would have. Parameters add up; anything else of its own
 * comes first.
 */
function textsFor({ batch: { of }, texts }: BatchLine, id: string, own: Own): Texts {
  const ofBatch = new Set([...TABLE_KEYS, ...Object.keys(batchOptions(of, false))]);
  const all = new Map([...texts].filter(([key]) => !ofBatch.has(key)));
  for (const [key, values] of own)
    all.set(key, key === 'param' ? [...(texts.get(key) ?? []), ...values] : values);
  return of === 'org' ? all : all.set(of, [id]);
}

/** A hash of the options that decide what is sent: a log is resumed with the same ones only. */
export function hashOfOptions(line: BatchLine): string {
  // Waiting changes nothing of what is sent.
  return hashOf(
    inOrder([...textsFor(line, '', [])].filter(([key]) => key !== 'wait' && key !== 'waitTimeout')),
  );
}

function hashOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;
}

function inOrder(options: Own): unknown {
  return options.map(([key, values]) => [key, ...[...values].sort()]).sort();
}
