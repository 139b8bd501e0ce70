import { type ErrorCode, usageError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import { KINDS, OUTCOME_COLUMNS, rowColumns } from '../kit/each.ts';
import { askedTable, readOptions, type Texts } from '../kit/read-values.ts';
import type { Together } from '../kit/result.ts';
import { readTableForm, type TableForm, toCsv, withColumns } from '../terminal/csv.ts';
import { formatJson } from '../terminal/json-text.ts';
import { maskJson } from '../terminal/mask.ts';
import { plainOf, state, type Text } from '../terminal/screen.ts';
import { lineOf, type Outcome } from './item.ts';
import type { Item } from './list.ts';

/** Prints each outcome as it comes, in the order of completion. Rejects if nobody reads any more. */
export interface Printer {
  print(outcome: Outcome): Promise<void>;
  /** Prints what comes before all outcomes. */
  begin?(): Promise<void>;
  /** Prints what is made of all outcomes together. */
  end?(): Promise<void>;
  /** Whether stdout is for another program: nothing but the outcomes is printed there. */
  readonly isData?: boolean;
}

/** With more items, people see the ending only. */
const MAX_SCREENS = 10;

/** Compiles the `--jq` filter before anything is sent. Throws a usage error. */
export async function createPrinter(
  command: Command,
  texts: Texts,
  context: Context,
): Promise<(items: readonly Item[]) => Promise<Printer>> {
  const { json, jq } = context.settings.globals;
  const lines = json ? await jsonPrinter(context, jq) : undefined;
  const isOneTable = command.row !== undefined && !texts.has('dryRun');
  if (command.together !== undefined || isOneTable) {
    return (items) => togetherPrinter(command, texts, context, items, lines);
  }
  const form = formOf(texts, context, OUTCOME_COLUMNS);
  if (form !== undefined) return async () => csvPrinter(context, form, !texts.has('reveal'));
  if (lines !== undefined) return async () => lines;
  const isShown = command.effect === 'reads' || texts.has('dryRun');
  const isFew = (items: readonly Item[]) => isShown && items.length <= MAX_SCREENS;
  return async (items) => (isFew(items) ? screenPrinter(command, context) : { async print() {} });
}

/** Rows come one after the other, so nobody knows how wide a column will be. Throws a usage error. */
function formOf(texts: Texts, { settings }: Context, columns: readonly string[]): TableForm | undefined {
  const asked = askedTable(texts);
  if (asked === undefined) return undefined;
  const form = readTableForm(asked, texts, columns, settings.globals.json);
  if (form.csv) return form;
  throw usageError('With several, --columns and --no-header are for --csv.', 'Add --csv.');
}

/** Errors that the row of an item says as well. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['alert', 'still_running']);

/** Prints what the command makes of all of them; with `--json`, each on a line as well. */
async function togetherPrinter(
  command: Command,
  texts: Texts,
  context: Context,
  items: readonly Item[],
  lines: Printer | undefined,
): Promise<Printer> {
  const { io } = context;
  const options = { csv: askedTable(texts), ...readOptions(command.options, texts) };
  const together = (await command.together?.(context, options, items)) ?? tableOf(command);
  const { csv } = together;
  const form = formOf(texts, context, csv.head);
  const table = form && tableWriter(context, form, csv.head);
  return {
    isData: form !== undefined,
    begin: async () => table?.begin(),
    async print(outcome) {
      const { item, result, error } = outcome;
      together.add(item, result?.value, error);
      await lines?.print(outcome);
      if (result !== undefined) await table?.write(csv.rowsOf(result.value, item));
      const isTold = error === undefined || TOLD.has(error.code);
      if (!isTold && form !== undefined) await io.warn(`${item.id}: ${error.message}`, error.code);
    },
    async end() {
      await together.end();
      if (lines === undefined && form === undefined) await io.show((screen) => together.show(screen));
    },
  };
}

/** Shows what a single command would show, without suggestions. */
function screenPrinter(command: Command, { io }: Context): Printer {
  return {
    async print({ item, result }) {
      if (result === undefined) return;
      await io.show((screen) => {
        // The other answers name what they are about.
        if (command.each === 'org') screen.heading(item.id);
        (result.show ?? command.human)?.({ ...screen, next: () => undefined }, result.value);
        screen.line();
      });
    },
  };
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

async function jsonPrinter(context: Context, jq: string | undefined): Promise<Printer> {
  const { io } = context;
  if (jq === undefined) return { print: (outcome) => io.out.write(textOf(outcome, context), 'json') };
  const { compileFilter } = await import('../terminal/jq.ts');
  const filter = await compileFilter(jq, io);
  return {
    async print(outcome) {
      const text = await filter(textOf(outcome, context));
      if (text !== '') await io.out.write(text, 'raw');
    },
  };
}

/** @param masks whether to mask what is secret: a spreadsheet is read by people */
function csvPrinter(context: Context, form: TableForm, masks: boolean): Printer {
  const { begin, write } = tableWriter(context, form, OUTCOME_COLUMNS);
  return {
    isData: true,
    begin,
    async print(outcome) {
      const whole = answerOf(outcome);
      const answer = masks && whole !== undefined ? maskJson(whole) : whole;
      const line: Record<string, unknown> = { ...lineOf(outcome, context), error: outcome.error?.message, answer };
      await write([OUTCOME_COLUMNS.map((name) => line[name])]);
    },
  };
}

/** Writes comma-separated values: first the head, then rows as they come. */
function tableWriter({ io }: Context, form: TableForm, head: readonly string[]) {
  const write = async (rows: Iterable<readonly unknown[]>, header = false) => {
    for (const piece of toCsv(withColumns({ head, rows }, form), header)) await io.out.write(piece, 'raw');
  };
  return { begin: () => write([], form.header), write };
}

/** A line of JSON. The answer stays as the API wrote it, apart from its line breaks. */
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
