import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { type Command, type Entry, isGroup, optionsOf } from '../command/define.ts';
import { flagsOf, termOf, usageOf } from '../command/describe.ts';
import { GLOBAL_OPTIONS } from '../command/globals.ts';
import type { HelpForm } from '../command/help-text.ts';
import { helpOn } from '../command/help-text.ts';
import type { Options } from '../command/parameters.ts';
import { usageError } from '../errors.ts';
import { mistakeOf, namedBy, pathOf, unknownCommand } from './mistakes.ts';
import type { CommandLine } from './read-line.ts';

/** What a line that is not plain asks for: a command, or a text to print. */
export type Reading = { readonly line: CommandLine } | { readonly text: string };

/**
 * Reads any command line with commander: help, `--`, abbreviations of short options, and mistakes.
 * @param version what `--version` prints
 * @throws CliError `usage` for a line that makes no sense
 */
export async function readWithCommander(
  given: readonly string[],
  tree: readonly Entry[],
  version: string,
  form: HelpForm,
): Promise<Reading> {
  const argv = helpLast(given);
  const globals = new Map<string, readonly string[]>();
  const printed: string[] = [];
  let line: CommandLine | undefined;
  let helped: Commander | undefined;

  const program = new Commander('svc')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void printed.push(text), writeErr: () => undefined })
    .configureHelp({
      formatHelp(command) {
        helped = command;
        return '';
      },
    })
    .version(version, '-V, --version')
    .helpOption('-h, --help')
    .helpCommand(false);
  addOptions(program, GLOBAL_OPTIONS, globals);

  const addCommand = (parent: Commander, name: string, command: Command, isDefault: boolean): void => {
    const texts = new Map<string, readonly string[]>();
    const child = parent.command(name, { isDefault }).usage(usageOf(command, '').trimStart());
    for (const [key, argument] of Object.entries(command.args)) child.argument(termOf(key, argument));
    addOptions(child, optionsOf(command), texts);
    child.action(() => {
      Object.keys(command.args).forEach((key, index) => {
        const value: unknown = child.processedArgs[index];
        if (value !== undefined) texts.set(key, [...[value].flat().map(String), ...(texts.get(key) ?? [])]);
      });
      line = { command, texts, globals };
    });
  };
  await addEntries(program, tree, isTyped(argv), addCommand);

  checkValues(program, argv);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    const isStart = thrown.code === 'commander.help' && helped === program;
    if (thrown.exitCode !== 0 && !isStart) throw mistakeOf(thrown, program, argv, tree);
  }
  if (line !== undefined) return { line };
  if (helped === undefined) return { text: printed.join('') };

  const stray = helped.commands.length > 0 ? helped.args.find((word) => !word.startsWith('-')) : undefined;
  if (stray !== undefined) throw unknownCommand(helped, stray, tree);
  const path = pathOf(helped).split(' ').slice(1);
  if (!globals.has('json') && !globals.has('jq')) return { text: await helpOn(path, tree, form) };
  // `svc domains add --help --json` asks for the same as `svc help domains add --json`.
  const help = await findLeaf(tree, 'help');
  return { line: { command: help, texts: new Map([['about', path]]), globals } };
}

/** `svc --help domains add` asks for the same as `svc domains add --help`. */
function helpLast(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isHelp = (word: string) => word === '--help' || word === '-h';
  const own = argv.slice(0, end);
  return own.some(isHelp) ? [...own.filter((word) => !isHelp(word)), '--help', ...argv.slice(end)] : argv;
}

/** Which commands have to be loaded: those whose name is typed. The others are only names. */
function isTyped(argv: readonly string[]): (name: string) => boolean {
  const words = new Set(argv);
  return (name) => words.has(name);
}

/** Adds the commands below a parent. A group's stand-in is loaded with its group. */
async function addEntries(
  parent: Commander,
  entries: readonly Entry[],
  isTyped: (name: string) => boolean,
  add: (parent: Commander, name: string, command: Command, isDefault: boolean) => void,
  standIn?: string,
): Promise<void> {
  for (const entry of entries) {
    const isDefault = entry.name === standIn;
    if (isGroup(entry)) {
      const group = parent.command(entry.name).helpCommand(false);
      await addEntries(group, entry.children, isTyped, add, isTyped(entry.name) ? entry.standIn : undefined);
    } else if (isDefault || isTyped(entry.name)) {
      add(parent, entry.name, (await entry.load()).default, isDefault);
    } else {
      parent.command(entry.name);
    }
  }
}

/** Declares options, and collects what the line gives them. */
function addOptions(command: Commander, options: Options, texts: Map<string, readonly string[]>): void {
  for (const [key, option] of Object.entries(options)) {
    const declared = new CommanderOption(flagsOf(key, option));
    command.addOption(declared);
    command.on(`option:${declared.name()}`, (text: string | null | undefined) => {
      if (option.form === 'optional' && text === '') {
        throw usageError(`${declared.long} is empty.`, `${declared.long} with a value, or alone`);
      }
      texts.set(key, [...(texts.get(key) ?? []), text ?? '']);
    });
  }
}

/** Refuses an option as the value of the option before it, which commander would let pass. */
function checkValues(program: Commander, argv: readonly string[]): void {
  const options = [...program.options, ...namedBy(program, argv).options];
  const find = (word: string | undefined) => {
    const name = word?.split('=')[0];
    return options.find(({ long, short }) => name === long || name === short);
  };
  const end = argv.indexOf('--');
  argv.slice(0, end < 0 ? undefined : end).forEach((word, index) => {
    const next = argv[index + 1];
    if (!find(word)?.required || word.includes('=') || next === undefined) return;
    if (next !== '--' && find(next) === undefined) return;
    throw usageError(`${word} needs a value, and ${next} is an option.`, `${word}=${next}, if that is the value`);
  });
}

async function findLeaf(tree: readonly Entry[], name: string): Promise<Command> {
  const entry = tree.find((one) => one.name === name);
  if (entry === undefined || isGroup(entry)) throw new RangeError(`there is no command ${name}`);
  return (await entry.load()).default;
}
