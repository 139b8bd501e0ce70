import { asText, isObject, type JsonObject } from '../json/values.ts';

/**
 * The platform's own words: the Error object unchanged, its text, and a line `field: message` for
 * each field.
 */
export interface ServiceWords {
  readonly object: JsonObject | undefined;
  readonly text: string | undefined;
  readonly lines: readonly string[];
}

const MAX_TEXT_LENGTH = 1_000;
const MAX_LINES = 50;

/**
 * Reads `error`, a text or field errors, or what frameworks answer in its place: `{code, message}`,
 * lists of problems with a path, RFC 9457.
 */
export function readErrorObject(object: JsonObject | undefined): ServiceWords {
  const { text, lines } = readProblem(object ?? {});
  return { object, text: shorten(text), lines: lines.slice(0, MAX_LINES) };
}

/** Reads a body that is a list of problems. */
export function readErrorList(list: readonly unknown[]): ServiceWords {
  return { ...readErrorObject({ errors: list }), object: undefined };
}

/**
 * Reads a body that has no part with a known name as a map of fields, each with its messages, as
 * some frameworks answer.
 */
export function readFieldMap(object: JsonObject): ServiceWords {
  const isMessages = (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.every((text) => textOf(text) !== undefined);
  const fields = Object.entries(object).filter(([, value]) => isMessages(value));
  const lines = describeFields(Object.fromEntries(fields));
  return { object, text: undefined, lines: lines.slice(0, MAX_LINES) };
}

type Words = Pick<ServiceWords, 'text' | 'lines'>;

/** The names of the text of a problem. */
const TEXT_NAMES = ['message', 'msg', 'error_description', 'errorMessage', 'description', 'reason'];

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

/** The parts of a body that say more than its text, in any form, as `error` does. */
const PART_NAMES = ['errors', 'message'];

/** The same in frameworks, where only lists of problems count. */
const LIST_NAMES = [
  'detail',
  'details',
  'issues',
  'violations',
  'fieldViolations',
  'invalid-params',
  'invalidParams',
];

function readProblem(object: JsonObject): Words {
  const { error } = object;
  const parts = [error, ...PART_NAMES.map((name) => object[name]), ...findLists(object)];
  const read = parts.filter(isNested).map(readPart);

  const own = getText(object);
  const text = isBareWord(error) ? (own ?? textOf(error)) : (textOf(error) ?? own);
  const inner = read.map((part) => part.text).find((one) => one !== undefined);
  const lines = read.map((part) => part.lines).find((list) => list.length > 0) ?? [];
  return {
    text: (isNested(error) ? inner : undefined) ?? text ?? inner ?? textOf(object['errors']),
    lines,
  };
}

/** Reads a list of problems, one problem, or a map of fields. */
function readPart(value: unknown): Words {
  if (!isObject(value) || !isProblem(value))
    return { text: undefined, lines: describeFields(value) };

  const words = readProblem(value);
  const line = words.lines.length === 0 ? describeEntry(value, '') : undefined;
  const isAboutField = getFieldName(value) !== undefined;
  return line !== undefined && isAboutField ? { text: undefined, lines: [line] } : words;
}

/** Finds lists of texts or problems under the names of frameworks, and a problem there. */
function findLists(object: JsonObject): readonly unknown[] {
  return LIST_NAMES.flatMap((name) => {
    const value = object[name];
    if (isObject(value) && isProblem(value)) return [value];
    const entries = Array.isArray(value) ? value.flatMap(findEntries) : [];
    return entries.length === 0 ? [] : [entries];
  });
}

/** Finds the problems of an element of a list, which may wrap a list of its own. */
function findEntries(item: unknown): readonly unknown[] {
  if (textOf(item) !== undefined) return [item];
  if (!isObject(item)) return [];
  return getText(item) === undefined ? findLists(item).flat() : [item];
}

/**
 * Whether an object is one problem, and not a map of invalid fields: it has a text, and a name that
 * no field of an order has.
 */
function isProblem(object: JsonObject): boolean {
  const names = Object.keys(object);
  const isAlone = names.length === 1 && /^(?:message|msg|detail)$/.test(names[0] ?? '');
  return getText(object) !== undefined && (isAlone || names.some((name) => MACHINE.test(name)));
}

const MACHINE =
  /^(?:code|errorCode|status|statusCode|type|title|errors|details|issues|instance|requestId|request_id|traceId|field|path|loc|pointer|param)$/;

function isNested(value: unknown): boolean {
  return isObject(value) || Array.isArray(value);
}

/** Whether an error is a word for programs, or repeats its status: `invalid_plan`, `Bad Request`. */
function isBareWord(error: unknown): boolean {
  const text = textOf(error) ?? '';
  if (/^(?:[a-z]\w*|[A-Z_]+)$/.test(text)) return true;
  return text !== '' && text.split(' ').every((word) => /^[A-Z][a-z-]+$/.test(word));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? asText(value.trim()) : undefined;
}

function getText(object: JsonObject): string | undefined {
  const text = TEXT_NAMES.map((name) => textOf(object[name])).find((one) => one !== undefined);
  return text ?? getProblemText(object);
}

/** Joins what RFC 9457 divides. */
function getProblemText(object: JsonObject): string | undefined {
  const title = textOf(object['title']);
  const detail = textOf(object['detail']);
  if (title === undefined || detail === undefined) return detail ?? title;

  const colon = /[.:;?!]$/.test(title) ? '' : ':';
  return `${title}${colon} ${detail}`;
}

function describeFields(error: unknown, field = ''): string[] {
  if (Array.isArray(error)) {
    return error.flatMap((item, index) => {
      if (!isObject(item)) return describeFields(item, field);
      return describeEntry(item, field) ?? describeFields(item, `${field}[${index}]`);
    });
  }
  if (isObject(error)) {
    return Object.entries(error).flatMap(([name, value]) =>
      describeFields(value, field === '' ? name : `${field}.${name}`),
    );
  }
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return [shorten(field === '' ? text : `${field}: ${text}`) ?? ''];
}

/** Describes one problem of a list as `field: message`; undefined if it has no message. */
function describeEntry(entry: JsonObject, path: string): string | undefined {
  const text = getText(entry);
  if (text === undefined) return undefined;
  const about = getFieldName(entry) ?? path;
  return shorten(about === '' ? text : `${about}: ${text}`);
}

function getFieldName(entry: JsonObject): string | undefined {
  const paths = FIELD_NAMES.map((name) => writePath(entry[name]));
  // The name of an exception is no field.
  return paths.find((path) => path !== undefined && !/(?:Error|Exception)$/.test(path));
}

/** Writes a path as it is, or of a list of steps: `items[0].planId`. */
function writePath(value: unknown): string | undefined {
  if (isObject(value)) return writePath(value['pointer'] ?? value['parameter']);
  if (!Array.isArray(value)) return textOf(value);

  // FastAPI says first where the field was.
  const steps = value[0] === 'body' ? value.slice(1) : value;
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return asText(path.join('').replace(/^\./, ''));
}

function shorten(text: string): string;
function shorten(text: string | undefined): string | undefined;
function shorten(text: string | undefined): string | undefined {
  return text !== undefined && text.length > MAX_TEXT_LENGTH
    ? `${text.slice(0, MAX_TEXT_LENGTH)}…`
    : text;
}
