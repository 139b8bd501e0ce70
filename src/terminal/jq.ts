import type { Jq } from 'jq-wasm/inline';
import { type Env, SIGN_IN_VARIABLES } from '../environment.ts';
import { CliError } from '../errors.ts';
import { followPath, parsePath } from '../json/path.ts';
import { lazy } from '../lazy.ts';
import { once } from '../once.ts';
import type { Io } from './io.ts';
import { formatJson, safeText } from './safe-text.ts';

/** Filters JSON text. Each output ends with a newline. Throws CliError `unexpected`. */
export type Filter = (json: string) => Promise<string>;

const COMPILE_ERROR_EXIT_CODE = 3;

/** `--` makes `-h` a filter. */
const FLAGS = ['-c', '--'];

type FilterIo = Pick<Io, 'out' | 'err' | 'withDefaultSignals'>;

/**
 * Makes a filter. A plain path such as `.user.email` needs no engine, which takes longer to load
 * than a request.
 * @param env what `env` and `$ENV` have, without the variables that sign in
 * @throws CliError `usage` with the message of jq if it does not compile
 */
export async function compileFilter(filter: string, io: FilterIo, env: Env): Promise<Filter> {
  const names = parsePath(filter);
  if (names === undefined) return compileWithJq(filter, io, env);

  const loadEngine = once(() => compileWithJq(filter, io, env));
  return async (json) => {
    const found = io.withDefaultSignals(() => followPath(json, names));
    if (found === undefined) return (await loadEngine())(json);
    if (found.kind === 'value') return formatOutput(found.text, io);
    throw filterError(`Cannot index ${found.type} with string ("${found.name}")`);
  };
}

async function compileWithJq(filter: string, io: FilterIo, env: Env): Promise<Filter> {
  const loadJq = await lazy.jq();
  const jq = await loadJq();
  // An empty input only compiles the filter.
  const { exitCode, stderr } = run(jq, '', filter);
  if (exitCode === COMPILE_ERROR_EXIT_CODE) throw compileError(stderr, filter);
  const whole = `${createPrelude(filter, env)}${filter}`;

  return async (json) => {
    // A filter may run forever and blocks the event loop.
    const { exitCode, stdout, stderr } = io.withDefaultSignals(() => run(jq, json, whole));
    if (exitCode !== 0) throw filterError(findReason(stderr));
    // `debug` and `stderr` in the filter print there.
    if (stderr !== '') await io.err.write(`${safeText(stderr)}\n`);
    const outputs = stdout === '' ? [] : stdout.split('\n');
    return outputs.map((output) => formatOutput(output, io)).join('');
  };
}

/** Definitions for local time, which is UTC in all that svc prints: jq has no name for its zone. */
const TIME_IN_UTC =
  'def svc_strftime($f): strftime($f); ' +
  'def strftime($f): svc_strftime(if ($f | type) == "string" ' +
  'then $f | split("%%") | map(split("%Z") | join("UTC")) | join("%%") else $f end); ' +
  'def localtime: gmtime; ' +
  'def strflocaltime($f): (if type == "number" then gmtime else . end) | strftime($f); ';

/** Returns definitions that stand before a filter, on its line: only those that it may use. */
function createPrelude(filter: string, env: Env): string {
  const time = /strf|localtime/.test(filter) ? TIME_IN_UTC : '';
  if (!/\b(?:env|ENV)\b/.test(filter)) return time;
  // jq in WebAssembly has an environment of its own, which is nobody's.
  const signIn: readonly string[] = SIGN_IN_VARIABLES;
  const entries = Object.entries(env).filter(([name]) => !signIn.includes(name));
  return `${JSON.stringify(Object.fromEntries(entries))} as $ENV | def env: $ENV; ${time}`;
}

function filterError(reason: string): CliError {
  return new CliError('unexpected', `The --jq filter failed on the answer: ${reason}`);
}

/** Formats an output for a terminal, where tabs stay for `@tsv`; elsewhere strings are raw. */
function formatOutput(output: string, { out: { isTty } }: FilterIo): string {
  if (!output.startsWith('"')) return `${formatJson(output, { indent: isTty })}\n`;
  const text: string = JSON.parse(output);
  const shown = isTty ? safeText(text) : text;
  return `${shown}\n`;
}

function run(jq: Jq, json: string, filter: string): ReturnType<Jq['raw']> {
  const { error } = console;
  // Out of memory, jq prints "Aborted()" beside the error that it throws.
  console.error = () => undefined;
  try {
    return jq.raw(json, filter, FLAGS);
  } catch (cause) {
    throw new CliError(
      'unexpected',
      'The answer and the --jq filter need more memory than the built-in jq has.',
      {
        hint: 'Use --json, and pipe it to the jq of this machine.',
        cause,
      },
    );
  } finally {
    console.error = error;
  }
}

function compileError(stderr: string, filter: string): CliError {
  const [first = '', ...lines] = stderr
    .split('\n')
    .filter((line) => !/^jq: \d+ compile errors?$/.test(line));
  const reason = findReason(first).replace(/:$/, '.');
  const isQuoted = filter.startsWith("'");
  const isPath = /^[a-z_]\w*(?:\.\w+){0,20}$/i.test(filter);
  return new CliError('usage', `The --jq filter does not compile: ${reason}`, {
    lines,
    meant: isPath ? { text: filter, value: `.${filter}` } : undefined,
    hint: isQuoted
      ? 'cmd keeps single quotes: put the filter in double quotes.'
      : 'Print the whole answer with --jq . first.',
  });
}

function findReason(stderr: string): string {
  return stderr.replace(/^jq: (parse )?error:? ?(\(at [^)]*\): ?)?/, '') || 'it gave no reason';
}
