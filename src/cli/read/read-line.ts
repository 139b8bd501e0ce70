import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { usageError } from '../../errors.ts';
import { splitAtDoubleDash } from '../../shell-line.ts';
import {
  getArguments,
  getBatchOptions,
  getOptions,
  isAskedFor,
  isOmittable,
  readLineValues,
  type TypedLine,
} from '../define/command.ts';
import { type Command, type Entry, type Group, isGroup } from '../define/define.ts';
import { formatFlags, formatTerm, formatUsage } from '../help/describe.ts';
import type { Show } from '../help/help-text.ts';
import { GLOBAL_OPTIONS } from '../settings/globals.ts';
import { type Options, type Parameter, TABLE_KEYS, type Texts } from '../values/parameters.ts';
import { findNamedCommand, findSimilarOption, getPath, type RefusedLine } from './refused-line.ts';

/** A command with its texts, or help. */
export type ReadLine = { readonly line: TypedLine } | { readonly help: Show };

/** The parts of a line that are read so far; commander's listeners fill it in. */
interface Reading extends RefusedLine {
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
  const program = new Commander('svc');
  const globals: MutableTexts = new Map();
  const reading: Reading = { program, argv, tree, globals };
  configureProgram(reading);
  await addEntries(program, { children: tree }, reading);
  checkOptions(program, argv);

  const failure = parse(program, argv);
  const { named, helped } = reading;
  const wantsJson = globals.has('json') || globals.has('jq');
  const isIncomplete = failure?.code === 'commander.help';

  if (failure && !(isIncomplete && helped === program)) {
    if (!isIncomplete || wantsJson || !helped) {
      const { explainMistake } = await import('./mistakes.ts');
      throw await explainMistake(failure, reading);
    }
    const { createHelp } = await import('../help/help-text.ts');
    return { help: await createHelp(getPath(helped), tree) };
  }
  if (named) return { line: parseLine(reading, named) };
  if (!helped) return readOwnLine('version', [], reading);

  const stray = helped.args.find((word) => !word.startsWith('-'));
  if (helped.commands.length > 0 && stray !== undefined) {
    const { explainUnknownCommand } = await import('./mistakes.ts');
    throw await explainUnknownCommand(helped, stray, reading);
  }
  return readOwnLine(failure && !wantsJson ? 'home' : 'help', getPath(helped), reading);
}

/**
 * Refuses words with U+FFFD, which stands for bytes that are no UTF-8: they would be sent as it.
 * @throws CliError `usage`, without the word, which may be a secret
 */
function checkText(argv: readonly string[]): void {
  for (const [at, word] of argv.entries()) {
    if (!word.includes('\uFFFD')) continue;
    const names = [word.split('=')[0], argv[at - 1]];
    const option = names.find((name = '') => /^--?[a-z][a-z-]*$/i.test(name));
    const what = option === undefined ? `Word ${at + 1} behind svc` : `The value of ${option}`;
    throw usageError(
      `${what} is not UTF-8 text.`,
      'Nothing was sent. Save the script as UTF-8, or set a locale such as LANG=C.UTF-8.',
    );
  }
}

/** Reads a line as another one: `svc domains add --help` is `svc help domains add`. */
async function readOwnLine(
  name: 'help' | 'home' | 'version',
  words: readonly string[],
  reading: Reading,
): Promise<ReadLine> {
  const entry = reading.tree.find((candidate) => candidate.name === name);
  if (!entry || isGroup(entry)) throw new RangeError(`there is no command ${name}`);
  const command = await entry.load();
  return { line: parseLine(reading, { command, words, texts: new Map() }) };
}

/** Puts `--help` and `--version` behind all else. */
function moveHelpToEnd(argv: readonly string[]): readonly string[] {
  const asksForHelp = (word: string) => /^(?:--help|-h|--version|-V)$/.test(word);
  const [words, rest] = splitAtDoubleDash(argv);
  const question = words.find(asksForHelp);
  if (question === undefined) return argv;
  return [...words.filter((word) => !asksForHelp(word)), question, ...rest];
}

function configureProgram(reading: Reading): void {
  const { program, globals } = reading;
  program
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
  addOptions(program, GLOBAL_OPTIONS, globals);
}

/**
 * Declares the entries that are typed, and the usual command of a group; else the names of all, so
 * that commander misses one.
 */
async function addEntries(
  parent: Commander,
  { children, defaultCommand }: Pick<Group, 'children' | 'defaultCommand'>,
  reading: Reading,
): Promise<void> {
  const needed = children.filter(
    ({ name }) => name === defaultCommand || reading.argv.includes(name),
  );
  if (needed.length === 0) for (const { name } of children) parent.command(name);
  for (const entry of needed) {
    const child = parent.command(entry.name, { isDefault: entry.name === defaultCommand });
    if (isGroup(entry)) {
      await addEntries(child.helpCommand(false), entry, reading);
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
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) return thrown;
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
    const similar = findSimilarOption(next, names);
    if (!isOption && similar === undefined) continue;
    const what = isOption ? 'is an option' : `looks like ${similar}`;
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

/** Texts by the keys of arguments and options, while a line is read. */
type MutableTexts = Map<string, readonly string[]>;

/** A command as a line names it, with the words of its arguments and the texts of its options. */
interface NamedCommand {
  readonly command: Command;
  readonly words: readonly string[];
  readonly texts: MutableTexts;
}

/**
 * Returns what a line asks for.
 * @throws CliError `usage` for an invalid value, except in a batch
 */
function parseLine({ tree, globals }: Reading, { command, words, texts }: NamedCommand): TypedLine {
  for (const [index, [key, { variadic }]] of Object.entries(command.args).entries()) {
    const typed = words.slice(index, variadic ? undefined : index + 1);
    if (typed.length > 0) texts.set(key, [...typed, ...(texts.get(key) ?? [])]);
  }

  const items = findBatchItems(command, texts, words);
  const missing = findMissing(command, texts, items !== undefined);
  const isWhole = !items && missing.size === 0;
  const values = isWhole ? readLineValues(command, texts) : undefined;
  return { command, tree, texts, globals, items, missing, values };
}

/** Finds the items of a line that names more than one, or has an option of batches. */
function findBatchItems(
  { args, batch, csv, effect }: Command,
  texts: Texts,
  words: readonly string[],
): TypedLine['items'] {
  if (!batch) return undefined;
  const place = Object.keys(args).indexOf(batch.of);
  const isOption = place < 0;
  const named = isOption ? [] : words.slice(place);
  const typed = texts.get(batch.of) ?? [];
  const keys = [
    ...Object.keys(getBatchOptions(batch.of, effect === 'reads')),
    ...(csv ? [] : TABLE_KEYS),
  ];
  const isListed = keys.some((key) => texts.has(key));

  if (!isListed && named.length < 2 && !(isOption && new Set(typed).size > 1)) return undefined;
  if (named.length > 0) return named;
  return isOption ? typed : typed.slice(0, 1);
}

/** Finds what the line leaves out, and svc asks for. */
function findMissing({ args, options, batch }: Command, texts: Texts, isBatch: boolean) {
  const all = Object.entries<Parameter>({ ...args, ...options });
  const missing = all.filter(([key, parameter]) => {
    const isItem = key === batch?.of;
    if (texts.has(key) || (isItem && isBatch)) return false;
    return isAskedFor(parameter) || (isItem && key in args);
  });
  return new Map(missing);
}
