import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import {
  getBatchOptions,
  ITEM_WORDS,
  type LineValues,
  readLineValues,
  type TypedLine,
} from '../cli/define/command.ts';
import type { BatchItem, Command, Result, Warning } from '../cli/define/define.ts';
import { parseApex, parseIdentifier } from '../cli/values/names.ts';
import { TABLE_KEYS, type Texts } from '../cli/values/parameters.ts';
import { type CliError, quote, usageError } from '../errors.ts';
import { isObject, type JsonObject } from '../json/values.ts';

/** A line whose command is carried out for each of its items. */
export type BatchLine = TypedLine & { readonly batch: NonNullable<Command['batch']> };

/** Whether a line is a check: one of nothing would look like a good one. */
export function isCheck({ batch: { checks = [] }, texts }: BatchLine): boolean {
  return checks === 'always' || checks.some((key) => texts.has(key));
}

/** The content of a line of a list. */
export interface ListEntry {
  /** An id, or the fields of the item. */
  readonly given: string | JsonObject;
  /** The folder of the list, beside which its field `records` finds files. */
  readonly folder: string;
}

/** One item that a command is carried out for. */
export interface Item extends BatchItem {
  /** The item as the list has it: an id, or the object of a line. */
  readonly given: string | JsonObject;
  readonly org: string | undefined;
  /**
   * The name in a log. Items have the same key if the same is sent for them, however they are
   * spelled.
   */
  readonly key: string;
  readonly values: LineValues;
  /** Records that stand in the line itself, as JSON; they are read as {@link INLINE_RECORDS}. */
  readonly records?: string | undefined;
}

/** The outcome of an item. */
export interface Outcome {
  readonly item: Pick<Item, 'index' | 'id' | 'given' | 'org'>;
  /** The state of a job: `queued` if nobody waits for it, `running` if its end was not seen. */
  readonly how: 'done' | 'queued' | 'running' | 'alerts' | 'failed';
  /** The result; undefined if the command failed without one. */
  readonly result?: Result<unknown> | undefined;
  readonly error?: CliError | undefined;
  /** Whether it may have been carried out although no answer says so. */
  readonly isInDoubt?: boolean;
  /** The job that goes on. */
  readonly jobId?: string | undefined;
  readonly warnings: readonly Warning[];
  readonly attempts: number;
  /** The time from the first request to the end, in milliseconds. */
  readonly ms: number;
}

/** The file name of records that stand in a line of the list itself. */
export const INLINE_RECORDS = 'the records of the list';

/** The texts of an item's own options, by the keys of the options. */
type OwnTexts = ReadonlyArray<readonly [key: string, texts: readonly string[]]>;

/**
 * Reads and checks what a list says of one item.
 * @param lineOrg the organization of the whole line
 * @throws CliError `usage`
 */
export async function createItem(
  line: BatchLine,
  entry: ListEntry,
  index: number,
  lineOrg: string | undefined,
): Promise<Item> {
  const { given } = entry;
  const { id, org, own, records } = readFields(line, entry);
  if (/[",;\s]/.test(id)) {
    throw usageError(
      `${quote(id)} has a comma, a semicolon, a quote or white space in it.`,
      'Write one id on each line, or comma-separated values below a line with the names of the columns.',
    );
  }
  const values = readLineValues(line.command, getItemTexts(line, id, own));

  const { of } = line.batch;
  const useApex = (apex: string) => `svc domains import ${apex}`;
  const name = of === 'domain' ? (await parseApex(id, useApex)).ascii : id;
  const key = createKey(name, org === lineOrg ? undefined : org, [
    ...own,
    ...(records === undefined ? [] : [['records', [records]] as const]),
  ]);
  return { index, id, given, org: of === 'org' ? id : org, key, values, records };
}

/** Reads the item and its fields; anything but those that {@link getFieldNames} has is refused. */
function readFields(line: BatchLine, { given, folder }: ListEntry) {
  if (typeof given === 'string') return { id: given.trim(), own: [] };

  const { command, batch } = line;
  const field = ITEM_WORDS[batch.of];
  const known = getFieldNames(line);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `It has a field ${quote(unknown)} that svc does not know.`;
    throw usageError(message, `The fields of this list: ${known.join(', ')}`);
  }

  const { [field]: id, org, service, params, records } = given;
  if (id === undefined) {
    const hint = `Write an id, or {"${field}": "<id>"}. jq writes ids with jq -r.`;
    throw usageError(`It has no ${field}: the field "${field}" is missing.`, hint);
  }

  const own: Array<readonly [string, readonly string[]]> = [];
  if (params !== undefined) own.push(['param', readParams(params)]);
  const hasOwnService = field !== 'service' && Object.hasOwn(command.options, 'service');
  if (service !== undefined && hasOwnService) own.push(['service', [readText(service, 'service')]]);
  const hasRecords = records !== undefined && Object.hasOwn(command.options, 'records');
  const inline = hasRecords && Array.isArray(records) ? JSON.stringify(records) : undefined;
  if (hasRecords) {
    const path = inline === undefined ? findFile(folder, records) : INLINE_RECORDS;
    own.push(['records', [path]]);
  }
  return {
    id: readText(id, field),
    org: org === undefined ? undefined : parseIdentifier(readText(org, 'org'), 'The field "org"'),
    own,
    records: inline,
  };
}

function findFile(folder: string, records: unknown): string {
  const path = readText(records, 'records');
  return path === '-' || folder === '' || isAbsolute(path) ? path : join(folder, path);
}

/** Lists the fields that a line may have. One list of domains is for all that is done with them. */
function getFieldNames({ command, batch }: BatchLine): readonly string[] {
  const fields = [ITEM_WORDS[batch.of], 'org'];
  if (batch.of === 'domain') return [...fields, 'service', 'records'];
  if (Object.hasOwn(command.options, 'service')) fields.push('service');
  if (Object.hasOwn(command.options, 'param')) fields.push('params');
  return [...new Set(fields)];
}

function readText(value: unknown, field: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw usageError(`The field "${field}" is not a text.`);
}

/** Returns the texts that a command line would have: a `name:=value` for each parameter. */
function readParams(params: unknown): readonly string[] {
  if (!isObject(params)) {
    const hint = 'Write the line as JSON: {"service": "<id>", "params": {"<name>": "<value>"}}.';
    throw usageError('The field "params" is not an object.', hint);
  }
  return Object.entries(params).map(([name, value]) => {
    if (/[=:]/.test(name)) {
      throw usageError(`The parameter ${quote(name)} has an equals sign or a colon in its name.`);
    }
    return `${name}:=${JSON.stringify(value)}`;
  });
}

/**
 * Returns the texts that a line for this item alone would have. Parameters add up; anything else of
 * its own takes the place of what the whole line says.
 */
export function getItemTexts(
  { batch: { of }, texts }: BatchLine,
  id: string,
  own: OwnTexts,
): Texts {
  const batchKeys = new Set([...TABLE_KEYS, ...Object.keys(getBatchOptions(of, false))]);
  const all = new Map([...texts].filter(([key]) => !batchKeys.has(key)));
  for (const [key, values] of own) {
    all.set(key, key === 'param' ? [...(texts.get(key) ?? []), ...values] : values);
  }
  return of === 'org' ? all : all.set(of, [id]);
}

/** Hashes the options that decide what is sent: only a run with the same ones goes on with a log. */
export function hashOptions(line: BatchLine): string {
  const texts = [...getItemTexts(line, '', [])];
  // Waiting changes nothing of what is sent.
  return hash(sortTexts(texts.filter(([key]) => key !== 'wait' && key !== 'waitTimeout')));
}

const HASH_LENGTH = 'sha256:'.length + 16;

function createKey(name: string, org: string | undefined, own: OwnTexts): string {
  const options = own.filter(([, texts]) => texts.length > 0);
  if (org === undefined && options.length === 0) return name;
  return `${name} ${hash([org, sortTexts(options)]).slice(0, HASH_LENGTH)}`;
}

function hash(value: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;
}

function sortTexts(options: OwnTexts): unknown {
  const sorted = options.map(([key, texts]) => [key, [...texts].sort()] as const);
  return sorted.sort(([key], [otherKey]) => (key < otherKey ? -1 : 1));
}
