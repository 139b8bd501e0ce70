import { resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { parseFields } from '../../command/parse/key-value.ts';
import { usageError } from '../../errors.ts';
import { rawTextOf } from '../../spec/raw-json.ts';
import { readJson } from '../../spec/read-json.ts';
import { readUpTo } from '../../store/named-file.ts';
import { explain } from '../../store/problem.ts';

/** Where the content of a request comes from. */
export interface BodySources {
  readonly field: readonly string[];
  /** A file, or `-` for stdin. */
  readonly input: string | undefined;
  /** Whether a header says what the content is; otherwise it must be JSON. */
  readonly hasContentType: boolean;
}

/** The content of a request: a body, or what a request without one carries in its query. */
export interface Content {
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: unknown;
}

const LARGEST_INPUT_BYTES = 32 * 1024 * 1024;

/** Whether a method puts its fields into the query, because it has no body. */
function hasNoBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The content of a request. Throws a usage error for sources that do not go together and content that is not JSON. */
export async function readContent(context: Context, method: string, sources: BodySources): Promise<Content> {
  const { field, input } = sources;
  if (input !== undefined && field.length > 0) {
    throw usageError('--input is the whole body, so it does not go with --field.', 'one of the two');
  }
  if (hasNoBody(method)) {
    if (input !== undefined) throw usageError(`A ${method} request has no body for --input.`, 'another method with -X');
    return { query: Object.entries(parseFields(field, '--field', { raw: true })).map(queryPair), body: undefined };
  }
  if (input !== undefined) return { query: [], body: await readInput(context, input, sources.hasContentType) };
  return {
    query: [],
    body: field.length === 0 ? undefined : parseFields(field, '--field', { nested: true, raw: true }),
  };
}

function queryPair([name, value]: readonly [string, unknown]): readonly [string, string] {
  return [name, rawTextOf(value) ?? String(value)];
}

async function readInput(
  { io, system: { cwd, signal } }: Context,
  input: string,
  hasContentType: boolean,
): Promise<Buffer> {
  const bytes = input === '-' ? await io.readInput(LARGEST_INPUT_BYTES) : await readWhole(resolve(cwd, input), signal);
  if (hasContentType) return bytes;
  const name = input === '-' ? 'Standard input' : input;
  const text = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
  readJson(text, name, { hint: "-H 'Content-Type: …', if it is meant to be something else" });
  return bytes;
}

async function readWhole(path: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const bytes = await readUpTo(path, LARGEST_INPUT_BYTES, signal);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    throw usageError(`Cannot read ${path}: ${explain(error)}.`);
  }
  throw usageError(`${path} holds more than ${LARGEST_INPUT_BYTES} bytes.`);
}
