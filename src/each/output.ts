import { type ErrorCode, toErrorObject, usageError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import { KINDS, OUTCOME_COLUMNS, rowColumns } from '../kit/each.ts';
import { askedTable, readOptions, type Texts } from '../kit/read-values.ts';
import type { Together } from '../kit/result.ts';
import { hideIn } from '../service/redact.ts';
import type { LineOf } from '../spec/fields/documents.ts';
import { readTableForm, type TableForm, toCsv, withColumns } from '../terminal/csv.ts';
import { maskJson } from '../terminal/mask.ts';
import { formatJson } from '../terminal/safe-text.ts';
import { plainOf, state, type Text } from '../terminal/screen.ts';
import type { Item, RunLine } from './items.ts';
import type { Outcome } from './one.ts';

/** Prints each outcome as it comes, in the order of completion. Rejects if nobody reads any more. */
export interface Printer {
  /** Whether stdout is for another program: nothing but the outcomes is printed there. */
  readonly isData: boolean;
  /** Prints what comes before all outcomes. */
  begin(): Promise<void>;
  print(outcome: Outcome): Promise<void>;
  /** Prints what is made of all outcomes together. */
  end(): Promise<void>;
}

/** With more items, people see the ending only. */
const MAX_SCREENS = 10;
/** Errors that the row of an item says as well. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['alert', 'still_running']);

/** Chooses how outcomes are printed. Throws a usage error, such as for a `--jq` filter that does not compile. */
export async function createPrinter(
  { command, texts }: RunLine,
  context: Context,
  items: readonly Item[],
): Promise<Printer> {
  const { io, settings } = context;
  const { json, jq } = settings.globals;
  const isDry = texts.has('dryRun');
  const values = () => ({ csv: askedTable(texts), ...readOptions(command.options, texts) });
  const together =
    (await command.together?.(context, values(), items)) ??
    (command.row === undefined || isDry ? undefined : tableOf(command));
  const form = formOf(texts, together?.csv.head ?? OUTCOME_COLUMNS, json);
  const rows = form && rowPrinter(context, form, together, !texts.has('reveal'));
  const lines = json ? await linePrinter(context, jq) : undefined;
  const isShown = command.effect === 'reads' || isDry;
  const showsEach = isShown && together === undefined && !json && !form && items.length <= MAX_SCREENS;
  return {
    isData: form !== undefined,
    begin: async () => rows?.begin(),
    async print(outcome) {
      const { item, result, error } = outcome;
      together?.add(item, result?.value, error);
      await lines?.(outcome);
      await rows?.print(outcome);
      if (showsEach) await show(outcome, command, context);
      const isTold = error === undefined || TOLD.has(error.code);
      if (together !== undefined && form !== undefined && !isTold) {
        await io.warn(`${item.id}: ${error.message}`, error.code);
      }
    },
    async end() {
      await together?.end();
      if (together !== undefined && !json && !form) await io.show((screen) => together.show(screen));
    },
  };
}

/** Rows come one after the other, so nobody knows how wide a column will be. Throws a usage error. */
function formOf(texts: Texts, columns: readonly string[], isJson: boolean): TableForm | undefined {
  const asked = askedTable(texts);
  if (asked === undefined) return undefined;
  const form = readTableForm(asked, texts, columns, isJson);
  if (form.csv) return form;
  throw usageError('With several, --columns and --no-header are for --csv.', 'Add --csv.');
}

/** Shows what a single command would show, without suggestions. */
async function show({ item, result }: Outcome, command: Command, { io }: Context): Promise<void> {
  if (result === undefined) return;
  await io.show((screen) => {
    // The other answers name what they are about.
    if (command.each === 'org') screen.heading(item.id);
    (result.show ?? command.human)?.({ ...screen, next: () => undefined }, result.value);
    screen.line();
  });
}

/** Makes one table with a row of each, in the order of the list. */
function tableOf({ row, each = 'service' }: Command): Together<unknown> {
  const { head = [], of = () => [] } = row ?? {};
  const rows: (readonly (Text | undefined)[])[] = [];
  return {
    csv: {
      head: rowColumns(head, each),
      rowsOf: (value, { id }) => [[id, ...of(value).map((cell) => cell && plainOf(cell))]],
    },
    add({ index, id }, value, error) {
      const cells = value === undefined ? [state(error?.code ?? '')] : of(value);
      rows[index] = [id, ...cells];
    },
    end: async () => undefined,
    show(screen) {
      const shown = rows.filter((cells) => cells !== undefined);
      if (shown.length === 0) return;
      screen.table({ head: [{ name: KINDS[each].one, whole: true }, ...head], rows: shown });
      screen.line();
    },
  };
}

/**
 * Prints comma-separated values: first the head, then the rows of each outcome.
 * @param masks whether to mask what is secret: a spreadsheet is read by people
 */
function rowPrinter(context: Context, form: TableForm, together: Together<unknown> | undefined, masks: boolean) {
  const head = together?.csv.head ?? OUTCOME_COLUMNS;
  const write = async (rows: Iterable<readonly unknown[]>, header = false) => {
    for (const piece of toCsv(withColumns({ head, rows }, form), header)) await context.io.out.write(piece);
  };
  return {
    begin: () => write([], form.header),
    async print(outcome: Outcome) {
      const { item, result } = outcome;
      if (together === undefined) await write([rowOf(outcome, context, masks)]);
      else if (result !== undefined) await write(together.csv.rowsOf(result.value, item));
    },
  };
}

function rowOf(outcome: Outcome, context: Context, masks: boolean): readonly unknown[] {
  const whole = answerOf(outcome);
  const answer = masks && whole !== undefined ? maskJson(whole) : whole;
  const row: Record<string, unknown> = { ...lineOf(outcome, context), error: outcome.error?.message, answer };
  return OUTCOME_COLUMNS.map((name) => row[name]);
}

/** Prints lines of JSON. The answer stays as the API wrote it, apart from its line breaks. */
async function linePrinter(context: Context, jq: string | undefined): Promise<(outcome: Outcome) => Promise<void>> {
  const { out } = context.io;
  const filter = jq === undefined ? undefined : await (await import('../terminal/jq.ts')).compileFilter(jq, context.io);
  return async (outcome) => {
    const { attempts, ms, ...head } = lineOf(outcome, context);
    const answer = answerOf(outcome);
    const middle = answer === undefined ? '' : `,"answer":${answer}`;
    const text = `${JSON.stringify(head).slice(0, -1)}${middle},"attempts":${attempts},"ms":${ms}}`;
    const line = `${formatJson(text)}\n`;
    if (filter === undefined) return out.write(line, 'json');
    const filtered = await filter(line);
    if (filtered !== '') await out.write(filtered, 'raw');
  };
}

/** The answer on one line: in JSON, line breaks stand between tokens only. */
function answerOf({ result }: Outcome): string | undefined {
  return result?.json?.trim().replaceAll(/[\r\n]+[ \t]*/g, '');
}

/** The fields of an outcome beside the answer, for scripts. */
function lineOf({ item, error, accepted, warnings, attempts, ms }: Outcome, { io: { redactor } }: Context) {
  const warned = warnings.map(
    ({ text, code }): LineOf<'warning'> => ({ warning: redactor.redact(plainOf(text)), code }),
  );
  return {
    index: item.index,
    item: item.given,
    exitCode: error?.exitCode ?? 0,
    code: error?.code ?? null,
    ...(accepted !== undefined && { accepted }),
    ...(warned.length > 0 && { warnings: warned }),
    ...(error !== undefined && { error: hideIn(toErrorObject(error), redactor.redact) as object }),
    attempts,
    ms,
  } satisfies LineOf<'several'>;
}
