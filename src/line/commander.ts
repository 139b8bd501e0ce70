import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { usageError } from '../errors.ts';
import { argumentsOf, mayMiss, optionsOf, type TypedLine } from '../kit/command.ts';
import { type Command, type Entry, isGroup } from '../kit/define.ts';
import { flagsOf, termOf, usageOf } from '../kit/describe.ts';
import { GLOBAL_OPTIONS } from '../kit/globals.ts';
import type { Options } from '../kit/parameters.ts';
import type { Texts } from '../kit/read-values.ts';
import type { Text } from '../terminal/screen.ts';
import { mistakeOf, namedBy, unknownCommand, wordsOf } from './mistakes.ts';

/** What commander found in a line. */
interface Found {
  readonly globals: Map<string, readonly string[]>;
  line?: TypedLine;
  /** The command or group that the line wants help on. */
  helped?: Commander;
}

type ReadLine = { readonly line: TypedLine } | { readonly help: readonly Text[] };

/**
 * Reads a command line. Returns the command to run (`help` or `version` for a line that asks for it, `home` for one without
 * words), or the help on a group that is named alone, in lines for stderr.
 * @throws CliError `usage` for a line that makes no sense
 */
export async function readLine(given: readonly string[], tree: readonly Entry[], columns: number): Promise<ReadLine> {
  const argv = askedLast(given[0] === '-v' ? ['--version', ...given.slice(1)] : given);
  const found: Found = { globals: new Map() };
  const program = createProgram(found);
  const typed = new Set(argv);
  await addEntries(
    program,
    tree,
    (name) => typed.has(name),
    (...command) => addCommand(tree, found, ...command),
  );
  checkValues(program, argv);
  const thrown = parse(program, argv);
  const { line, helped, globals } = found;
  const isHelp = thrown?.code === 'commander.help';
  const wantsJson = globals.has('json') || globals.has('jq');
  if (thrown !== undefined && thrown.exitCode !== 0 && !(isHelp && helped === program)) {
    if (!isHelp || wantsJson || helped === undefined) throw await mistakeOf(thrown, program, argv, tree);
    const { helpOn } = await import('../kit/help-text.ts');
    return { help: await helpOn(wordsOf(helped), tree, columns) };
  }
  if (line !== undefined) return { line };
  if (helped === undefined) return { line: await lineOf('version', [], tree, globals) };
  const stray = helped.commands.length > 0 ? helped.args.find((word) => !word.startsWith('-')) : undefined;
  if (stray !== undefined) throw await unknownCommand(helped, stray, argv, tree);
  const isBare = isHelp && thrown?.exitCode !== 0 && !wantsJson;
  return { line: await lineOf(isBare ? 'home' : 'help', wordsOf(helped), tree, globals) };
}

function createProgram(found: Found): Commander {
  const program = new Commander('svc')
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({
      formatHelp(command) {
        found.helped = command;
        return '';
      },
    })
    .version('svc', '-V, --version')
    .helpOption('-h, --help')
    .helpCommand(false);
  addOptions(program, GLOBAL_OPTIONS, found.globals);
  return program;
}

function addCommand(
  tree: readonly Entry[],
  found: Found,
  parent: Commander,
  name: string,
  command: Command,
  isDefault: boolean,
): void {
  const texts = new Map<string, readonly string[]>();
  const child = parent.command(name, { isDefault }).usage(usageOf(command, '').trimStart());
  for (const [key, argument] of Object.entries(argumentsOf(command))) {
    child.argument(termOf(key, { ...argument, required: !mayMiss(command, key, argument) }));
  }
  addOptions(child, optionsOf(command), texts);
  child.action(() => {
    found.line = { command, tree, words: child.args, texts, globals: found.globals };
  });
}

/** Returns how commander ended, if not with a command. */
function parse(program: Commander, argv: readonly string[]): CommanderError | undefined {
  try {
    program.parse(argv, { from: 'user' });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown;
    throw thrown;
  }
}

/** A line that was not typed: `svc domains add --help` is `svc help domains add`, and `svc` alone is `svc home`. */
async function lineOf(
  name: 'help' | 'home' | 'version',
  words: readonly string[],
  tree: readonly Entry[],
  globals: Texts,
): Promise<TypedLine> {
  const entry = tree.find((one) => one.name === name);
  if (entry === undefined || isGroup(entry)) throw new RangeError(`there is no command ${name}`);
  return { command: (await entry.load()).default, tree, words, texts: new Map(), globals };
}

/**
 * Moves `--help` and `--version` behind all else: `svc --help domains add` is `svc domains add --help`, and `--json` behind
 * `--version` is read.
 */
function askedLast(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isAsking = (word: string) => /^(?:--help|-h|--version|-V)$/.test(word);
  const own = argv.slice(0, end);
  const [asked] = own.filter(isAsking);
  return asked === undefined ? argv : [...own.filter((word) => !isAsking(word)), asked, ...argv.slice(end)];
}

/**
 * Adds the commands below a parent that are typed, and the stand-in of a group that is. If none is, adds the names of all,
 * so that commander misses one.
 */
async function addEntries(
  parent: Commander,
  entries: readonly Entry[],
  isTyped: (name: string) => boolean,
  add: (parent: Commander, name: string, command: Command, isDefault: boolean) => void,
  standIn?: string,
): Promise<void> {
  const wanted = entries.filter(({ name }) => name === standIn || isTyped(name));
  if (wanted.length === 0) for (const { name } of entries) parent.command(name);
  for (const entry of wanted) {
    if (!isGroup(entry)) {
      add(parent, entry.name, (await entry.load()).default, entry.name === standIn);
      continue;
    }
    const group = parent.command(entry.name).helpCommand(false);
    await addEntries(group, entry.children, isTyped, add, entry.standIn);
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
