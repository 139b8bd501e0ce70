import { usageError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import { OUTCOME_COLUMNS } from '../kit/each.ts';
import { askedTable, type Texts } from '../kit/read-values.ts';
import { csvLine, readTableForm, type TableForm, withColumns } from '../terminal/csv.ts';
import { formatJson } from '../terminal/json-text.ts';
import { lineOf, type Outcome } from './item.ts';

/** Prints each outcome as it comes, in the order of completion. Rejects if nobody reads any more. */
export interface Printer {
  print(outcome: Outcome): Promise<void>;
  /** Prints what comes before all outcomes. */
  begin?(): Promise<void>;
}

/** With more items, people see the ending only. */
const MAX_SCREENS = 10;

/** Compiles the `--jq` filter and reads the columns before anything is sent. Throws a usage error. */
export async function createPrinter(
  command: Command,
  texts: Texts,
  context: Context,
): Promise<(count: number) => Printer> {
  const { json, jq } = context.settings.globals;
  const asked = askedTable(texts);
  if (asked !== undefined) {
    const form = csvOnly(readTableForm(asked, texts, OUTCOME_COLUMNS, json));
    return () => csvPrinter(context, form);
  }
  if (json) {
    const printer = await jsonPrinter(context, jq);
    return () => printer;
  }
  const isShown = command.effect === 'reads' || texts.has('dryRun');
  return (count) => (isShown && count <= MAX_SCREENS ? screenPrinter(command, context) : { async print() {} });
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

/** Rows come one after the other, so nobody knows how wide a column will be. Throws a usage error. */
function csvOnly(form: TableForm): TableForm {
  if (form.csv) return form;
  throw usageError('With several, --columns and --no-header are for --csv.', 'Add --csv.');
}

function csvPrinter(context: Context, form: TableForm): Printer {
  const write = async (row: readonly unknown[]) => {
    await context.io.out.write(csvLine(row), 'raw');
  };
  return {
    async begin() {
      if (form.header) await write(withColumns({ head: OUTCOME_COLUMNS, rows: [] }, form).head);
    },
    async print(outcome) {
      const line = { ...lineOf(outcome, context), answer: answerOf(outcome) } as Record<string, unknown>;
      const error = outcome.error?.message;
      const row = OUTCOME_COLUMNS.map((name) => (name === 'error' ? error : line[name]));
      for (const chosen of withColumns({ head: OUTCOME_COLUMNS, rows: [row] }, form).rows) await write(chosen);
    },
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
