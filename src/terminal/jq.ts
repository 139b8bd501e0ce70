import type { Jq } from 'jq-wasm/inline';
import { CliError } from '../errors.ts';
import { lazy } from '../lazy.ts';
import type { Io } from './io.ts';
import { formatJson } from './json-text.ts';
import { safeText } from './safe-text.ts';

/** Filters JSON text with jq; each output is on lines of its own, strings raw. Throws CliError `unexpected`. */
export type Filter = (json: string) => Promise<string>;

/** jq's exit code for a filter that does not compile. */
const NOT_COMPILED = 3;

/** Without options of its own, so that a filter such as `-h` is a filter; one output a line, so that each can be read. */
const FLAGS = ['-c', '--'];

/**
 * Compiles a jq filter, before anything is sent.
 * @throws CliError `usage` in jq's words where it is no filter.
 */
export async function compileFilter(filter: string, io: Pick<Io, 'out' | 'err' | 'unguarded'>): Promise<Filter> {
  const { out, err } = io;
  const loadJq = await lazy.jq();
  const jq = await loadJq();
  // Without an input, a filter is compiled and never run.
  const { exitCode, stderr } = run(jq, '', filter);
  if (exitCode === NOT_COMPILED) throw notAFilter(stderr);
  return async (json) => {
    // A filter may run forever, and nothing else runs beside it.
    const { exitCode, stdout, stderr } = io.unguarded(() => run(jq, json, filter));
    if (exitCode !== 0) throw new CliError('unexpected', `The --jq filter failed on the answer: ${wordsOf(stderr)}`);
    // What `debug` and `stderr` of the filter say.
    if (stderr !== '') await err.write(`${safeText(stderr)}\n`);
    const outputs = stdout === '' ? [] : stdout.split('\n');
    return outputs.map((output) => `${out.isTty ? forTerminal(output) : forPipe(output)}\n`).join('');
  };
}

function run(jq: Jq, json: string, filter: string): ReturnType<Jq['raw']> {
  try {
    return quietly(() => jq.raw(json, filter, FLAGS));
  } catch (cause) {
    throw new CliError('unexpected', 'The answer and the --jq filter need more memory than the built-in jq has.', {
      hint: 'the same command with --json, and a jq of this machine behind it',
      cause,
    });
  }
}

/** When the memory of the built-in jq ends, it says "Aborted()" on the console; the error that it throws is enough. */
function quietly<T>(work: () => T): T {
  const { error } = console;
  console.error = () => undefined;
  try {
    return work();
  } finally {
    console.error = error;
  }
}

const PRINTABLE = /^[\x20-\x7e]*$/;

/** An output of jq as a script wants it: strings raw to the byte, anything else one line of JSON. */
function forPipe(output: string): string {
  if (output.startsWith('"')) return JSON.parse(output);
  return PRINTABLE.test(output) ? output : formatJson(output);
}

/** The same for a person: laid out, and nothing in it drives the terminal. Tabs stay, because `@tsv` makes them. */
function forTerminal(output: string): string {
  if (!output.startsWith('"')) return formatJson(output, { indent: true });
  const text: string = JSON.parse(output);
  return text.split('\t').map(safeText).join('\t');
}

function notAFilter(stderr: string): CliError {
  const [first = '', ...lines] = stderr.split('\n').filter((line) => !/^jq: \d+ compile errors?$/.test(line));
  return new CliError('usage', `The --jq filter does not compile: ${wordsOf(first).replace(/:$/, '.')}`, {
    lines,
    hint: 'the same command with --jq ., which prints the whole answer',
  });
}

function wordsOf(stderr: string): string {
  return stderr.replace(/^jq: (parse )?error:? ?(\(at [^)]*\): ?)?/, '') || 'it gave no reason';
}
