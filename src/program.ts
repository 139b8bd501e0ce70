import { Command } from 'commander';
import { type Attach, notesOf } from './command/attach.ts';
import { addGlobalOptions, GLOBAL_OPTIONS } from './command/globals.ts';
import { type Entry, isGroup, TREE } from './commands/tree.ts';

/** What the program needs of the outside. */
export interface ProgramHost {
  readonly attach: Attach;
  readonly version: string;
  /** Takes the text of help and version. */
  readonly print: (text: string) => void;
  /** Columns that help text is laid out for. */
  readonly columns: number;
  /** Whether headings of the help may be bold. */
  readonly color: boolean;
}

/** Global options that take a value, so that the command's name can be told from an option's value. */
const VALUE_OPTIONS = new Set(['--jq', '--api-url', '--org', '--profile', '--timeout']);

const ROOT_EPILOGUE = `
Start here:
  $ svc sandbox tour                      see every command at work, no account needed
  $ svc login --api-url <address>         sign in

Help on one command: svc <command> --help. In CI set SVC_TOKEN. For scripts use --json and exit codes.`;

/**
 * Builds the command tree. Only the files of the command that `argv` names are loaded;
 * where it names none, or asks for help on all, every file is.
 */
export async function buildProgram(argv: readonly string[], host: ProgramHost): Promise<Command> {
  const program = new Command('svc');
  configure(program, host);
  program
    .description('The command-line client of the hosting platform.')
    .usage('<command> [options]')
    .version(host.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .optionsGroup(GLOBAL_OPTIONS)
    .addHelpText('after', ROOT_EPILOGUE);
  addGlobalOptions(program);
  const words = commandWords(argv);
  if (words.length === 0) program.action(() => program.outputHelp());
  await addEntries(program, TREE, words[0] === 'help' ? [] : words, host);
  return program;
}

/** The leading words of a command line that are neither options nor their values. */
export function commandWords(argv: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (VALUE_OPTIONS.has(word)) index++;
    else if (!word.startsWith('-')) words.push(word);
  }
  return words;
}

async function addEntries(
  parent: Command,
  entries: readonly Entry[],
  words: readonly string[],
  host: ProgramHost,
): Promise<void> {
  const [name, ...rest] = words;
  const named = entries.find((entry) => entry.name === name);
  for (const entry of named ? [named] : entries) {
    if (isGroup(entry)) {
      const group = parent.command(entry.name).description(entry.summary).helpCommand(false);
      await addEntries(group, entry.children, rest, host);
    } else {
      (await entry.load()).define(parent, host.attach);
    }
    const command = parent.commands.at(-1);
    if (command === undefined) continue;
    command.addHelpText('after', () => epilogueOf(command));
    if (entry.heading !== undefined) command.helpGroup(entry.heading);
  }
}

function configure(program: Command, host: ProgramHost): void {
  program
    .exitOverride()
    .configureOutput({
      writeOut: host.print,
      // Errors are reported in one place, from what commander throws.
      writeErr: () => undefined,
      getOutHelpWidth: () => host.columns,
      getErrHelpWidth: () => host.columns,
      getOutHasColors: () => host.color,
      getErrHasColors: () => false,
    })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => `\u001B[1m${title}\u001B[22m`,
      subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
      visibleGlobalOptions: (command) => (command.parent ? (rootOf(command).options as never) : []),
    });
}

function argumentTerm(argument: { name(): string; required: boolean; variadic: boolean }): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

function epilogueOf(command: Command): string {
  const { examples, exitCodes = [] } = notesOf(command);
  const parts = examples.length === 0 ? [] : ['', 'Examples:', ...examples.flatMap(exampleLines)];
  if (exitCodes.length > 0) parts.push('', 'Exit codes:', ...exitCodes.map(([code, meaning]) => `  ${code}  ${meaning}`));
  return parts.join('\n');
}

function exampleLines([line, meaning]: readonly [string, string]): string[] {
  return [`  # ${meaning}`, `  $ ${line}`];
}
