import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { usageError } from '../errors.ts';
import { argumentsOf, type Command, type Entry, isGroup, mayMiss, optionsOf, type TypedLine } from '../kit/define.ts';
import { flagsOf, termOf, usageOf } from '../kit/describe.ts';
import { GLOBAL_OPTIONS } from '../kit/globals.ts';
import { type HelpForm, helpOn } from '../kit/help-text.ts';
import type { Options } from '../kit/parameters.ts';
import { mistakeOf, namedBy, unknownCommand, wordsOf } from './mistakes.ts';

/**
 * Reads any command line with commander: also help, `--`, combined short options, and mistakes. Returns the command to
 * run, or the text to print: on stderr if the line names a group alone.
 * @throws CliError `usage` for a line that makes no sense
 */
export async function readWithCommander(
  given: readonly string[],
  tree: readonly Entry[],
  version: string,
  form: HelpForm,
): Promise<{ readonly line: TypedLine } | { readonly text: string; readonly isIncomplete?: boolean }> {
  const argv = /^(?:version|-v)$/.test(given[0] ?? '') ? ['--version'] : helpLast(given);
  const globals = new Map<string, readonly string[]>();
  const printed: string[] = [];
  let line: TypedLine | undefined;
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
    for (const [key, argument] of Object.entries(argumentsOf(command))) {
      child.argument(termOf(key, { ...argument, required: !mayMiss(command, key, argument) }));
    }
    addOptions(child, optionsOf(command), texts);
    child.action(() => {
      line = { command, tree, words: child.args, texts, globals };
    });
  };
  const typed = new Set(argv);
  await addEntries(program, tree, (name) => typed.has(name), addCommand);

  checkValues(program, argv);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    const isStart = thrown.code === 'commander.help' && helped === program;
    if (thrown.exitCode !== 0 && !isStart) {
      const isBare = thrown.code === 'commander.help' && !globals.has('json') && !globals.has('jq');
      if (!isBare || helped === undefined) throw await mistakeOf(thrown, program, argv, tree);
      return { text: await helpOn(wordsOf(helped), tree, form), isIncomplete: true };
    }
  }
  if (line !== undefined) return { line };
  if (helped === undefined) return { text: printed.join('') };

  const stray = helped.commands.length > 0 ? helped.args.find((word) => !word.startsWith('-')) : undefined;
  if (stray !== undefined) throw await unknownCommand(helped, stray, argv, tree);
  const path = wordsOf(helped);
  if (!globals.has('json') && !globals.has('jq')) return { text: await helpOn(path, tree, form) };
  // `svc domains add --help --json` is `svc help domains add --json`.
  const help = tree.find(({ name }) => name === 'help');
  if (help === undefined || isGroup(help)) throw new RangeError('there is no command help');
  return { line: { command: (await help.load()).default, tree, words: path, texts: new Map(), globals } };
}

/** Moves `--help` behind the names: `svc --help domains add` is `svc domains add --help`. */
function helpLast(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isHelp = (word: string) => word === '--help' || word === '-h';
  const own = argv.slice(0, end);
  return own.some(isHelp) ? [...own.filter((word) => !isHelp(word)), '--help', ...argv.slice(end)] : argv;
}

/** Adds the commands below a parent. Only those that are typed are loaded, and the stand-in of a group that is. */
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

/** Declares options, and collects their texts. */
function addOptions(command: Commander, options: Options, texts: Map<string, readonly string[]>): void {
  for (const [key, option] of Object.entries(options)) {
    const declared = new CommanderOption(flagsOf(key, option));
    command.addOption(declared);
    command.on(`option:${declared.name()}`, (text: string | null | undefined) => {
      if (option.form === 'optional' && text === '') {
        throw usageError(`${declared.long} is empty.`, `Give ${declared.long} with a value, or alone.`);
      }
      texts.set(key, [...(texts.get(key) ?? []), text ?? '']);
    });
  }
}

/** Refuses `--org --json`: commander would take the second option as the value of the first. */
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
    throw usageError(`${word} needs a value, and ${next} is an option.`, `If that is the value: ${word}=${next}`);
  });
}
