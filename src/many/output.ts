import type { Context } from '../command/context.ts';
import { formatJson } from '../terminal/json-text.ts';
import { lineOf, type Outcome } from './item.ts';

/** Prints each outcome as it comes, in the order of completion. Rejects if nobody reads any more. */
export type Print = (outcome: Outcome) => Promise<void>;

const COLUMNS = ['index', 'item', 'exitCode', 'code', 'error', 'attempts', 'ms', 'answer'] as const;

/** Compiles the `--jq` filter before anything is sent. Throws a usage error. */
export async function createPrinter(context: Context, { csv }: { readonly csv: boolean }): Promise<Print> {
  const { io, settings } = context;
  const { json, jq } = settings.globals;
  if (csv) return printCsv(context);
  if (!json) return async () => undefined;
  if (jq === undefined) return (outcome) => io.out.write(textOf(outcome, context));
  const { compileFilter } = await import('../terminal/jq.ts');
  const filter = await compileFilter(jq, io);
  return async (outcome) => {
    const text = await filter(textOf(outcome, context));
    if (text !== '') await io.out.write(text);
  };
}

async function printCsv(context: Context): Promise<Print> {
  const { csvLine } = await import('../terminal/csv.ts');
  const write = (row: readonly unknown[]) => context.io.out.write(csvLine(row));
  await write(COLUMNS);
  return (outcome) => {
    const line = { ...lineOf(outcome, context), answer: answerOf(outcome) } as Record<string, unknown>;
    const error = outcome.error?.message;
    return write(COLUMNS.map((name) => (name === 'error' ? error : line[name])));
  };
}

/** A line of JSON. The answer stays as the service wrote it, apart from its line breaks. */
function textOf(outcome: Outcome, context: Context): string {
  const { error, attempts, ms, ...head } = lineOf(outcome, context);
  const answer = answerOf(outcome);
  const start = JSON.stringify({ ...head, ...(error && { error }) }).slice(0, -1);
  const middle = answer === undefined ? '' : `,"answer":${answer}`;
  return `${formatJson(`${start}${middle},"attempts":${attempts},"ms":${ms}}`)}\n`;
}

/** The answer on one line: in JSON, line breaks stand between tokens only. */
function answerOf({ result }: Outcome): string | undefined {
  return result?.json?.trim().replaceAll(/[\r\n]+[ \t]*/g, '');
}
