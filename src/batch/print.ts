import { redactIn } from '../api/redact.ts';
import { getRowColumns, ITEM_WORDS } from '../cli/define/command.ts';
import type { Needs } from '../cli/define/context.ts';
import type { BatchView } from '../cli/define/define.ts';
import { toErrorObject } from '../cli/define/report.ts';
import { findTableOption } from '../cli/values/parameters.ts';
import type { LineOf } from '../contract/fields/documents.ts';
import { usageError } from '../errors.ts';
import { readTableForm, type TableForm, toCsv, withColumns } from '../terminal/csv.ts';
import { formatJson, stringifyDocument } from '../terminal/safe-text.ts';
import { state, type Text, toPlainText } from '../terminal/screen.ts';
import { type BatchEnd, countItems, describeCounts } from './end.ts';
import { type BatchLine, isCheck, type Outcome } from './item.ts';
import type { Run } from './run-parts.ts';

/** The printer of a batch, as {@link createPrinter} makes it. */
export type Printer = Awaited<ReturnType<typeof createPrinter>>;

/** The errors that rows say as well. */
const SAID_BY_ROWS = ['alert', 'still_running'];
/** The most items of which people see each; with more they see the ending only. */
const MAX_PREVIEWS = 10;

/**
 * Prints outcomes as lines of JSON, as rows of CSV, or together at the end. Throws a usage error,
 * such as for a `--jq` filter that does not compile. What it returns rejects if nobody reads any
 * more.
 */
export async function createPrinter(
  line: BatchLine,
  context: Needs<'io' | 'globals' | 'env'>,
  view: BatchView<unknown>,
  count: number,
) {
  const { batch, texts } = line;
  const { io, globals } = context;
  const form = readForm(line, context, view);
  const { jq } = globals;
  const filter =
    jq === undefined
      ? undefined
      : await (await import('../terminal/jq.ts')).compileFilter(jq, io, context.env);
  const writeJson = async (text: string) => {
    if (filter === undefined) return io.out.write(text, 'json');
    const filtered = await filter(text);
    if (filtered !== '') await io.out.write(filtered, 'raw');
  };
  const { head, rowsOf } = view.csv;
  const writeRows = async (rows: Iterable<readonly unknown[]>, hasHeader = false) => {
    if (form === undefined) return;
    const table = withColumns({ head, rows }, form);
    for (const piece of toCsv(table, hasHeader)) await io.out.write(piece);
  };

  return {
    /** Whether stdout is for another program: nothing but the outcomes is printed there. */
    isData: form !== undefined,
    begin: () => writeRows([], form?.header),
    async print(outcome: Outcome): Promise<void> {
      const { item, result, error } = outcome;
      view.add(item, result?.value, error);
      if (globals.json) return writeJson(formatOutcome(outcome, io.redactor.redact));

      const preview = texts.has('dryRun') && count <= MAX_PREVIEWS ? result?.show : undefined;
      if (preview !== undefined) {
        await io.show((screen) => preview({ ...screen, next: () => undefined }));
      }
      await writeRows(rowsOf(result?.value, item, error));
      // The rows of a view of its own have no place for it.
      const hasOwnRows = form !== undefined && batch.gather !== undefined;
      if (!hasOwnRows || error === undefined || SAID_BY_ROWS.includes(error.code)) return;
      await io.warn(`${item.id}: ${error.message}`, error.code);
    },
    async end(): Promise<void> {
      // A quiet check shows what it found, and not all that it looked at.
      const isLeftOut = form !== undefined || (globals.quiet && isCheck(line));
      if (!isLeftOut) await io.show((screen) => view.show(screen));
    },
  };
}

function readForm(
  { texts }: BatchLine,
  { globals }: Needs<'globals'>,
  view: BatchView<unknown>,
): TableForm | undefined {
  const option = findTableOption(texts);
  if (option === undefined) return undefined;
  const form = readTableForm(option, texts, view.csv.head, globals.json);
  if (form.csv) return form;
  // Rows come one after the other, so nobody knows how wide a column will be.
  throw usageError('In a batch, --columns and --no-header are for --csv.', 'Add --csv.');
}

/** Makes a table with a row for each item, which begins with its id and how it ended. */
export function createRowView({
  of,
  row = { head: [], cells: () => [] },
}: BatchLine['batch']): BatchView<unknown> {
  const rows: Array<readonly (Text | undefined)[]> = [];
  const toCells = (value: unknown) =>
    value === undefined ? row.head.map(() => '') : row.cells(value);
  return {
    csv: {
      head: getRowColumns(row.head, of),
      rowsOf(value, { id }, error) {
        const cells = toCells(value).map((cell) => cell && toPlainText(cell));
        return [[id, error?.exitCode ?? 0, error?.code, error?.message, ...cells]];
      },
    },
    add({ index, id }, value, error) {
      if (row.head.length === 0) return;
      rows[index] =
        value === undefined ? [id, state(error?.code ?? '')] : [id, ...row.cells(value)];
    },
    show(screen) {
      const shown = rows.filter((cells) => cells !== undefined);
      if (shown.length === 0 || row.head.length === 0) return;
      screen.table({ head: [{ name: ITEM_WORDS[of], whole: true }, ...row.head], rows: shown });
      screen.line();
    },
  };
}

/**
 * Writes an outcome as a line of JSON. The answer stays as the API wrote it, apart from its line
 * breaks: in JSON they stand between tokens only.
 */
function formatOutcome(outcome: Outcome, redact: (text: string) => string): string {
  const { item, result, error, warnings, attempts, ms } = outcome;
  const warned = warnings.map(
    ({ text, code }): LineOf<'warning'> => ({ warning: redact(toPlainText(text)), code }),
  );
  const head = {
    index: item.index,
    item: item.given,
    exitCode: error?.exitCode ?? 0,
    code: error?.code ?? null,
    warnings: warned.length > 0 ? warned : undefined,
    error: error && (redactIn(toErrorObject(error), redact) as object),
  } satisfies Omit<LineOf<'several'>, 'attempts' | 'ms'>;

  const answer = result?.json?.trim().replaceAll(/[\r\n]+[ \t]*/g, '');
  const middle = answer === undefined ? '' : `,"answer":${answer}`;
  const start = JSON.stringify(head).slice(0, -1);
  return `${formatJson(`${start}${middle},"attempts":${attempts},"ms":${ms}}`)}\n`;
}

/** Off a terminal: programs and people give up on work that says nothing for long. */
const SIGN_OF_LIFE_MS = 60_000;
const CHECK_MS = 200;

/** Shows how far a run is, on a terminal always, elsewhere once a minute. Returns how to end it. */
export function showProgress(run: Run, getEnd: () => BatchEnd): () => void {
  const { io } = run.context;
  const describe = () => describeProgress(run, getEnd());
  if (io.err.isTty || io.host !== undefined) return io.progress(describe).stop;

  let saidAtMs = 0;
  const timer = setInterval(() => {
    const end = getEnd();
    if (end.ms - saidAtMs < SIGN_OF_LIFE_MS) return;
    saidAtMs = end.ms;
    const said = io.json ? printCounts({ io }, end) : io.note(describe());
    void said.catch(() => undefined);
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}

function describeProgress({ line, clock, pace, stops }: Run, end: BatchEnd): string {
  const counts = `${line.command.path}: ${describeCounts(end)}`;
  if (stops.stopSignal.aborted) return `${counts}, stopping`;
  const pauseSeconds = Math.ceil(pace.pauseMs(clock.monotonic()) / 1000);
  if (pauseSeconds <= 0) return counts;
  return `${counts}, the platform asks to wait ${pauseSeconds} s`;
}

/** Prints the counts as a line of JSON on stderr. */
export async function printCounts({ io }: Needs<'io'>, end: BatchEnd): Promise<void> {
  const line = { summary: countItems(end) } satisfies LineOf<'counted'>;
  await io.err.write(`${stringifyDocument(line)}\n`, 'json');
}
