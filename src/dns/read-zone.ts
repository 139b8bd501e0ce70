import type { ZoneRecord } from '../contract/types.ts';
import { CliError, quoted, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { asObject, type JsonObject } from '../json/values.ts';
import { isUint16, partBelow } from './record-value.ts';
import {
  type Position,
  readName,
  readStrings,
  readTokens,
  readTtl,
  type Token,
  zoneError,
} from './zone-tokens.ts';

/** The most bytes to read of a file of records: 5 MiB. */
export const MAX_RECORDS_BYTES = 5 * 1024 * 1024;

/**
 * Reads records from a plan of `svc domains import`, a JSON array of records, or a zone file, with
 * the line that each starts on. Throws a usage error for any other text, and for a plan of another
 * domain.
 * @param onFault receives the error of each unreadable record of a zone file
 */
export function readRecords(
  text: string,
  apex: string,
  name: string,
  onFault: (fault: CliError) => void,
): {
  readonly records: readonly unknown[];
  readonly lines?: readonly number[];
  readonly plan?: JsonObject;
} {
  const start = text.trimStart().charAt(0);
  const hint = `svc domains import ${apex} --output plan.json`;
  if (start === '') throw usageError(`${name} is empty.`, hint);
  if (start !== '{' && start !== '[') return readZone(text, apex, onFault);
  const value = readUserJson(text.replace(/^\ufeff/, ''), name);
  if (Array.isArray(value)) return { records: value };
  const plan = asObject(value);
  const { records, apex: planned } = plan;
  if (!Array.isArray(records))
    throw usageError(`${name} is a JSON object without a list named records.`, hint);
  if (
    typeof planned === 'string' &&
    planned.toLowerCase().replace(/\.$/, '') !== apex.toLowerCase()
  ) {
    throw usageError(`${name} has the records of ${quoted(planned)}, not of ${apex}.`, hint);
  }
  return { records, plan };
}

interface State {
  readonly apex: string;
  origin: string;
  defaultTtl?: number;
  lastTtl?: number;
  owner?: string;
  /** Then the records below the last name have none. */
  isOwnerUnread?: boolean;
}

/**
 * Reads a zone file (RFC 1035, section 5; `$TTL` of RFC 2308) into records below the apex, which is
 * also the first origin. The libraries on npm do not decode TXT escapes and do not say where an
 * error is. SOA records are left out, since the platform's DNS has its own. Throws a usage error
 * for what breaks the whole file, such as an open quote.
 */
export function readZone(text: string, apex: string, onFault: (fault: CliError) => void) {
  const state: State = { apex, origin: apex };
  const records: ZoneRecord[] = [];
  const lines: number[] = [];
  for (const entry of readEntries(text)) {
    const [first] = entry.tokens;
    if (first === undefined) continue;
    if (!entry.hasBlankOwner && first.kind === 'word' && first.text.startsWith('$')) {
      applyDirective(entry.tokens, first, state);
      continue;
    }
    try {
      const record = readRecord(entry, first, state);
      if (record === undefined) continue;
      records.push(record);
      lines.push(first.line);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      onFault(error);
    }
  }
  return { records, lines };
}

function applyDirective([, value, extra]: readonly Token[], directive: Token, state: State): void {
  const name = directive.text.toUpperCase();
  if (name !== '$ORIGIN' && name !== '$TTL') {
    throw zoneError(
      directive,
      `${quoted(directive.text)} is not supported: write its records into the file itself`,
    );
  }
  if (value === undefined) throw zoneError(directive, `${name} has no value`);
  if (extra !== undefined) throw zoneError(extra, `${name} takes one value`);
  if (name === '$ORIGIN') state.origin = readName(value, state.origin);
  else state.defaultTtl = ttlOf(value);
}

function readRecord(entry: Entry, first: Token, state: State): ZoneRecord | undefined {
  if (!entry.hasBlankOwner) {
    state.isOwnerUnread = true;
    state.owner = readName(first, state.origin);
    state.isOwnerUnread = false;
  }
  if (state.isOwnerUnread)
    throw zoneError(first, 'the name of this record, in a line above, cannot be read');
  if (state.owner === undefined) throw zoneError(first, 'the first record has no name');
  const { ttl, type, data } = readHead(entry.tokens.slice(entry.hasBlankOwner ? 0 : 1), first);
  if (ttl !== undefined) state.lastTtl = ttl;
  const subdomain = partBelow(state.owner, state.apex);
  if (subdomain === undefined)
    throw zoneError(first, `${quoted(state.owner)} is not ${state.apex} or below it`);
  const name = type.text.toUpperCase();
  if (name === 'SOA') return undefined;
  const seconds = ttl ?? state.defaultTtl ?? state.lastTtl;
  if (seconds === undefined)
    throw zoneError(type, 'the record has no TTL. Put a line such as $TTL 3600 at the top');
  return { subdomain, type: name, ...readData(type, data, state.origin), ttl: seconds };
}

function readHead(tokens: readonly Token[], first: Token) {
  let ttl: number | undefined;
  let hasClass = false;
  for (const [index, token] of tokens.entries()) {
    const isWord = token.kind === 'word';
    if (isWord && !hasClass && /^(?:IN|CH|HS|CS|ANY|CLASS\d+)$/i.test(token.text)) {
      if (token.text.toUpperCase() !== 'IN')
        throw zoneError(token, `class ${token.text} is not supported, only IN`);
      hasClass = true;
      continue;
    }
    if (isWord && /^[A-Za-z][A-Za-z0-9-]*$/.test(token.text))
      return { ttl, type: token, data: tokens.slice(index + 1) };
    if (isWord && ttl === undefined && /^\d/.test(token.text)) ttl = ttlOf(token);
    else throw zoneError(token, `the type of a record is expected here, not ${quoted(token.text)}`);
  }
  throw zoneError(first, 'the record has no type');
}

/** Data of numbers and a name; other types keep theirs as written. */
const FORMS: Readonly<Record<string, readonly [numbers: number, form: string]>> = {
  CNAME: [0, 'a host name'],
  NS: [0, 'a host name'],
  MX: [1, 'a priority and a host name'],
  SRV: [3, 'priority, weight, port and a host name'],
};

function readData(
  type: Token,
  data: readonly Token[],
  origin: string,
): Pick<ZoneRecord, 'value' | 'priority'> {
  const name = type.text.toUpperCase();
  if (name === 'TXT') {
    if (data.length === 0) throw zoneError(type, 'TXT takes a text or several');
    return { value: readStrings(data) };
  }
  const [numbers, form] = FORMS[name] ?? [];
  if (numbers === undefined) {
    return {
      value: data.map(({ kind, text }) => (kind === 'string' ? `"${text}"` : text)).join(' '),
    };
  }
  const [priority, ...others] = data.slice(0, numbers).map(readNumber);
  const [target, extra] = data.slice(numbers);
  if (target === undefined || extra !== undefined)
    throw zoneError(extra ?? type, `${name} takes ${form}`);
  const value = [...others, readName(target, origin)].join(' ');
  return priority === undefined ? { value } : { priority, value };
}

function readNumber(token: Token): number {
  if (token.kind === 'word' && isUint16(token.text)) return Number(token.text);
  throw zoneError(
    token,
    `a whole number from 0 to 65535 is expected here, not ${quoted(token.text)}`,
  );
}

function ttlOf(token: Token): number {
  const ttl = token.kind === 'word' ? readTtl(token.text) : undefined;
  if (ttl === undefined)
    throw zoneError(token, `a TTL is expected here, not ${quoted(token.text)}`);
  return ttl;
}

/** One line, or several within parentheses. */
interface Entry {
  /** Then its record has the name of the one before. */
  readonly hasBlankOwner: boolean;
  readonly tokens: readonly Token[];
}

function* readEntries(text: string): Generator<Entry> {
  const open: Position[] = [];
  let tokens: Token[] = [];
  const entry = () => ({ hasBlankOwner: (tokens[0]?.column ?? 1) > 1, tokens });
  for (const token of readTokens(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))) {
    if (token.kind === '(') open.push(token);
    else if (token.kind === ')') {
      if (open.pop() === undefined) throw zoneError(token, 'this parenthesis closes nothing');
    } else if (token.kind !== 'newline') tokens.push(token);
    else if (open.length === 0) {
      yield entry();
      tokens = [];
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw zoneError(unclosed, 'this parenthesis is not closed');
  yield entry();
}
