import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { usageError } from '../../errors.ts';
import { splitAtDoubleDash } from '../../shell-line.ts';
import { getArguments, getOptions, isOmittable, type TypedLine } from '../define/command.ts';
import { type Command, type Entry, isGroup } from '../define/define.ts';
import { formatFlags, formatTerm, formatUsage } from '../help/describe.ts';
import type { Show } from '../help/help-text.ts';
import { GLOBAL_OPTIONS } from '../settings/globals.ts';
import type { Options } from '../values/parameters.ts';
import { type MutableTexts, type NamedCommand, parseLine } from './parse-line.ts';
import { findNamedCommand, findSimilarOption, getPath, type RefusedLine } from './refused-line.ts';

/** A command with its texts, or help. */
export type ReadLine = { readonly line: TypedLine } | { readonly help: Show };

/** The parts of a line that are read so far; commander's listeners fill it in. */
interface Reading {
  readonly argv: readonly string[];
  readonly tree: readonly Entry[];
  readonly globals: MutableTexts;
  named?: NamedCommand;
  /** The command whose help commander was about to print. */
  helped?: Commander;
}

/**
 * Reads the command to run, `help` and `home` included; or the help on a group that is named alone,
 * for stderr.
 * @throws CliError `usage` for a line that names no command, or that its command does not take
 */
export async function readLine(
  typed: readonly string[],
  tree: readonly Entry[],
): Promise<ReadLine> {
  checkText(typed);
  const argv = moveHelpToEnd(typed[0] === '-v' ? ['--version', ...typed.slice(1)] : typed);
  const reading: Reading = { argv, tree, globals: new Map() };
  const program = createProgram(reading);
  await addEntries(program, tree, undefined, reading);
  checkOptions(program, argv);

  const error = parse(program, argv);
  const { named, helped, globals } = reading;
  const line: RefusedLine = { program, argv, tree };
  const isFailure = error !== undefined && error.exitCode !== 0;
  const wantsJson = globals.has('json') || globals.has('jq');
  const isIncomplete = error?.code === 'commander.help';

  if (isFailure && !(isIncomplete && helped === program)) {
    if (!isIncomplete || wantsJson || !helped) {
      const { explainMistake } = await import('./mistakes.ts');
      throw await explainMistake(error, line);
    }
    const { createHelp } = await import('../help/help-text.ts');
    return { help: await createHelp(getPath(helped), tree) };
  }
  if (named) return { line: parseLine(tree, globals, named) };
  if (!helped) return readOwnLine('version', [], reading);

  const stray = helped.args.find((word) => !word.startsWith('-'));
  if (helped.commands.length > 0 && stray !== undefined) {
    const { explainUnknownCommand } = await import('./unknown-command.ts');
    throw await explainUnknownCommand(helped, stray, line);
  }
  return readOwnLine(isFailure && !wantsJson ? 'home' : 'help', getPath(helped), reading);
}

/**
 * Refuses words with U+FFFD, which stands for bytes that are no UTF-8: they would be sent as it.
 * @throws CliError `usage`, without the word, which may be a secret
 */
function checkText(argv: readonly string[]): void {
  const at = argv.findIndex((word) => word.includes('\uFFFD'));
  if (at < 0) return;
  const [name = ''] = argv[at]?.split('=') ?? [];
  const option = [name, argv[at - 1]].find((word) => /^--?[a-z][a-z-]*$/i.test(word ?? ''));
  const what = option === undefined ? `Word ${at + 1} behind svc` : `The value of ${option}`;
  throw usageError(
    `${what} is not UTF-8 text: it has a character that could not be read.`,
    'Nothing was sent. Save the script as UTF-8, or set a locale such as LANG=C.UTF-8.',
  );
}

/** Reads a line as another one: `svc domains add --help` is `svc help domains add`. */
async function readOwnLine(
  name: 'help' | 'home' | 'version',
  words: readonly string[],
  { tree, globals }: Reading,
): Promise<ReadLine> {
  const entry = tree.find((candidate) => candidate.name === name);
  if (!entry || isGroup(entry)) throw new RangeError(`there is no command ${name}`);
  const command = await entry.load();
  return { line: parseLine(tree, globals, { command, words, texts: new Map() }) };
}

/** Puts `--help` and `--version` behind all else. */
function moveHelpToEnd(argv: readonly string[]): readonly string[] {
  const asksForHelp = (word: string) => /^(?:--help|-h|--version|-V)$/.test(word);
  const [words, rest] = splitAtDoubleDash(argv);
  const question = words.find(asksForHelp);
  if (question === undefined) return argv;
  return [...words.filter((word) => !asksForHelp(word)), question, ...rest];
}

function createProgram(reading: Reading): Commander {
  const program = new Commander('svc')
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({
      formatHelp(command) {
        reading.helped = command;
        return '';
      },
    })
    .version('svc', '-V, --version')
    .helpOption('-h, --help')
    .helpCommand(false);
  addOptions(program, GLOBAL_OPTIONS, reading.globals);
  return program;
}

/**
 * Declares the entries that are typed, and the usual command of a group; else the names of all, so
 * that commander misses one.
 */
async function addEntries(
  parent: Commander,
  entries: readonly Entry[],
  standIn: string | undefined,
  reading: Reading,
): Promise<void> {
  const needed = entries.filter(({ name }) => name === standIn || reading.argv.includes(name));
  if (needed.length === 0) for (const { name } of entries) parent.command(name);
  for (const entry of needed) {
    const child = parent.command(entry.name, { isDefault: entry.name === standIn });
    if (isGroup(entry)) {
      await addEntries(child.helpCommand(false), entry.children, entry.standIn, reading);
    } else {
      declareCommand(child, await entry.load(), reading);
    }
  }
}

function declareCommand(child: Commander, command: Command, reading: Reading): void {
  const texts: MutableTexts = new Map();
  child.usage(formatUsage(command, '').trimStart());
  for (const [key, argument] of Object.entries(getArguments(command))) {
    child.argument(
      formatTerm(key, { ...argument, required: !isOmittable(command, key, argument) }),
    );
  }
  addOptions(child, getOptions(command), texts);
  child.action(() => {
    reading.named = { command, words: child.args, texts };
  });
}

function addOptions(command: Commander, options: Options, texts: MutableTexts): void {
  for (const [key, option] of Object.entries(options)) {
    const declared = new CommanderOption(formatFlags(key, option));
    command.addOption(declared);
    command.on(`option:${declared.name()}`, (text: string | null | undefined) => {
      if (option.form === 'optional' && text === '') {
        throw usageError(
          `${declared.long} is empty.`,
          `Give ${declared.long} with a value, or alone.`,
        );
      }
      texts.set(key, [...(texts.get(key) ?? []), text ?? '']);
    });
  }
}

function parse(program: Commander, argv: readonly string[]): CommanderError | undefined {
  try {
    program.parse(argv, { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown;
    throw thrown;
  }
  return undefined;
}

/**
 * Refuses options with other dashes, or none, and `--org --json`: commander would take the second as
 * the value of the first.
 */
function checkOptions(program: Commander, argv: readonly string[]): void {
  const options = [...program.options, ...findNamedCommand(program, argv).options];
  const names = options.flatMap(({ long }) => long ?? []);
  const find = (word = '') =>
    options.find(({ long, short }) => [long, short].includes(word.split('=')[0]));
  const takesValue = (word = '') => !word.includes('=') && find(word)?.required;

  const [words] = splitAtDoubleDash(argv);
  for (const [at, word] of words.entries()) {
    if (!takesValue(argv[at - 1])) checkDashes(word, at, argv, names);
  }
  for (const [at, word] of words.entries()) {
    const next = argv[at + 1];
    if (!takesValue(word) || next === undefined) continue;
    const isOption = next === '--' || find(next) !== undefined;
    const similar = isOption ? undefined : findSimilarOption(next, names);
    if (!isOption && similar === undefined) continue;
    const what = similar === undefined ? 'is an option' : `looks like ${similar}`;
    throw usageError(
      `${word} needs a value, and ${next} ${what}.`,
      `If that is the value: ${word}=${next}`,
    );
  }
}

/** Refuses `-since`, which would be `-s ince`, and `since=1h`, which would be an id. */
function checkDashes(
  word: string,
  at: number,
  argv: readonly string[],
  names: readonly string[],
): void {
  const [typed = ''] = word.split('=');
  const isMarked = /^[-\u2013\u2014]/.test(word) || word.includes('=');
  const name = typed.replace(/^(?:-|[\u2013\u2014]-?)?(?=[a-z])/i, '--');
  if (!isMarked || name === typed || !names.includes(name)) return;
  throw usageError(`${typed} looks like ${name}.`, `Write ${name}.`).with({
    meant: argv.with(at, word.replace(typed, name)),
  });
}
