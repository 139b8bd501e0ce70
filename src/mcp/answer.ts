import { createContext, Script } from 'node:vm';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { hideIn } from '../api/redact.ts';
import type { Context, InsideRun } from '../cli/define/context.ts';
import { toErrorObject } from '../cli/define/report.ts';
import { CliError, usageError } from '../errors.ts';
import {
  asArray,
  asObject,
  findField,
  isObject,
  type JsonObject,
  parseJson,
} from '../json/values.ts';
import { compileFilter, type Filter } from '../terminal/jq.ts';
import { maskJson, maskText } from '../terminal/mask.ts';
import { escapeJson, safeText } from '../terminal/safe-text.ts';
import { nextOf, type Serving, type Tool } from './tools.ts';

/** A longer answer would crowd out everything else that the model has read. */
const MAX_BYTES = 64 * 1024;

const FILTER_MS = 5_000;

/** An error is read whole before the next call. */
const MAX_ERROR_BYTES = 1_200;

/**
 * Masks and bounds what a command printed. The filter sees the masked answer, so that it cannot
 * pick out a secret.
 */
export async function answerOf(
  run: InsideRun,
  filter: Filter | undefined,
  tool: Tool,
  serving: Serving,
) {
  const printed = maskedJson(run);
  const error = run.exitCode === 0 ? undefined : lastError(run);
  // A document of svc has a verdict of its own: a move that is not complete yet is an answer, not
  // an error.
  const code = error?.['code'];
  const isVerdict =
    printed !== undefined && tool.isOwnAnswer && (code === 'failed' || code === 'still_running');
  if (error !== undefined && !isVerdict) return failed(error, serving, printed);
  if (printed === undefined) return resultOf(['Done.']);
  const isWhole = filter === undefined && isObject(parseJson(printed));
  const text = isWhole
    ? printed
    : `{"result":${filter === undefined ? printed : await filter(printed)}}`;
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES) throw tooLong(size);
  return resultOf([text, ...warningsIn(run)], text);
}

/** The error object of `--json`, with `isError`. */
export function toolError(error: CliError, serving: Serving): Promise<CallToolResult> {
  return failed(toErrorObject(error), serving);
}

/**
 * Its next command lines are calls of tools where an agent can make them. Leaves out what would
 * make it long.
 */
async function failed(
  given: JsonObject,
  serving: Serving,
  printed = 'null',
): Promise<CallToolResult> {
  const lines = asArray(given['next']).map(String);
  const next = await Promise.all(lines.map((line) => nextOf(line, given['nextBy'], serving)));
  // A hint that is the command line itself says no more than `next`.
  const hint = lines.includes(String(given['hint'])) ? undefined : given['hint'];
  const error = { ...given, hint, next: next.length > 0 ? next : undefined };
  const { error: said = '', next: _next, nextKind: _kind, ...rest }: JsonObject = error;
  const what = typeof said === 'string' ? said : JSON.stringify(said);
  const short = { error: what.slice(0, MAX_ERROR_BYTES / 2), ...rest };
  const answer = parseJson(printed) ?? undefined;
  const texts = [{ ...error, answer }, error, short].map((one) => escapeJson(JSON.stringify(one)));
  const text = texts.find((one) => Buffer.byteLength(one) <= MAX_ERROR_BYTES) ?? texts.at(-1) ?? '';
  return { isError: true, ...resultOf([text], text) };
}

/** @param json what a program reads, which is the first text */
function resultOf(texts: readonly string[], json?: string): CallToolResult {
  const content = texts.map((text) => ({ type: 'text' as const, text }));
  return json === undefined
    ? { content }
    : { content, structuredContent: asObject(hideIn(JSON.parse(json), safeText)) };
}

/** A warning may quote what strangers wrote. */
function warningsIn({ stderr }: InsideRun): readonly string[] {
  const warnings = stderr.split('\n').map((line) => findField(parseJson(line), 'warning'));
  return warnings.flatMap((one) => (one === undefined ? [] : [safeText(maskText(String(one)))]));
}

/** Several lines become a list. Undefined if nothing was printed. */
function maskedJson({ stdout, conceal }: InsideRun): string | undefined {
  const text = stdout.trim();
  if (text === '') return undefined;
  const json = parseJson(text) === undefined ? `[${text.split('\n').join(',')}]` : text;
  if (parseJson(json) === undefined) throw tooLong(Buffer.byteLength(text));
  const masked = escapeJson(maskJson(json));
  return conceal(masked) === masked
    ? masked
    : escapeJson(JSON.stringify(hideIn(JSON.parse(masked), conceal)));
}

/** The error object is the last line of stderr; svc has masked and redacted it. */
function lastError({ stderr, exitCode }: InsideRun): JsonObject {
  const error = parseJson(stderr.trimEnd().split('\n').at(-1) ?? '');
  if (!isObject(error))
    return { error: 'svc failed without a reason.', code: 'unexpected', exitCode };
  const masked: unknown = JSON.parse(maskJson(JSON.stringify(error)));
  return isObject(masked) ? masked : error;
}

/**
 * The filter may run for so many milliseconds. Throws a usage error, so that nothing is sent for a
 * mistake in it.
 */
export async function prepareFilter(
  jq: string,
  io: Pick<Context['io'], 'out' | 'err'>,
  mostMs = FILTER_MS,
): Promise<Filter> {
  const withDefaultSignals = <T>(work: () => T) => withinTime(mostMs, work);
  // A list holds every output of the filter; the line break ends a comment.
  const streams = {
    out: { ...io.out, isTty: false },
    err: io.err,
    withDefaultSignals,
  };
  // An agent gets none of the variables of the person: they may be secrets.
  const filter = await compileFilter(`[${jq}\n]`, streams, {});
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

function tooLong(bytes: number): CliError {
  return usageError(
    `The answer has ${Math.ceil(bytes / 1024)} KiB, and at most ${MAX_BYTES / 1024} KiB are handed over.`,
    'Call the tool again with jq, which picks a part: keys, .[0:20], .records[0:20]',
  );
}
