import { createContext, Script } from 'node:vm';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { CliError, toErrorObject, usageError } from '../errors.ts';
import { isObject, type JsonObject, parseJson } from '../json/values.ts';
import type { Context, InsideRun } from '../kit/context.ts';
import { hideIn } from '../service/redact.ts';
import { compileFilter, type Filter } from '../terminal/jq.ts';
import { escapeJson } from '../terminal/json-text.ts';
import { maskJson } from '../terminal/mask.ts';
import { safeText } from '../terminal/safe-text.ts';

/** Bytes of an answer; a longer one would crowd out everything else that the model has read. */
const MAX_BYTES = 64 * 1024;

const FILTER_MS = 5_000;

/**
 * Turns what a command printed into the answer of its tool: masked, without invisible characters, and bounded. The
 * filter sees the masked answer, so that it cannot pick out a secret.
 */
export async function answerOf(run: InsideRun, filter: Filter | undefined): Promise<CallToolResult> {
  const printed = maskedJson(run);
  if (run.exitCode !== 0) return failed(lastError(run), printed);
  try {
    const text = filter === undefined || printed === undefined ? printed : await filter(printed);
    if (text === undefined) return { content: [{ type: 'text', text: 'Done.' }] };
    const size = Buffer.byteLength(text);
    if (size > MAX_BYTES) throw tooLong(size);
    return { content: [{ type: 'text', text }], structuredContent: asStructure(text) };
  } catch (error) {
    if (error instanceof CliError) return toolError(error);
    throw error;
  }
}

/** Returns the answer to a call that failed: the error object of `--json`, with `isError`. */
export function toolError(error: CliError): CallToolResult {
  return failed(toErrorObject(error), undefined);
}

function failed(error: JsonObject, printed: string | undefined): CallToolResult {
  const answer = printed !== undefined && Buffer.byteLength(printed) <= MAX_BYTES ? parseJson(printed) : undefined;
  const text = escapeJson(JSON.stringify(answer === undefined ? error : { ...error, answer }));
  return { isError: true, content: [{ type: 'text', text }], structuredContent: asStructure(text) };
}

/** The JSON of a run; several lines become a list. Undefined if it printed nothing. */
function maskedJson({ stdout, conceal }: InsideRun): string | undefined {
  const text = stdout.trim();
  if (text === '') return undefined;
  const json = parseJson(text) === undefined ? `[${text.split('\n').join(',')}]` : text;
  if (parseJson(json) === undefined) throw tooLong(Buffer.byteLength(text));
  const masked = escapeJson(maskJson(json));
  return conceal(masked) === masked ? masked : escapeJson(JSON.stringify(hideIn(JSON.parse(masked), conceal)));
}

/** The error object is the last line of stderr; svc has masked and redacted it. */
function lastError({ stderr, exitCode }: InsideRun): JsonObject {
  const error = parseJson(stderr.trimEnd().split('\n').at(-1) ?? '');
  if (!isObject(error)) return { error: 'svc failed without a reason.', code: 'unexpected', exitCode };
  // Tools always run with --json; leave it out of what people read.
  const next = Array.isArray(error['next'])
    ? error['next'].map((line) => String(line).replace('svc --json ', 'svc '))
    : undefined;
  const masked: unknown = JSON.parse(maskJson(JSON.stringify({ ...error, ...(next && { next }) })));
  return isObject(masked) ? masked : error;
}

/**
 * Compiles a filter, which may then run for so many milliseconds. Throws CliError `usage`, so that nothing is sent for a
 * mistake in it.
 */
export async function prepareFilter(
  jq: string,
  io: Pick<Context['io'], 'out' | 'err'>,
  mostMs = FILTER_MS,
): Promise<Filter> {
  const unguarded = <T>(work: () => T) => withinTime(mostMs, work);
  // A list holds every output of the filter; the line break ends a comment.
  const filter = await compileFilter(`[${jq}\n]`, { out: { ...io.out, isTty: false }, err: io.err, unguarded });
  return async (json) => {
    const outputs: unknown = parseJson(await filter(json));
    const [first, ...more] = Array.isArray(outputs) ? outputs : [];
    return escapeJson(JSON.stringify(more.length > 0 ? outputs : (first ?? null)));
  };
}

/** Runs work that may never end, as a filter may: an interrupt from outside cannot reach it. */
function withinTime<T>(mostMs: number, work: () => T): T {
  const { error: print } = console;
  try {
    return new Script('work()').runInContext(createContext({ work }), { timeout: mostMs });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`The jq filter did not end within ${mostMs / 1000} seconds.`);
  } finally {
    // A filter that was cut off does not restore it itself.
    console.error = print;
  }
}

function asStructure(text: string): JsonObject {
  const value = hideIn(JSON.parse(text), safeText);
  return isObject(value) ? value : { result: value };
}

function tooLong(bytes: number): CliError {
  return usageError(
    `The answer has ${Math.ceil(bytes / 1024)} KiB, and at most ${MAX_BYTES / 1024} KiB are handed over.`,
    'Call the tool again with its jq argument, which picks a part: keys, .[0:20], .records[0:20]',
  );
}
