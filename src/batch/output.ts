import { hideIn } from '../api/redact.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import type { Command } from '../cli/define/define.ts';
import { KINDS, OUTCOME_COLUMNS, rowColumns } from '../cli/define/each.ts';
import { toErrorObject } from '../cli/define/report.ts';
import type { Together } from '../cli/define/result.ts';
import { askedTable, readOptions } from '../cli/values/read-values.ts';
import type { LineOf } from '../contract/fields/documents.ts';
import { type ErrorCode, usageError } from '../errors.ts';
import { readTableForm, toCsv, withColumns } from '../terminal/csv.ts';
import { maskJson } from '../terminal/mask.ts';
import { formatJson } from '../terminal/safe-text.ts';
import { plainOf, state, type Text } from '../terminal/screen.ts';
import type { Item, RunLine } from './items.ts';
import type { Outcome } from './one.ts';

/** See {@link createPrinter}. */
export type Printer = Awaited<ReturnType<typeof createPrinter>>;

/** With more, people see the ending only. */
const MAX_SCREENS = 10;
/** Errors that the row of an item says as well. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['alert', 'still_running']);

/**
 * Chooses how outcomes are printed: as lines of JSON, rows of CSV, one table, or a screen each.
 * Throws a usage error, such as for a `--jq` filter that does not compile. What it returns rejects
 * if nobody reads any more.
 */
export async function createPrinter(
  { command, texts }: RunLine,
  context: Context,
  items: readonly Item[],
) {
  const { io, globals } = context;
  const { json, jq } = globals;
  const isDry = texts.has('dryRun');
  const asked = askedTable(texts);
  const together =
    (await command.together?.(
      context,
      { csv: asked, ...readOptions(command.options, texts) },
      items,
    )) ?? (command.row === undefined || isDry ? undefined : tableOf(command));
  const head = together?.csv.head ?? OUTCOME_COLUMNS;
  const form = asked === undefined ? undefined : readTableForm(asked, texts, head, json);
  // Rows come one after the other, so nobody knows how wide a column will be.
  if (form?.csv === false)
    throw usageError('With several, --columns and --no-header are for --csv.', 'Add --csv.');
  const filter =
    jq === undefined
      ? undefined
      : await (await import('../terminal/jq.ts')).compileFilter(jq, io, context.env);
  const write = async (rows: Iterable<readonly unknown[]>, header = false) => {
    if (form === undefined) return;
    for (const piece of toCsv(withColumns({ head, rows }, form), header)) await io.out.write(piece);
  };
  const writeLine = async (outcome: Outcome) => {
    const line = jsonLine(outcome, context);
    const filtered = await filter?.(line);
    if (filtered !== '')
      await io.out.write(filtered ?? line, filter === undefined ? 'json' : 'raw');
  };
  const isShown = command.effect === 'reads' || isDry;
  const showsEach = isShown && together === undefined && items.length <= MAX_SCREENS;
  return {
    /** Whether stdout is for another program: nothing but the outcomes is printed there. */
    isData: form !== undefined,
    begin: () => write([], form?.header),
    async print(outcome: Outcome): Promise<void> {
      const { item, result, error } = outcome;
      together?.add(item, result?.value, error);
      if (json) return writeLine(outcome);
      if (form === undefined) return showsEach ? show(outcome, command, context) : undefined;
      if (together === undefined) return write([rowOf(outcome, context, !texts.has('reveal'))]);
      if (result !== undefined) await write(together.csv.rowsOf(result.value, item));
      if (error !== undefined && !TOLD.has(error.code))
        await io.warn(`${item.id}: ${error.message}`, error.code);
    },
    async end(): Promise<void> {
      if (together !== undefined && !json && !form)
        await io.show((screen) => together.show(screen));
    },
  };
}

/** Shows what the command shows for one, without suggestions. */
async function show(
  { item, result }: Outcome,
  command: Command,
  { io }: Needs<'io'>,
): Promise<void> {
  if (result === undefined) return;
  await io.show((screen) => {
    // The other answers name what they are about.
    if (command.each === 'org') screen.heading(item.id);
    (result.show ?? command.human)?.({ ...screen, next: () => undefined }, result.value);
    screen.line();
  });
}

function tableOf({ row, each = 'service' }: Command): Together<unknown> {
  const { head = [], of = () => [] } = row ?? {};
  const rows: (readonly (Text | undefined)[])[] = [];
  return {
    csv: {
      head: rowColumns(head, each),
      rowsOf: (value, { id }) => [[id, ...of(value).map((cell) => cell && plainOf(cell))]],
    },
    add({ index, id }, value, error) {
      rows[index] = [id, ...(value === undefined ? [state(error?.code ?? '')] : of(value))];
    },
    show(screen) {
      const shown = rows.filter((cells) => cells !== undefined);
      if (shown.length === 0) return;
      screen.table({ head: [{ name: KINDS[each].one, whole: true }, ...head], rows: shown });
      screen.line();
    },
  };
}

/** @param masks whether to mask what is secret: a spreadsheet is read by people */
function rowOf(outcome: Outcome, context: Needs<'io'>, masks: boolean): readonly unknown[] {
  const whole = answerOf(outcome);
  const answer = masks && whole !== undefined ? maskJson(whole) : whole;
  const row: Record<string, unknown> = {
    ...fieldsOf(outcome, context),
    error: outcome.error?.message,
    answer,
  };
  return OUTCOME_COLUMNS.map((name) => row[name]);
}

/** The answer stays as the API wrote it, apart from its line breaks. */
function jsonLine(outcome: Outcome, context: Needs<'io'>): string {
  const { attempts, ms, ...head } = fieldsOf(outcome, context);
  const answer = answerOf(outcome);
  const middle = answer === undefined ? '' : `,"answer":${answer}`;
  return `${formatJson(`${JSON.stringify(head).slice(0, -1)}${middle},"attempts":${attempts},"ms":${ms}}`)}\n`;
}

/** The answer on one line: in JSON, line breaks stand between tokens only. */
function answerOf({ result }: Outcome): string | undefined {
  return result?.json?.trim().replaceAll(/[\r\n]+[ \t]*/g, '');
}

function fieldsOf(
  { item, error, accepted, warnings, attempts, ms }: Outcome,
  { io: { redactor } }: Needs<'io'>,
) {
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
