import { CliError, SIGNAL_EXITS } from '../errors.ts';
import { type ParsedLine, type TypedLine, valuesOf } from '../kit/command.ts';
import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import { targetFlags } from '../kit/globals.ts';
import { remember } from '../kit/known.ts';
import { nameKindOf } from '../kit/parameters.ts';
import type { Texts } from '../kit/read-values.ts';
import type { Result } from '../kit/result.ts';
import { NoAddress } from '../kit/settings.ts';
import type { TableForm } from '../terminal/csv.ts';
import { preloadRenderer } from '../terminal/draw.ts';
import { OutputClosed } from '../terminal/io.ts';
import { formatJson } from '../terminal/safe-text.ts';
import { createScreen } from '../terminal/screen.ts';
import { parseLine } from './parse-line.ts';

/**
 * Runs a command and prints its result. Makes the context only if the values make sense. On a terminal, asks for a missing
 * platform address and runs the command again: without an address nothing was sent. Returns the exit code.
 */
export async function runCommand(typed: TypedLine, make: (globals: Texts) => Context): Promise<number> {
  const line = parseLine(typed);
  const context = make(typed.globals);
  const { globals } = context.settings;
  try {
    return await runLine(line, context);
  } catch (error) {
    if (!(error instanceof NoAddress) || !context.io.interactive || globals.json) throw error;
    const address = await (await import('../kit/pick.ts')).askAddress(context);
    return runLine(line, make(new Map([...typed.globals, ['apiUrl', [address]]])));
  }
}

async function runLine(line: ParsedLine, context: Context): Promise<number> {
  const named = await withIds(line, context);
  const whole = line.missing.size === 0 ? named : await completed(named, context);
  if (whole.items === undefined) return runForOne(whole, context);
  const { runForSeveral } = await import('../each/run.ts');
  await runForSeveral(whole, context);
  return 0;
}

/** Puts ids in place of names, which only people may give, and of addresses, which have no values yet. */
async function withIds(line: ParsedLine, context: Context): Promise<ParsedLine> {
  const { io, settings } = context;
  const { command, texts, items, values } = line;
  const named = Object.entries({ ...command.options, ...command.args }).filter(([key]) => texts.has(key));
  const mayBeNames = !settings.globals.json && named.some(([, one]) => nameKindOf(one) !== undefined);
  // Opening stdin takes milliseconds, so whether somebody is there is asked last.
  if (items !== undefined || (values !== undefined && !(mayBeNames && io.interactive))) return line;
  const { idsIn } = await import('./ids.ts');
  return idsIn(line, context);
}

async function completed(line: ParsedLine, context: Context): Promise<ParsedLine> {
  const { askForMissing } = await import('../kit/pick.ts');
  return askForMissing(line, context);
}

async function runForOne({ command, tree, texts, ...line }: ParsedLine, context: Context): Promise<number> {
  const values = line.values ?? valuesOf(command, texts);
  const filter = await prepareFilter(context);
  const { csv } = command;
  const form = values.csv === undefined ? undefined : await formOf(values.csv, texts, command, context);
  if (!context.settings.globals.json && !form?.csv) preloadRenderer();
  const result = await command.run(context, values, tree).catch((error: unknown) => {
    throw context.settings.explain(error);
  });
  if (!('isPrinted' in result)) {
    await deliver(context, result, async () => {
      if (form !== undefined && csv !== undefined)
        await (await import('./print.ts')).printTable(context, csv.table(result.value), form);
      else await print(context, command, result, filter);
    }).finally(async () => {
      for (const { text, code } of result.warnings ?? []) await context.io.warn(text, code);
    });
    await result.delivered?.();
  }
  await remember(context, command, values, result.seen);
  if (result.failure !== undefined) throw result.failure;
  return result.exitCode ?? 0;
}

async function formOf(asked: string, texts: Texts, { csv }: Command, { settings }: Context): Promise<TableForm> {
  const { readTableForm } = await import('../terminal/csv.ts');
  return readTableForm(asked, texts, csv?.columns, settings.globals.json);
}

type Filter = (json: string) => Promise<string>;

/** Compiles the `--jq` filter before anything is sent. */
async function prepareFilter(context: Context): Promise<Filter | undefined> {
  const filter = context.settings.globals.jq;
  if (filter === undefined) return undefined;
  const { compileFilter } = await import('../terminal/jq.ts');
  return compileFilter(filter, context.io);
}

/** Prints a result. If that fails, the error still says what was done, and a failure still decides the exit code. */
async function deliver({ io }: Context, result: Result<unknown>, print: () => Promise<void>): Promise<void> {
  const { failure, delivered, done, made } = result;
  try {
    await print();
  } catch (error) {
    const isClosed = error instanceof OutputClosed;
    const isRead = isClosed && !io.out.isTty;
    if (isRead) await delivered?.();
    if (failure !== undefined) throw failure;
    if (isRead || done === undefined) throw error;
    if (error instanceof CliError) {
      throw new CliError(error.code, `${done} ${error.message}`, { ...error.details, ...made, cause: error });
    }
    if (isClosed) {
      const details = { ...made, exitCode: SIGNAL_EXITS.SIGHUP, cause: error };
      throw new CliError('interrupted', `${done} The terminal was closed.`, details);
    }
    throw new CliError('unexpected', `${done} svc could not show the answer: ${error}`, { ...made, cause: error });
  }
}

/** Characters of JSON above which printing takes noticeably long. */
const LARGE = 256 * 1024;

async function print(
  context: Context,
  command: Command,
  result: Result<unknown>,
  filter: Filter | undefined,
): Promise<void> {
  const { io, settings } = context;
  const json = io.host !== undefined && result.forTool ? JSON.stringify(result.forTool()) : result.json;
  // A large answer blocks the event loop, so Ctrl-C must end the process itself; not if it has to say what was done.
  const mayEnd = (json?.length ?? 0) > LARGE && result.done === undefined;
  const unguarded: Context['io']['unguarded'] = mayEnd ? io.unguarded : (work) => work();
  if (!settings.globals.json) return printScreen(context, command, result, unguarded);
  if (json === undefined) return;
  const text = filter ? await filter(json) : unguarded(() => formatJson(json, { indent: io.out.isTty }));
  const end = text.endsWith('\n') || text === '' ? '' : '\n';
  const form = filter ? 'raw' : 'json';
  for (const { piece, isLast } of piecesOf(text)) await io.out.write(isLast ? piece + end : piece, form);
}

async function printScreen(
  context: Context,
  command: Command,
  { show, value, failure }: Result<unknown>,
  unguarded: Context['io']['unguarded'],
): Promise<void> {
  const { io, settings } = context;
  const screen = createScreen();
  unguarded(() => (show ?? command.human)?.(screen, value));
  if (screen.blocks.length === 0) return;
  const { isData, render } = await import('../terminal/render.ts');
  const view = io.view(io.out);
  const pageOf = view.links ? (await import('./ids.ts')).pagesOf(context) : undefined;
  const flags = targetFlags(settings.globals);
  const blocks = flags.length === 0 ? screen.blocks : (await import('./print.ts')).followUps(screen.blocks, flags);
  const drawn = await render(blocks, { ...view, pageOf }, unguarded);
  // The error stands below it.
  const text = failure !== undefined && io.out.isTty && drawn !== '' ? `${drawn}\n` : drawn;
  if (isData(screen.blocks) && !io.out.isTty) return io.out.write(text, 'raw');
  await io.out.write(text);
}

/** Cuts a text, as encoding a large one whole takes as much memory again. */
function* piecesOf(text: string): Iterable<{ readonly piece: string; readonly isLast: boolean }> {
  for (let start = 0, end = 0, isLast = false; !isLast; start = end) {
    end = start + LARGE;
    // Both halves of a character stay together.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
    isLast = end >= text.length;
    yield { piece: text.slice(start, end), isLast };
  }
}
