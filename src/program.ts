import { Command, CommanderError } from 'commander';
import { asksForJson } from './command/asks-for.ts';
import { createAttach } from './command/attach.ts';
import { checkCommandLine, commandWords, helpLast } from './command/command-line.ts';
import { type Attach, type Entry, isGroup } from './command/declaration.ts';
import { addGlobalOptions } from './command/globals.ts';
import { asksForHelp, helpAsData } from './command/help-as-data.ts';
import { HELP_COLUMNS, type Section } from './command/help-layout.ts';
import { helpText } from './command/help-text.ts';
import type { Perform } from './command/perform.ts';
import { usageErrorFrom } from './command/usage-errors.ts';
import { TREE } from './commands/tree.ts';

/** What the program needs of the outside. */
export interface ProgramHost {
  readonly perform: Perform;
  readonly version: string;
  /** Columns of the terminal. */
  readonly columns: number;
  /** Whether headings of the help may be bold. */
  readonly color: boolean;
}

/** Columns below which help text is not wrapped. */
const NARROWEST_HELP = 20;

/** What the help of `svc` ends with. */
const NEXT_STEPS: readonly Section[] = [
  {
    title: 'Start here',
    rows: [
      ['svc sandbox tour', 'see every command at work, without an account'],
      ['svc login --api-url <url>', 'sign in, and remember the address'],
      ['svc doctor', 'see what is set up, and what is not'],
    ],
  },
  {
    title: 'More help',
    column: 'Start here',
    rows: [
      ['svc <command> --help', 'arguments, options and examples of a command'],
      ['svc help <topic>', 'environment, exit-codes, json, assumptions or ci'],
    ],
  },
];

/**
 * Reads a command line with commander, and runs its command.
 * @returns the text of help or version, where that is what it asks for
 * @throws CliError `usage` for what commander refuses
 */
export async function runProgram(given: readonly string[], host: ProgramHost): Promise<string> {
  const printed: string[] = [];
  const argv = asksForHelp(given) && asksForJson(given) ? helpAsData(given, TREE) : given;
  const program = await buildProgram(argv, host, (text) => void printed.push(text));
  checkCommandLine(program, argv);
  try {
    await program.parseAsync([...helpLast(argv)], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) throw usageErrorFrom(thrown, program, argv);
  }
  return printed.join('');
}

/**
 * Builds the command tree. Only the files of the command that `argv` names are loaded;
 * where it names none, or asks for help on all, every file is.
 */
async function buildProgram(
  argv: readonly string[],
  host: ProgramHost,
  print: (text: string) => void,
): Promise<Command> {
  const program = new Command('svc');
  configure(program, host, print);
  program
    .description('The command-line client of the hosting platform')
    .version(host.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false);
  addGlobalOptions(program);
  const words = commandWords(program, argv);
  if (words.length === 0) program.action(() => helpOnAll(program, argv, host));
  await addEntries(program, TREE, words[0] === 'help' ? [] : words, createAttach(host.perform));
  return program;
}

/** `svc` alone: its help, as data where that was asked for. */
async function helpOnAll(program: Command, argv: readonly string[], host: ProgramHost): Promise<void> {
  if (asksForJson(argv)) await runProgram(helpAsData(argv, TREE), host);
  else program.outputHelp();
}

async function addEntries(
  parent: Command,
  entries: readonly Entry[],
  words: readonly string[],
  attach: Attach,
): Promise<void> {
  const [name, ...rest] = words;
  const named = entries.find((entry) => entry.name === name);
  for (const entry of named ? [named] : entries) {
    if (isGroup(entry)) {
      const group = parent.command(entry.name).description(entry.summary).helpCommand(false);
      await addEntries(group, entry.children, rest, attach);
    } else {
      (await entry.load()).define(parent, attach);
    }
    const command = parent.commands.at(-1);
    if (command === undefined) continue;
    if (entry.heading !== undefined) command.helpGroup(entry.heading);
  }
}

function configure(program: Command, host: ProgramHost, print: (text: string) => void): void {
  const columns = Math.min(host.columns, HELP_COLUMNS);
  program
    .exitOverride()
    .configureOutput({
      writeOut: print,
      // Errors are reported in one place, from what commander throws.
      writeErr: () => undefined,
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
      getOutHasColors: () => host.color,
      getErrHasColors: () => false,
    })
    .configureHelp({
      minWidthToWrap: NARROWEST_HELP,
      styleTitle: (title) => `\u001B[1m${title}\u001B[22m`,
      formatHelp: (command, help) => helpText(command, help, command.parent ? [] : NEXT_STEPS),
    });
}
