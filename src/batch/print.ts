import { hideIn } from '../api/redact.ts';
import { type BatchView, ONE, rowColumns } from '../cli/define/batch.ts';
import type { Needs } from '../cli/define/context.ts';
import { toErrorObject } from '../cli/define/report.ts';
import { askedTable } from '../cli/values/read-values.ts';
import type { LineOf } from '../contract/fields/documents.ts';
import { type ErrorCode, usageError } from '../errors.ts';
import { readTableForm, toCsv, withColumns } from '../terminal/csv.ts';
import { formatJson } from '../terminal/safe-text.ts';
import { plainOf, state, type Text } from '../terminal/screen.ts';
import type { Outcome } from './item.ts';
import type { BatchLine } from './list.ts';

/** See {@link createPrinter}. */
export type Printer = Awaited<ReturnType<typeof createPrinter>>;

/** Errors that rows say as well. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['alert', 'still_running']);
/** With more, people see the ending only. */
const MAX_PREVIEWS = 10;

/**
 * Prints outcomes as lines of JSON, as rows of CSV, or together at the end. Throws a usage error,
 * such as for a `--jq` filter that does not compile. What it returns rejects if nobody reads any
 * more.
 */
export async function createPrinter(
  { batch, texts }: BatchLine,
  { io, globals }: Needs<'io' | 'globals'>,
  view: BatchView<unknown>,
  count: number,
) {
  const { json, jq } = globals;
  const asked = askedTable(texts);
  const { head, rowsOf } = view.csv;
  const form = asked === undefined ? undefined : readTableForm(asked, texts, head, json);
  // Rows come one after the other, so nobody knows how wide a column will be.
  if (form?.csv === false)
    throw usageError('With several, --columns and --no-header are for --csv.', 'Add --csv.');
  const filter =
    jq === undefined ? undefined : await (await import('../terminal/jq.ts')).compileFilter(jq, io);
  const writeRows = async (rows: Iterable<readonly unknown[]>, header = false) => {
    if (form === undefined) return;
    for (const piece of toCsv(withColumns({ head, rows }, form), header)) await io.out.write(piece);
  };
  const writeJson = async (line: string) => {
    const text = filter === undefined ? line : await filter(line);
    if (text !== '') await io.out.write(text, filter === undefined ? 'json' : 'raw');
  };
  return {
    /** Whether stdout is for another program: nothing but the outcomes is printed there. */
    isData: form !== undefined,
    begin: () => writeRows([], form?.header),
    async print(outcome: Outcome): Promise<void> {
      const { item, result, error } = outcome;
      view.add(item, result?.value, error);
      if (json) return writeJson(jsonLine(outcome, io.redactor.redact));
      const preview = texts.has('dryRun') && count <= MAX_PREVIEWS ? result?.show : undefined;
      if (preview !== undefined)
        await io.show((screen) => preview({ ...screen, next: () => undefined }));
      await writeRows(rowsOf(result?.value, item, error));
      // Rows of its own have no place for it.
      const isUnsaid =
        form !== undefined &&
        batch.gather !== undefined &&
        error !== undefined &&
        !TOLD.has(error.code);
      if (isUnsaid) await io.warn(`${item.id}: ${error.message}`, error.code);
    },
    async end(): Promise<void> {
      await view.end?.();
      if (form === undefined) await io.show((screen) => view.show(screen));
    },
  };
}

/** A table with a row for each item, which begins with its id and how it ended. */
export function rowTable({
  of,
  row = { head: [], of: () => [] },
}: BatchLine['batch']): BatchView<unknown> {
  const rows: (readonly (Text | undefined)[])[] = [];
  const cellsOf = (value: unknown) =>
    value === undefined ? row.head.map(() => '') : row.of(value);
  return {
    csv: {
      head: rowColumns(row.head, of),
      rowsOf: (value, { id }, error) => [
        [
          id,
          error?.exitCode ?? 0,
          error?.code,
          error?.message,
          ...cellsOf(value).map((cell) => cell && plainOf(cell)),
        ],
      ],
    },
    add({ index, id }, value, error) {
      rows[index] = value === undefined ? [id, state(error?.code ?? '')] : [id, ...row.of(value)];
    },
    show(screen) {
      const shown = rows.filter((cells) => cells !== undefined);
      if (shown.length === 0 || row.head.length === 0) return;
      screen.table({ head: [{ name: ONE[of], whole: true }, ...row.head], rows: shown });
      screen.line();
    },
  };
}

/**
 * The answer stays as the API wrote it, apart from its line breaks: in JSON they stand between
 * tokens only.
 */
function jsonLine(
  { item, result, error, warnings, attempts, ms }: Outcome,
  redact: (text: string) => string,
): string {
  const warned = warnings.map(
    ({ text, code }): LineOf<'warning'> => ({ warning: redact(plainOf(text)), code }),
  );
  const head = {
    index: item.index,
    item: item.given,
    exitCode: error?.exitCode ?? 0,
    code: error?.code ?? null,
    ...(warned.length > 0 && { warnings: warned }),
    ...(error !== undefined && { error: hideIn(toErrorObject(error), redact) as object }),
  } satisfies Omit<LineOf<'several'>, 'attempts' | 'ms'>;
  const answer = result?.json?.trim().replaceAll(/[\r\n]+[ \t]*/g, '');
  const middle = answer === undefined ? '' : `,"answer":${answer}`;
  return `${formatJson(`${JSON.stringify(head).slice(0, -1)}${middle},"attempts":${attempts},"ms":${ms}}`)}\n`;
}
