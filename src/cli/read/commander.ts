import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { usageError } from '../../errors.ts';
import { splitAtDoubleDash } from '../../shell-line.ts';
import { getBatchOptions } from '../define/batch.ts';
import {
  argumentsOf,
  isAskedFor,
  mayMiss,
  optionsOf,
  type TypedLine,
  valuesOf,
} from '../define/command.ts';
import { type Command, type Entry, isGroup } from '../define/define.ts';
import { flagsOf, termOf, usageOf } from '../help/describe.ts';
import type { Show } from '../help/help-text.ts';
import { GLOBAL_OPTIONS } from '../settings/globals.ts';
import { closest } from '../values/choice.ts';
import type { Options, Parameter } from '../values/parameters.ts';
import { TABLE_KEYS } from '../values/read-values.ts';
import { mistakeOf, namedBy, unknownCommand, wordsOf } from './mistakes.ts';

type MutableTexts = Map<string, readonly string[]>;

type ReadLine = { readonly line: TypedLine } | { readonly help: Show };

interface Reading {
  readonly tree: readonly Entry[];
  readonly globals: MutableTexts;
  named?: {
    readonly command: Command;
    readonly words: readonly string[];
    readonly texts: MutableTexts;
  };
  helped?: Commander;
}

/**
 * The command to run, `help` and `home` included; or the help on a group that is named alone, for
 * stderr.
 */
export async function readLine(
  given: readonly string[],
  tree: readonly Entry[],
): Promise<ReadLine> {
  checkText(given);
  const argv = askedLast(given[0] === '-v' ? ['--version', ...given.slice(1)] : given);
  const reading: Reading = { tree, globals: new Map() };
  const program = createProgram(reading);
  await addEntries(program, tree, undefined, new Set(argv), reading);
  checkValues(program, argv);
  const thrown = parse(program, argv);
  const { named, helped, globals } = reading;
  const isHelp = thrown?.code === 'commander.help';
  const isFailure = thrown !== undefined && thrown.exitCode !== 0;
  const wantsJson = globals.has('json') || globals.has('jq');
  if (isFailure && !(isHelp && helped === program)) {
    if (!isHelp || wantsJson || helped === undefined)
      throw await mistakeOf(thrown, program, argv, tree);
    const { helpOn } = await import('../help/help-text.ts');
    return { help: await helpOn(wordsOf(helped), tree) };
  }
  if (named !== undefined)
    return { line: parseLine(reading, named.command, named.words, named.texts) };
  if (helped === undefined) return lineOf('version', [], reading);
  const stray =
    helped.commands.length > 0 ? helped.args.find((word) => !word.startsWith('-')) : undefined;
  if (stray !== undefined) throw await unknownCommand(helped, stray, argv, tree);
  return lineOf(isFailure && !wantsJson ? 'home' : 'help', wordsOf(helped), reading);
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

/** `svc domains add --help` is `svc help domains add`, and `svc` alone is `svc home`. */
async function lineOf(
  name: 'help' | 'home' | 'version',
  words: readonly string[],
  reading: Reading,
) {
  const entry = reading.tree.find((one) => one.name === name);
  if (entry === undefined || isGroup(entry)) throw new RangeError(`there is no command ${name}`);
  return { line: parseLine(reading, (await entry.load()).default, words) };
}

/** Puts `--help` and `--version` behind all else. */
function askedLast(argv: readonly string[]): readonly string[] {
  const isAsking = (word: string) => /^(?:--help|-h|--version|-V)$/.test(word);
  const [own, rest] = splitAtDoubleDash(argv);
  const [asked] = own.filter(isAsking);
  return asked === undefined ? argv : [...own.filter((word) => !isAsking(word)), asked, ...rest];
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
 * Those that are typed, and the stand-in of a group; else the names of all, so that commander
 * misses one.
 */
async function addEntries(
  parent: Commander,
  entries: readonly Entry[],
  standIn: string | undefined,
  typed: ReadonlySet<string>,
  reading: Reading,
): Promise<void> {
  const wanted = entries.filter(({ name }) => name === standIn || typed.has(name));
  if (wanted.length === 0) for (const { name } of entries) parent.command(name);
  for (const entry of wanted) {
    const child = parent.command(entry.name, { isDefault: entry.name === standIn });
    if (isGroup(entry))
      await addEntries(child.helpCommand(false), entry.children, entry.standIn, typed, reading);
    else declare(child, (await entry.load()).default, reading);
  }
}

function declare(child: Commander, command: Command, reading: Reading): void {
  const texts: MutableTexts = new Map();
  child.usage(usageOf(command, '').trimStart());
  for (const [key, argument] of Object.entries(argumentsOf(command))) {
    child.argument(termOf(key, { ...argument, required: !mayMiss(command, key, argument) }));
  }
  addOptions(child, optionsOf(command), texts);
  child.action(() => {
    reading.named = { command, words: child.args, texts };
  });
}

function addOptions(command: Commander, options: Options, texts: MutableTexts): void {
  for (const [key, option] of Object.entries(options)) {
    const declared = new CommanderOption(flagsOf(key, option));
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
    return undefined;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown;
    throw thrown;
  }
}

/** Commander would take the second of `--org --json` as the value of the first. */
function checkValues(program: Commander, argv: readonly string[]): void {
  const options = [...program.options, ...namedBy(program, argv).options];
  const names = options.flatMap(({ long }) => long ?? []);
  const find = (word = '') =>
    options.find(({ long, short }) => [long, short].includes(word.split('=')[0]));
  for (const [index, word] of splitAtDoubleDash(argv)[0].entries()) {
    const next = argv[index + 1];
    if (!find(word)?.required || word.includes('=') || next === undefined) continue;
    const isOption = next === '--' || find(next) !== undefined;
    const meant = isOption ? undefined : findMisspelled(next, names);
    if (!isOption && meant === undefined) continue;
    const what = meant === undefined ? 'is an option' : `looks like ${meant}`;
    throw usageError(
      `${word} needs a value, and ${next} ${what}.`,
      `If that is the value: ${word}=${next}`,
    );
  }
}

/** Finds the option that a word seems to be: `--dryrun`, `--dry_run`, `-dry-run`, `--quan=2`. */
function findMisspelled(word: string, names: readonly string[]): string | undefined {
  const [typed = ''] = word.split('=');
  if (/^-[a-z][\w-]{2,}$/i.test(typed)) return names.find((name) => name === `-${typed}`);
  if (!/^--[a-z][\w-]+$/i.test(typed)) return undefined;
  const starting = typed.length < 5 ? [] : names.filter((name) => name.startsWith(typed));
  return starting.length === 1 ? starting[0] : closest(typed, names);
}

/** Throws a usage error for an invalid value, except of a line for several. */
function parseLine(
  { tree, globals }: Reading,
  command: Command,
  words: readonly string[],
  texts: MutableTexts = new Map(),
): TypedLine {
  for (const [index, [key, { variadic }]] of Object.entries(command.args).entries()) {
    const own = words.slice(index, variadic ? undefined : index + 1);
    if (own.length > 0) texts.set(key, [...own, ...(texts.get(key) ?? [])]);
  }
  const at = Object.keys(command.args).indexOf(command.batch?.of ?? '');
  const items = itemsOf(command, texts, at < 0 ? [] : words.slice(at));
  const missing = missingFrom(command, texts, items !== undefined);
  const isWhole = items === undefined && missing.size === 0;
  const values = isWhole ? valuesOf(command, texts) : undefined;
  return { command, tree, texts, globals, items, missing, values };
}

/** It is a batch if the line names more than one, or has an option of batches. */
function itemsOf(
  command: Command,
  texts: MutableTexts,
  words: readonly string[],
): TypedLine['items'] {
  const { args, batch, csv, effect } = command;
  if (batch === undefined) return undefined;
  const isOption = !Object.hasOwn(args, batch.of);
  const given = texts.get(batch.of) ?? [];
  const keys = [
    ...Object.keys(getBatchOptions(batch.of, effect === 'reads')),
    ...(csv === undefined ? TABLE_KEYS : []),
  ];
  const isListed = keys.some((key) => texts.has(key));
  if (!isListed && words.length < 2 && !(isOption && new Set(given).size > 1)) return undefined;
  if (words.length > 0) return words;
  return isOption ? given : given.slice(0, 1);
}

function missingFrom({ args, options, batch }: Command, texts: MutableTexts, isListed: boolean) {
  const all: Readonly<Record<string, Parameter>> = { ...options, ...args };
  const isNeeded = ([key, one]: readonly [string, Parameter]) => {
    if (key === batch?.of && isListed) return false;
    return isAskedFor(one) || (key === batch?.of && Object.hasOwn(args, key));
  };
  return new Map(Object.entries(all).filter((entry) => isNeeded(entry) && !texts.has(entry[0])));
}
