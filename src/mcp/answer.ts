import { createContext, Script } from 'node:vm';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { redactIn } from '../api/redact.ts';
import type { Context, InsideRun } from '../cli/define/context.ts';
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
import { type Serving, type Tool, toNextCall, toToolWords } from './tools.ts';

/** A longer answer would crowd out everything else that the model has read. */
const MAX_BYTES = 64 * 1024;

const FILTER_MS = 5_000;

/** An error is read whole before the next call. */
const MAX_ERROR_BYTES = 1_200;

/**
 * Masks and bounds what a command printed. The filter sees the masked answer, so that it cannot
 * pick out a secret.
 */
export async function createToolResult(
  run: InsideRun,
  filter: Filter | undefined,
  tool: Tool,
  serving: Serving,
): Promise<CallToolResult> {
  const printed = maskOutput(run);
  const error = run.exitCode === 0 ? undefined : readLastError(run);
  if (error !== undefined && (printed === undefined || !isAnswer(error, tool))) {
    return createToolError(error, tool, serving, printed);
  }
  if (printed === undefined) return { content: [{ type: 'text', text: 'Done.' }] };

  const text = await applyFilter(printed, filter);
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES) throw tooLong(size);
  const notes = readWarnings(run);
  if (error !== undefined) notes.push(String(error['error']));
  return toToolResult(text, notes.map((note) => toToolWords(note, tool, serving)).filter(Boolean));
}

/**
 * Whether a command that ended with an error has answered all the same: work that goes on, or a
 * document of svc with a verdict of its own, such as a move that is not complete yet.
 */
function isAnswer({ code }: JsonObject, { isOwnAnswer }: Tool) {
  return code === 'still_running' || (isOwnAnswer && code === 'failed');
}

/** A structure is an object, so everything else stands in its `result`. */
async function applyFilter(printed: string, filter: Filter | undefined) {
  if (filter !== undefined) return `{"result":${await filter(printed)}}`;
  return isObject(parseJson(printed)) ? printed : `{"result":${printed}}`;
}

/**
 * Creates the answer of an error object of `--json`, in words for tools. Its next command lines are
 * calls where an agent can make them. Leaves out what would make it long.
 */
export async function createToolError(
  error: JsonObject,
  tool: Tool,
  serving: Serving,
  printed = 'null',
): Promise<CallToolResult> {
  const { error: problem, next: lines, nextKind, nextBy, hint = '', ...fields } = error;
  const calls = await Promise.all(
    asArray(lines).map((line) => toNextCall(String(line), nextBy, serving)),
  );
  const inWords = typeof problem === 'string' && toToolWords(problem, tool, serving);
  const whole = inWords || problem;
  const object = {
    error: whole,
    ...fields,
    hint: toToolWords(String(hint), tool, serving) || undefined,
    ...(calls.length > 0 && { next: calls, nextKind }),
    nextBy,
  };
  const answer = parseJson(printed) ?? undefined;
  const text = typeof whole === 'string' ? whole : JSON.stringify(whole);
  const start = text.slice(0, MAX_ERROR_BYTES / 2);
  const short = { ...object, error: start, next: undefined, nextKind: undefined };
  const texts = [{ ...object, answer }, object, short].map((value) =>
    escapeJson(JSON.stringify(value)),
  );
  const json = texts.find((one) => Buffer.byteLength(one) <= MAX_ERROR_BYTES) ?? texts.at(-1) ?? '';
  return { isError: true, ...toToolResult(json) };
}

/** @param json what a program reads, which is the first text */
function toToolResult(json: string, notes: readonly string[] = []) {
  return {
    content: [json, ...notes].map((text) => ({ type: 'text' as const, text })),
    structuredContent: asObject(redactIn(JSON.parse(json), safeText)),
  };
}

/** Reads the warnings, which may quote what strangers wrote. */
function readWarnings({ stderr }: InsideRun) {
  const warnings = stderr.split('\n').map((line) => findField(parseJson(line), 'warning'));
  return warnings.flatMap((text) => (text === undefined ? [] : [safeText(maskText(String(text)))]));
}

/** Masks what was printed, of which several lines become a list; undefined if nothing was. */
function maskOutput({ stdout, conceal }: InsideRun) {
  const text = stdout.trim();
  if (text === '') return undefined;

  const json = parseJson(text) === undefined ? `[${text.split('\n').join(',')}]` : text;
  if (parseJson(json) === undefined) throw tooLong(Buffer.byteLength(text));
  const masked = escapeJson(maskJson(json));
  if (conceal(masked) === masked) return masked;
  return escapeJson(JSON.stringify(redactIn(JSON.parse(masked), conceal)));
}

/** Reads the error object, which is the last line of stderr; svc has masked and redacted it. */
function readLastError({ stderr, exitCode }: InsideRun) {
  const error = parseJson(stderr.trimEnd().split('\n').at(-1) ?? '');
  if (isObject(error)) return asObject(JSON.parse(maskJson(JSON.stringify(error))));
  return { error: 'svc failed without a reason.', code: 'unexpected', exitCode };
}

/**
 * Compiles a filter that may run for so many milliseconds. Throws a usage error, so that nothing is
 * sent for a mistake in it.
 */
export async function prepareFilter(
  jq: string,
  io: Pick<Context['io'], 'out' | 'err'>,
  maxMs = FILTER_MS,
): Promise<Filter> {
  const streams = {
    out: { ...io.out, isTty: false },
    err: io.err,
    withDefaultSignals: <T>(work: () => T) => runWithinTime(maxMs, work),
  };
  // A list holds every output of the filter; the line break ends a comment. An agent gets none of
  // the variables of the person: they may be secrets.
  const filter = await compileFilter(`[${jq}\n]`, streams, {});
  return async (json) => {
    const outputs = asArray(parseJson(await filter(json)));
    const output = outputs.length > 1 ? outputs : (outputs[0] ?? null);
    return escapeJson(JSON.stringify(output));
  };
}

/** Runs work that may never end, as a filter may: an interrupt from outside cannot reach it. */
function runWithinTime<T>(maxMs: number, work: () => T): T {
  const { error: print } = console;
  try {
    return new Script('work()').runInContext(createContext({ work }), { timeout: maxMs });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`The jq filter did not end within ${maxMs / 1000} seconds.`);
  } finally {
    // A filter that was cut off does not restore it itself.
    console.error = print;
  }
}

function tooLong(bytes: number) {
  return usageError(
    `The answer has ${Math.ceil(bytes / 1024)} KiB, and at most ${MAX_BYTES / 1024} KiB are handed over.`,
    'Call the tool again with jq, which picks a part: keys, .[0:20], .records[0:20]',
  );
}
