import { quoted, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { type Command, optionsOf } from '../kit/define.ts';
import { type Each, KINDS } from '../kit/each.ts';
import type { Texts } from '../kit/read-values.ts';
import { parseIdentifier } from '../kit/values/identifier.ts';

/** An item as it was read. */
export interface Draft {
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly id: string;
  /** As it was given: an id, or the object of a line. */
  readonly given: string | JsonObject;
  readonly org: string | undefined;
  /** Options of its own, by key. */
  readonly own: Texts;
}

const NOTHING: Texts = new Map();

/** Makes an item of an id alone. */
export function bareItem(index: number, id: string): Draft {
  return { index, id, given: id, org: undefined, own: NOTHING };
}

/** Fields of a line that are options of the command, which may come from a column as well. */
const OWN_OPTIONS = ['service', 'records'] as const;

/** Reads the first line of a list as the names of its columns; undefined if it names none. */
export function headOf(each: Each, text: string): Columns | undefined {
  const { field } = KINDS[each];
  return text.startsWith('{') ? undefined : readHead(text, field, [...new Set([field, 'org', ...OWN_OPTIONS])]);
}

/** Reads an id, or an object with the item's own options. */
export function readItem(command: Command, each: Each, line: string | JsonObject, index: number): Draft {
  if (typeof line === 'string' && !line.startsWith('{')) return bareItem(index, idIn(line));
  const { field, one } = KINDS[each];
  const hint = `For example: {"${field}": "<id>"}`;
  const given = typeof line === 'string' ? (readUserJson(line, 'It', { hint }) as JsonObject) : line;
  const { [field]: id, org, params, ...others } = given;
  const own = new Map<string, readonly string[]>();
  const options = optionsOf(command);
  const unknown: Record<string, unknown> = { ...others };
  for (const name of OWN_OPTIONS.filter((option) => option !== field)) {
    const isTaken = Object.hasOwn(options, name);
    if (isTaken && others[name] !== undefined) own.set(name, [textIn(others[name], name)]);
    // One list of domains is for all that is done with them.
    if (isTaken || each === 'domain') delete unknown[name];
  }
  if (params !== undefined && Object.hasOwn(options, 'param')) own.set('param', paramsIn(params));
  else if (params !== undefined) Object.assign(unknown, { params });
  const [stray] = Object.keys(unknown);
  if (stray !== undefined) throw usageError(`It has a field ${quoted(stray)} that svc does not know.`);
  if (id === undefined) throw usageError(`It has no ${one}: the field "${field}" is missing.`);
  return {
    index,
    id: idIn(textIn(id, field)),
    given,
    org: org === undefined ? undefined : parseIdentifier(textIn(org, 'org'), 'The field "org"'),
    own,
  };
}

function idIn(text: string): string {
  if (!/[,;\s]/.test(text)) return text;
  const hint = 'Write one id on each line, or comma-separated values below a line with the names of the columns.';
  throw usageError(`${quoted(text)} has a comma, a semicolon or white space in it.`, hint);
}

function textIn(value: unknown, field: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw usageError(`The field "${field}" is not a text.`);
}

function paramsIn(params: unknown): readonly string[] {
  if (!isObject(params)) throw usageError('The field "params" is not an object.');
  return Object.entries(params).map(([name, value]) => {
    if (/[=:]/.test(name)) throw usageError(`The parameter ${quoted(name)} has an equals sign or a colon in its name.`);
    return `${name}:=${JSON.stringify(value)}`;
  });
}

/** Reads the lines of a list that has columns. */
interface Columns {
  /** Returns the cells of a line by the names of their columns. Empty ones are left out. */
  read(text: string): JsonObject;
}

/**
 * Reads the first line of a list as the head of comma-separated values (RFC 4180); undefined if no column is `field`.
 * @param known the names of columns: any other is refused, so that none is overlooked
 */
function readHead(text: string, field: string, known: readonly string[]): Columns | undefined {
  const names = cellsOf(text).map((cell) => cell.trim());
  if (!names.includes(field)) return undefined;
  const stray = names.find((name) => !known.includes(name));
  if (stray !== undefined) {
    throw usageError(`svc does not know the column ${quoted(stray)}.`, `The columns of this list: ${known.join(', ')}`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usageError(`The column ${quoted(twice)} is there twice.`, 'Give each column once.');
  return {
    read(line) {
      const cells = cellsOf(line);
      if (cells.length > names.length) {
        throw usageError(`It has ${cells.length} cells, and the head has ${names.length} columns.`);
      }
      const given = names.map((name, index) => [name, cells[index]?.trim() ?? ''] as const);
      return Object.fromEntries(given.filter(([, cell]) => cell !== ''));
    },
  };
}

/** Splits a line. Throws a usage error for a quote that is not closed: a cell cannot have several lines. */
function cellsOf(line: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '"' && isQuoted && line.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (character === ',' && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  if (isQuoted) throw usageError('It has a quote that is not closed.', 'Write each row on one line.');
  return [...cells, cell];
}
