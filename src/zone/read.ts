import { CliError, quoted } from '../errors.ts';
import type { ZoneRecord } from '../spec/types.ts';
import { isUint16, partBelow } from './record-value.ts';
import { type Position, readName, readStrings, readTokens, readTtl, type Token, zoneError } from './tokens.ts';

interface ZoneRecords {
  /** `checkRecords` says whether they can be staged. */
  readonly records: ZoneRecord[];
  readonly lines: number[];
}

interface State {
  readonly apex: string;
  origin: string;
  defaultTtl?: number;
  lastTtl?: number;
  owner?: string;
  /** Whether the last name was unreadable, so that the records below it have no name. */
  isOwnerUnread?: boolean;
}

/**
 * Reads a zone file (RFC 1035, section 5; `$TTL` of RFC 2308) into records below the apex, which is also the first origin.
 * The libraries on npm do not decode TXT escapes and do not say where an error is.
 * SOA records are left out, since the platform's DNS has its own. The strings of a TXT record become one value and host
 * names lose their final dot; other values stay as written. Throws a usage error with line and column.
 * @param onFault receives the error of each unreadable record; by default the first is thrown. Errors that break the
 * whole file, such as an open quote, are always thrown.
 */
export function readZone(text: string, apex: string, onFault: (fault: CliError) => void = rethrow): ZoneRecords {
  const state: State = { apex, origin: apex };
  const zone: ZoneRecords = { records: [], lines: [] };
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
      zone.records.push(record);
      zone.lines.push(first.line);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      onFault(error);
    }
  }
  return zone;
}

function rethrow(fault: CliError): never {
  throw fault;
}

function applyDirective([, value, extra]: readonly Token[], directive: Token, state: State): void {
  const name = directive.text.toUpperCase();
  if (name !== '$ORIGIN' && name !== '$TTL') {
    throw zoneError(directive, `${quoted(directive.text)} is not supported: write its records into the file itself`);
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
  if (state.isOwnerUnread) throw zoneError(first, 'the name of this record, in a line above, cannot be read');
  if (state.owner === undefined) throw zoneError(first, 'the first record has no name');
  const { ttl, type, data } = readHead(entry.tokens.slice(entry.hasBlankOwner ? 0 : 1), first);
  if (ttl !== undefined) state.lastTtl = ttl;
  const subdomain = partBelow(state.owner, state.apex);
  if (subdomain === undefined) throw zoneError(first, `${quoted(state.owner)} is not ${state.apex} or below it`);
  const name = type.text.toUpperCase();
  if (name === 'SOA') return undefined;
  const seconds = ttl ?? state.defaultTtl ?? state.lastTtl;
  if (seconds === undefined) throw zoneError(type, 'the record has no TTL. Put a line such as $TTL 3600 at the top');
  return { subdomain, type: name, ...readData(type, data, state.origin), ttl: seconds };
}

function readHead(
  tokens: readonly Token[],
  first: Token,
): { ttl: number | undefined; type: Token; data: readonly Token[] } {
  let ttl: number | undefined;
  let hasClass = false;
  for (const [index, token] of tokens.entries()) {
    const isWord = token.kind === 'word';
    if (isWord && !hasClass && /^(?:IN|CH|HS|CS|ANY|CLASS\d+)$/i.test(token.text)) {
      if (token.text.toUpperCase() !== 'IN') throw zoneError(token, `class ${token.text} is not supported, only IN`);
      hasClass = true;
    } else if (isWord && ttl === undefined && /^\d/.test(token.text)) ttl = ttlOf(token);
    else if (isWord && /^[A-Za-z][A-Za-z0-9-]*$/.test(token.text))
      return { ttl, type: token, data: tokens.slice(index + 1) };
    else throw zoneError(token, `the type of a record is expected here, not ${quoted(token.text)}`);
  }
  throw zoneError(first, 'the record has no type');
}

/** The words of the data of some types; other types keep their data as written. */
const FORMS: Readonly<Record<string, readonly [words: number, names: string]>> = {
  CNAME: [1, 'a host name'],
  NS: [1, 'a host name'],
  MX: [2, 'a priority and a host name'],
  SRV: [4, 'priority, weight, port and a host name'],
};

/** Reads the data of a record. Throws a usage error with line and column. */
function readData(type: Token, data: readonly Token[], origin: string): Pick<ZoneRecord, 'value' | 'priority'> {
  const name = type.text.toUpperCase();
  const [words, form] = FORMS[name] ?? [undefined, 'a text or several'];
  const wrong = (token: Token) => zoneError(token, `${name} takes ${form}`);
  const token = (index: number) => {
    const found = data[index];
    if (found === undefined) throw wrong(type);
    return found;
  };
  const extra = words === undefined ? undefined : data[words];
  if (extra !== undefined) throw wrong(extra);
  switch (name) {
    case 'CNAME':
    case 'NS':
      return { value: readName(token(0), origin) };
    case 'MX':
      return { priority: readNumber(token(0)), value: readName(token(1), origin) };
    case 'SRV': {
      const value = `${readNumber(token(1))} ${readNumber(token(2))} ${readName(token(3), origin)}`;
      return { priority: readNumber(token(0)), value };
    }
    case 'TXT':
      return { value: readStrings([token(0), ...data.slice(1)]) };
    default:
      return { value: data.map(({ kind, text }) => (kind === 'string' ? `"${text}"` : text)).join(' ') };
  }
}

function readNumber(token: Token): number {
  if (token.kind === 'word' && isUint16(token.text)) return Number(token.text);
  throw zoneError(token, `a whole number from 0 to 65535 is expected here, not ${quoted(token.text)}`);
}

function ttlOf(token: Token): number {
  const ttl = token.kind === 'word' ? readTtl(token.text) : undefined;
  if (ttl === undefined) throw zoneError(token, `a TTL is expected here, not ${quoted(token.text)}`);
  return ttl;
}

/** The tokens of one line, or of several within parentheses; never empty. */
interface Entry {
  /** Whether the line starts with white space, so that its record has the name of the one before. */
  readonly hasBlankOwner: boolean;
  readonly tokens: readonly Token[];
}

function* readEntries(text: string): Generator<Entry> {
  const open: Position[] = [];
  let tokens: Token[] = [];
  for (const token of readTokens(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))) {
    if (token.kind === '(') open.push(token);
    else if (token.kind === ')') {
      if (open.pop() === undefined) throw zoneError(token, 'this parenthesis closes nothing');
    } else if (token.kind !== 'newline') tokens.push(token);
    else if (open.length === 0) {
      yield* toEntry(tokens);
      tokens = [];
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw zoneError(unclosed, 'this parenthesis is not closed');
  yield* toEntry(tokens);
}

function toEntry(tokens: readonly Token[]): Entry[] {
  const first = tokens[0];
  return first === undefined ? [] : [{ hasBlankOwner: first.column > 1, tokens }];
}
