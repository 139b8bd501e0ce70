import type { Command } from 'commander';
import { CliError, usageError } from '../errors.ts';
import type { CsvTable } from '../io/csv.ts';
import { formatJson } from '../io/json-text.ts';
import { createScreen, type Screen } from '../io/screen.ts';
import type { Context } from './context.ts';
import type { Result } from './result.ts';

/** A command as its file writes it. */
export interface CommandSpec<Options, Value> {
  /** Does the work and returns the result; prints nothing. */
  readonly run: (context: Context, options: Options) => Promise<Result<Value>>;
  /** Shows the value to a person. */
  readonly human: (screen: Screen, value: Value) => void;
  /** Where the result is a table: what `--csv` prints, and what that is called. */
  readonly csv?: readonly [what: string, table: (value: Value) => CsvTable];
  /** Command lines with what they do, shown in the help; each runs in the sandbox. */
  readonly examples: ReadonlyArray<readonly [commandLine: string, meaning: string]>;
  /** Exit codes with a meaning of their own here. */
  readonly exitCodes?: ReadonlyArray<readonly [code: number, meaning: string]>;
}

/** Connects a command of the tree with the code that runs it. */
export type Attach = <Options, Value>(command: Command, spec: CommandSpec<Options, Value>) => void;

/** What of a command's specification the generated documentation needs. */
export type CommandNotes = Pick<CommandSpec<never, never>, 'examples' | 'exitCodes'>;

const notes = new WeakMap<Command, CommandNotes>();

/** The examples and exit codes of a command, as its file wrote them. */
export function notesOf(command: Command): CommandNotes {
  return notes.get(command) ?? { examples: [] };
}

/** How the framework gets a context for the command that was typed. */
export type MakeContext = (flags: Readonly<Record<string, unknown>>) => Promise<Context>;

/**
 * Makes the `attach` that the command files are given.
 * @param ended takes the exit code of a command that ended with one of its own.
 */
export function createAttach(makeContext: MakeContext, ended: (exitCode: number) => void): Attach {
  return (command, spec) => {
    notes.set(command, spec);
    if (spec.csv !== undefined) command.option('--csv', `${spec.csv[0]} as comma-separated values`);
    command.action(async () => {
      const context = await makeContext(command.optsWithGlobals());
      const filter = await prepareFilter(context);
      const options = readOptions(command) as Parameters<typeof spec.run>[1];
      const table = command.opts()['csv'] === true ? spec.csv?.[1] : undefined;
      if (table !== undefined && context.globals.json) {
        throw usageError('--csv and --json do not go together.', 'one of the two');
      }
      if (!context.globals.json && table === undefined) loadRendererMeanwhile();
      const result = await spec.run(context, options);
      await deliver(result, async () => {
        if (table !== undefined) await printCsv(context, table(result.value));
        else await print(context, result, (screen) => spec.human(screen, result.value), filter);
      });
      await result.delivered?.();
      if (result.failure !== undefined) throw result.failure;
      if (result.exitCode !== undefined) ended(result.exitCode);
    });
  };
}

/** The arguments by name beside the options: what `XOptions` describes. */
function readOptions(command: Command): Readonly<Record<string, unknown>> {
  const options: Record<string, unknown> = { ...command.opts() };
  command.registeredArguments.forEach((argument, index) => {
    const value: unknown = command.processedArgs[index];
    if (value !== undefined) options[camelCase(argument.name())] = value;
  });
  return options;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type Filter = (json: string) => Promise<string>;

/** Compiles the `--jq` filter before anything is sent. */
async function prepareFilter(context: Context): Promise<Filter | undefined> {
  const filter = context.globals.jq;
  if (filter === undefined) return undefined;
  const { compileFilter } = await import('../io/jq.ts');
  return compileFilter(filter, context.io);
}

/**
 * Prints; where the filter fails or stdout is gone, the error says what was done all the same, and a failure still decides
 * the exit code.
 */
async function deliver(result: Result<unknown>, print: () => Promise<void>): Promise<void> {
  try {
    await print();
  } catch (error) {
    if (result.failure !== undefined) throw result.failure;
    // Without a reader, nothing but a receipt is worth an error.
    const told = result.receipt ?? (error instanceof CliError ? result.done : undefined);
    if (told === undefined) throw error;
    if (!(error instanceof CliError)) {
      throw new CliError('unexpected', `${told} The output could not be written.`, { cause: error });
    }
    throw new CliError(error.code, `${told} ${error.message}`, { ...error.details, cause: error });
  }
}

/** Milliseconds in which a command has sent its request. */
const SENT_MS = 10;

/** Loads what shows a result to a person while the command waits for its answer, which takes longer than the loading. */
function loadRendererMeanwhile(): void {
  setTimeout(() => void import('../io/render.ts').catch(() => undefined), SENT_MS).unref();
}

async function print<Value>(
  { io, globals }: Context,
  result: Result<Value>,
  human: (screen: Screen) => void,
  filter: Filter | undefined,
): Promise<void> {
  if (globals.json) {
    if (result.json === undefined) return;
    const text = filter ? await filter(result.json) : formatJson(result.json, { indent: io.out.isTty });
    await io.out.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
    return;
  }
  const screen = createScreen();
  human(screen);
  if (screen.blocks.length === 0) return;
  const { render } = await import('../io/render.ts');
  await io.out.write(await render(screen.blocks, io.view(io.out)));
}

/** Printed at once, piece by piece: a million rows are too much for one text. */
async function printCsv({ io }: Context, table: CsvTable): Promise<void> {
  const { toCsv } = await import('../io/csv.ts');
  for (const piece of toCsv(table)) await io.out.write(piece);
}
