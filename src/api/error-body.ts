import { hasControl } from '../contract/text.ts';
import { asArray, asText, isObject, type JsonObject } from '../json/values.ts';
import { parseIfJson } from './body.ts';

/** The platform's own words: a text, and a line `field: message` for each field. */
interface Texts {
  readonly text: string | undefined;
  readonly lines: readonly string[];
}

/** The words of a body, with the Error object unchanged. */
export interface ErrorTexts extends Texts {
  readonly object: JsonObject | undefined;
}

const MAX_TEXT_LENGTH = 1_000;
const MAX_LINES = 50;

/**
 * Reads `error`, a text or field errors, or what frameworks answer in its place: `{code, message}`,
 * lists of problems with a path, RFC 9457.
 */
export function readErrorObject(object: JsonObject): Texts {
  const { text, lines } = readProblem(object);
  return { text: text && shorten(text), lines: lines.slice(0, MAX_LINES) };
}

/** Reads a body: an object, a list of problems, or text. */
export function readErrorBody(bytes: Uint8Array, contentType: string): ErrorTexts {
  const value = parseIfJson(bytes);
  if (isObject(value)) {
    const { text, lines } = readErrorObject(value);
    const isEmpty = text === undefined && lines.length === 0;
    return { object: value, text, lines: isEmpty ? readFieldMap(value) : lines };
  }
  const message = typeof value === 'string' ? value : readPlainText(bytes, contentType);
  const problem = Array.isArray(value) ? { errors: value } : { message };
  return { object: undefined, ...readErrorObject(problem) };
}

/** Reads an object without a known name as a map of fields with their messages. */
function readFieldMap(object: JsonObject): readonly string[] {
  const isMessages = (value: unknown) =>
    Array.isArray(value) && value.every((text) => findText(text) !== undefined);
  return Object.entries(object)
    .flatMap(([name, value]) => (isMessages(value) ? describeFields(value, name) : []))
    .slice(0, MAX_LINES);
}

const MAX_PLAIN_TEXT_BYTES = 500;

/** Reads text as one line; returns undefined for a page, broken JSON, or binary. */
function readPlainText(bytes: Uint8Array, contentType: string): string | undefined {
  const isText =
    contentType === '' || /^(?:text\/plain|application\/(?:[\w.-]+\+)?json)\b/i.test(contentType);
  if (!isText || bytes.length > MAX_PLAIN_TEXT_BYTES) return undefined;
  const text = new TextDecoder().decode(bytes).trim().replace(/\s+/g, ' ');
  return /^[<{["]|\ufffd/.test(text) || hasControl(text) ? undefined : text;
}

/** The names of the text of a problem. */
const TEXT_NAMES = [
  'message',
  'msg',
  'error_description',
  'errorMessage',
  'defaultMessage',
  'description',
  'reason',
  'issue',
];

/** The names of the field that a problem is about. */
const FIELD_NAMES = [
  'field',
  'pointer',
  'path',
  'loc',
  'instancePath',
  'param',
  'parameter',
  'name',
  'source',
];

/** Parts of a body that say more than its text in frameworks, where only lists of problems count. */
const LIST_NAMES = [
  'detail',
  'details',
  'issues',
  'violations',
  'fieldViolations',
  'invalid-params',
  'invalidParams',
];

function readProblem(object: JsonObject): Texts {
  const { error, errors, message } = object;
  const parts = [error, errors, message, ...findLists(object)]
    .map(parseList)
    .filter((value) => value instanceof Object)
    .map(readPart);

  const outer = findOwnText(object);
  const named = findText(error);
  const own = isBareWord(named) ? [outer, named] : [named, outer];
  const inner = parts.map((part) => part.text);
  const texts = error instanceof Object ? [...inner, ...own] : [...own, ...inner];
  const text = [...texts, findText(errors)].find((candidate) => candidate !== undefined);
  return { text, lines: parts.map((part) => part.lines).find((lines) => lines.length > 0) ?? [] };
}

/** Reads a list of problems, one problem, or a map of fields. */
function readPart(value: unknown): Texts {
  if (!isObject(value) || !isProblem(value)) {
    return { text: undefined, lines: describeFields(value) };
  }

  const texts = readProblem(value);
  const isAboutField = findFieldName(value) !== undefined && texts.lines.length === 0;
  return isAboutField ? { text: undefined, lines: describeFields([value]) } : texts;
}

/** Finds lists of texts or problems under the names of frameworks, and a problem there. */
function findLists(object: JsonObject): readonly unknown[] {
  return LIST_NAMES.flatMap((name) => {
    const value = object[name];
    if (isObject(value) && isProblem(value)) return [value];
    const entries = asArray(value).flatMap(findEntries);
    return entries.length === 0 ? [] : [entries];
  });
}

/** Finds the problems of an element of a list, which may wrap a list of its own. */
function findEntries(item: unknown): readonly unknown[] {
  if (findText(item) !== undefined) return [item];
  if (!isObject(item)) return [];
  return findOwnText(item) === undefined ? findLists(item).flat() : [item];
}

/**
 * Whether an object is one problem, and not a map of invalid fields: it has the name of an
 * exception, or a text, and a name that no field of an order has.
 */
function isProblem(object: JsonObject): boolean {
  const names = Object.keys(object);
  if (EXCEPTION.test(String(object['name']))) return true;
  const isAlone = names.length === 1 && /^(?:message|msg|detail)$/.test(names[0] ?? '');
  return findOwnText(object) !== undefined && (isAlone || names.some((name) => MACHINE.test(name)));
}

const EXCEPTION = /^[\w.]*(?:Error|Exception)$/;

const MACHINE =
  /^(?:code|errorCode|status|statusCode|type|title|errors|details|issues|instance|requestId|request_id|traceId|field|path|loc|pointer|param)$/;

/** Parses a list of problems that came as a text: the message of a ZodError. */
function parseList(value: unknown): unknown {
  const isList = typeof value === 'string' && /^\s*\[\s*\{/.test(value);
  return isList ? (parseIfJson(value) ?? value) : value;
}

/** Whether an error is a word for programs, or repeats its status: `invalid_plan`, `Bad Request`. */
function isBareWord(text = ''): boolean {
  if (/^(?:[a-z]\w*|[A-Z_]+)$/.test(text)) return true;
  return text !== '' && text.split(' ').every((word) => /^[A-Z][a-z-]+$/.test(word));
}

function findText(value: unknown): string | undefined {
  const text = parseList(value);
  return typeof text === 'string' ? asText(text.trim()) : undefined;
}

function findOwnText(object: JsonObject): string | undefined {
  const [text] = TEXT_NAMES.flatMap((name) => findText(object[name]) ?? []);
  if (text !== undefined) return text;

  // RFC 9457 divides the text.
  const title = findText(object['title']);
  const detail = findText(object['detail']);
  if (title === undefined || detail === undefined) return detail ?? title;

  const colon = /[.:;?!]$/.test(title) ? '' : ':';
  return `${title}${colon} ${detail}`;
}

/** The names under which Zod keeps messages and fields. */
const NO_FIELD = /^(?:_errors|formErrors|fieldErrors)?$/;

function describeFields(error: unknown, field = ''): string[] {
  if (Array.isArray(error)) {
    return error.flatMap((item, index) => {
      if (!isObject(item)) return describeFields(item, field);
      return describeEntry(item, field) ?? describeFields(item, `${field}[${index}]`);
    });
  }
  if (isObject(error)) {
    const entry = isProblem(error) ? describeEntry(error, field) : undefined;
    if (entry !== undefined) return [entry];
    return Object.entries(error).flatMap(([name, value]) => {
      const path = [field, name].filter((part) => !NO_FIELD.test(part));
      return describeFields(value, path.join('.'));
    });
  }
  // A field without a message is not an invalid one.
  if (error === null || error === '') return [];
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return [joinField(field, text)];
}

/** Describes one problem of a list as `field: message`; undefined if it has no message. */
function describeEntry(entry: JsonObject, path: string): string | undefined {
  const text = findOwnText(entry);
  return text && joinField(findFieldName(entry) ?? path, text);
}

function joinField(field: string, text: string): string {
  return shorten(field === '' ? text : `${field}: ${text}`);
}

function findFieldName(entry: JsonObject): string | undefined {
  const paths = FIELD_NAMES.flatMap((name) => writePath(entry[name]) ?? []);
  // The name of an exception is no field.
  return paths.find((path) => !EXCEPTION.test(path));
}

/** Writes a path as it is, or of a list of steps: `items[0].planId`. */
function writePath(value: unknown): string | undefined {
  if (isObject(value)) return writePath(value['pointer'] ?? value['parameter']);
  if (!Array.isArray(value)) return findText(value);

  // FastAPI says first where the field was.
  const steps = value[0] === 'body' ? value.slice(1) : value;
  const path = steps.map((step) => {
    const key = isObject(step) ? step['key'] : step;
    return typeof key === 'number' ? `[${key}]` : `.${String(key)}`;
  });
  return asText(path.join('').replace(/^\./, ''));
}

function shorten(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
