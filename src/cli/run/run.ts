import { CliError, SIGNAL_EXITS, tryOr } from '../../errors.ts';
import { once } from '../../once.ts';
import { joinWords, toTargetWords } from '../../shell-line.ts';
import { readEnvironmentToken } from '../../sign-in/token.ts';
import { preloadRenderer } from '../../terminal/draw.ts';
import { OutputClosed } from '../../terminal/io.ts';
import { formatJson } from '../../terminal/safe-text.ts';
import { createScreen } from '../../terminal/screen.ts';
import { listTypedNames, readLineValues, type TypedLine } from '../define/command.ts';
import type { Context, Needs, Started } from '../define/context.ts';
import type { Command, Result } from '../define/define.ts';
import { NoAddress } from '../settings/settings.ts';
import type { Texts } from '../values/parameters.ts';

/** Begins a run. From now on the tokens of the environment are redacted. */
export function beginRun(
  parts: Omit<Started, 'environmentToken' | 'isTerminalLent' | 'closers'>,
): Started {
  const { world, redactor } = parts;
  const environmentToken = once(() => readEnvironmentToken(world.env, world.cwd));
  for (const name of ['SVC_TOKEN', 'SVC_SESSION_TOKEN']) redactor.add(world.env[name]?.trim());
  // One that cannot be read is reported when a command needs it.
  redactor.add(tryOr(() => environmentToken()?.token, undefined));
  return { ...parts, environmentToken, isTerminalLent: false, closers: [] };
}

/** Carries a line out for each of its items. `cli` is below the batch, so `main` hands this in. */
type RunItems = (line: TypedLine, context: Context) => Promise<number>;

/**
 * Returns the exit code. If a person names a missing address, runs again: without one nothing was
 * sent.
 */
export async function runCommand(
  line: TypedLine,
  make: (globals: Texts) => Context,
  runItems: RunItems,
): Promise<number> {
  const context = make(line.globals);
  try {
    return await runLine(line, context, runItems);
  } catch (error) {
    const mayAsk = context.io.interactive && !context.globals.json;
    if (!(error instanceof NoAddress) || !mayAsk) throw error;
    const address = await (await import('../read/pick.ts')).askAddress(context);
    return runLine(line, make(new Map([...line.globals, ['apiUrl', [address]]])), runItems);
  }
}

async function runLine(typed: TypedLine, context: Context, runItems: RunItems): Promise<number> {
  let line = typed;
  const mayHaveNames = !line.items && !context.globals.json && listTypedNames(line).length > 0;
  // Opening stdin takes milliseconds, so whether somebody is there is asked last.
  if (mayHaveNames && context.io.interactive) {
    line = await (await import('../read/ids.ts')).replaceNames(line, context);
  }
  if (line.missing.size > 0) {
    line = await (await import('../read/pick.ts')).askForMissing(line, context);
  }
  if (!line.items) return runForOne(line, context);
  return runItems(line, context);
}

async function runForOne(line: TypedLine, context: Context): Promise<number> {
  const { io, globals, settings } = context;
  const { json, jq } = globals;
  const { command, tree, texts, values = readLineValues(command, texts) } = line;
  const { csv } = values;
  // Compiled before anything is sent.
  const filter = jq
    ? await (await import('../../terminal/jq.ts')).compileFilter(jq, io, context.env)
    : undefined;
  const form = csv
    ? (await import('../../terminal/csv.ts')).readTableForm(csv, texts, command.csv?.columns, json)
    : undefined;
  if (!json && !form?.csv) preloadRenderer();
  const result = await command.run(context, values, tree).catch(async (thrown: unknown) => {
    const error = settings.explain(thrown);
    if (!(error instanceof CliError) || error.code !== 'not_found') throw error;
    throw (await import('../read/ids.ts')).explainUnknownId(error, line, context);
  });
  if (!('isPrinted' in result)) {
    const print = async () => {
      if (!form || !command.csv) return printResult(context, command, result, filter);
      await (await import('./print.ts')).printTable(context, command.csv.table(result.value), form);
    };
    await deliver(context, result, print).finally(async () => {
      for (const { text, code } of result.warnings ?? []) await io.warn(text, code);
    });
    await result.onDelivered?.();
  }
  if (result.namesToCache) {
    const org = tryOr(() => settings.org()?.value, undefined);
    context.store.names.add(result.namesToCache, org);
  }
  if (result.failure) throw result.failure;
  return result.exitCode ?? 0;
}

/** If printing fails, the error says what was done, and a failure decides the exit code. */
async function deliver(
  { io }: Needs<'io'>,
  result: Result<unknown>,
  print: () => Promise<void>,
): Promise<void> {
  const { failure, onDelivered, doneSentence, createdIds } = result;
  try {
    await print();
  } catch (error) {
    const isRead = error instanceof OutputClosed && !io.out.isTty;
    if (isRead) await onDelivered?.();
    if (failure) throw failure;
    if (isRead || doneSentence === undefined) throw error;
    const problem = explainUnprinted(error);
    throw new CliError(problem.code, `${doneSentence} ${problem.message}`, {
      ...problem.details,
      ...createdIds,
      cause: error,
    });
  }
}

function explainUnprinted(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof OutputClosed) {
    const { SIGHUP } = SIGNAL_EXITS;
    return new CliError('interrupted', 'The terminal was closed.', { exitCode: SIGHUP });
  }
  return new CliError('unexpected', `svc could not show the answer: ${error}`);
}

/** Characters of JSON that take long to print. */
const LARGE = 256 * 1024;

async function printResult(
  context: Context,
  command: Command,
  result: Result<unknown>,
  filter: ((json: string) => Promise<string>) | undefined,
): Promise<void> {
  const { io, globals } = context;
  const json = io.host && result.forTool ? JSON.stringify(result.forTool()) : result.json;
  // A large answer blocks the event loop, so Ctrl-C must end the process itself; not if it has to
  // say what was done.
  const mayEnd = (json?.length ?? 0) > LARGE && result.doneSentence === undefined;
  const withDefaultSignals: Context['io']['withDefaultSignals'] = mayEnd
    ? io.withDefaultSignals
    : (work) => work();
  if (!globals.json) return printScreen(context, command, result, withDefaultSignals);
  if (json === undefined) return;
  const text = filter
    ? await filter(json)
    : withDefaultSignals(() => formatJson(json, { indent: io.out.isTty }));
  const end = text.endsWith('\n') || text === '' ? '' : '\n';
  for (const piece of toPieces(text + end)) await io.out.write(piece, filter ? 'raw' : 'json');
}

async function printScreen(
  context: Context,
  command: Command,
  { show, value, failure }: Result<unknown>,
  withDefaultSignals: Context['io']['withDefaultSignals'],
): Promise<void> {
  const { io, globals } = context;
  const screen = createScreen();
  withDefaultSignals(() => (show ?? command.human)?.(screen, value));
  if (screen.blocks.length === 0) return;
  const { isData, render } = await import('../../terminal/render.ts');
  const view = io.view(io.out);
  const pageOf = view.links
    ? (await import('../read/ids.ts')).createPageFinder(context)
    : undefined;
  const target = joinWords(toTargetWords(globals));
  const blocks = target
    ? (await import('./print.ts')).addTarget(screen.blocks, target)
    : screen.blocks;
  const drawn = await render(blocks, { ...view, pageOf }, withDefaultSignals);
  const text = failure && io.out.isTty && drawn !== '' ? `${drawn}\n` : drawn;
  if (isData(screen.blocks) && !io.out.isTty) return io.out.write(text, 'raw');
  await io.out.write(text);
}

/** Encoding a large text whole takes as much memory again. */
function* toPieces(text: string): Iterable<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + LARGE;
    // Both halves of a character stay together.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
    yield text.slice(start, end);
  }
}
