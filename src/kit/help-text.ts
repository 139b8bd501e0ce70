import { wrapWords } from '../terminal/safe-text.ts';
import { code, dim, piecesOf, type Screen, type Styled, strong, type Text } from '../terminal/screen.ts';
import { type Entry, isGroup } from './define.ts';
import {
  type CommandDescription,
  commandName,
  describeEntries,
  describeEntry,
  describeOptions,
  entriesBelow,
  type OptionDescription,
} from './describe.ts';
import { GLOBAL_OPTIONS } from './globals.ts';

type Row = readonly [term: string, meaning: string];

interface Section {
  readonly title: string;
  readonly rows?: readonly Row[];
  /** Sections of the same column align their meanings; default: the title. */
  readonly column?: string;
  /** Whether the meanings are names of commands, which then stand out instead of the terms. */
  readonly listsNames?: boolean;
  /** Printed unchanged, instead of rows. */
  readonly lines?: readonly Text[];
}

/** Of the terminal, on which help is never wider than 80; infinite off a terminal, where nothing is wrapped. */
type Columns = number;

const WIDEST = 80;
/** Narrower text is not wrapped. */
const NARROWEST = 20;
const INDENT = 2;
const GAP = 2;
/** A wider term gets a line of its own. */
const WIDEST_TERM = 26;
/** With less room, a meaning goes below its term. */
const NARROWEST_MEANING = 30;

/** The first line of the help, without a full stop. */
export const ABOUT_SVC = 'Manage your hosting from the terminal';

/** The options of every command, and those of the program. */
export const PROGRAM_OPTIONS: readonly OptionDescription[] = [
  optionOfProgram('-V, --version', 'print the version'),
  ...describeOptions(GLOBAL_OPTIONS),
  optionOfProgram('-h, --help', 'show help'),
];

const USAGE = 'svc <command> [options]';
const GLOBAL_LINE = 'Global options: svc help options';

const NEXT_STEPS: readonly Section[] = [
  {
    title: 'Start here',
    column: 'commands',
    rows: [
      ['svc sandbox tour', 'see every command in action, without an account'],
      ['svc login', 'sign in, and remember the address'],
      ['svc doctor', 'check your setup and suggest fixes'],
    ],
  },
  {
    title: 'More help',
    column: 'commands',
    rows: [
      ['svc <command> --help', 'arguments, options and examples of a command'],
      ['svc help all', 'every command in a sentence'],
      ['svc help <word>', 'a topic, an error code, or what mentions the word'],
    ],
  },
];

/** Returns the help of `svc` in lines, short enough for a terminal of 24 rows; loads no command. */
export function helpOnProgram(tree: readonly Entry[], topics: readonly string[], columns: Columns): readonly Text[] {
  const shown = tree.filter((entry) => isGroup(entry) || entry.hidden !== true);
  const groups = byGroup(shown.map(({ name, heading = 'Commands' }) => ({ name, group: heading })));
  const names = groups.map(([title, members]): Row => [title, members.map(({ name }) => name).join(', ')]);
  const commands = { title: 'Commands', rows: [...names, ['Topics', topics.join(', ')] as const], listsNames: true };
  return drawHelp(USAGE, ABOUT_SVC, [commands, ...NEXT_STEPS], columns);
}

/** Returns a line for each command of `svc`, with what it does. */
export async function helpOnAll(tree: readonly Entry[], columns: Columns): Promise<readonly Text[]> {
  const all = await describeEntries(tree);
  const sections = byGroup(all).map(([title, members]) => {
    const rows = members.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
    return {
      title,
      column: 'commands',
      rows: rows.map(({ path, summary }): Row => [path.replace('svc ', ''), summary]),
    };
  });
  return drawHelp(USAGE, ABOUT_SVC, sections, columns);
}

/** Returns the help of the command or group that the words name, in lines. */
export async function helpOn(
  path: readonly string[],
  tree: readonly Entry[],
  columns: Columns,
): Promise<readonly Text[]> {
  const command = await describePath(path, tree);
  const standIn = command.commands.find(({ isDefault }) => isDefault);
  const { examples, exitCodes } = standIn ?? command;
  const sections: readonly Section[] = [
    { title: 'Commands', rows: command.commands.map(commandRow) },
    { title: 'Arguments', column: 'options', rows: command.arguments.map((one) => [one.name, one.description]) },
    { title: 'Examples', lines: examples.flatMap(drawExample) },
    ...byGroup(command.options).map(([title, members]) => optionSection(title, members)),
    ...(standIn ? [optionSection(`Options of "${standIn.path}"`, standIn.options)] : []),
    { title: 'Exit codes', rows: exitCodes.map(({ code, meaning }) => [String(code), meaning]) },
    ...(await moreOf(path, tree)),
  ];
  return [...drawHelp(command.usage, command.description, sections, columns), '', GLOBAL_LINE];
}

/** Shows lines of help as they are. */
export function showHelp(screen: Screen, lines: readonly Text[]): void {
  screen.exact();
  screen.verbatim(lines.flatMap((line) => [...piecesOf(line), '\n']));
}

/** Returns the table that a command has at the end of its help; a group has that of its stand-in. */
async function moreOf(path: readonly string[], tree: readonly Entry[]): Promise<readonly Section[]> {
  const named = (entries: readonly Entry[], name = '') => entries.find((one) => one.name === name);
  const entry = named(entriesBelow(tree, path.slice(0, -1)), path.at(-1));
  const leaf = entry !== undefined && isGroup(entry) ? named(entry.children, entry.standIn) : entry;
  const command = leaf === undefined || isGroup(leaf) ? undefined : (await leaf.load()).default;
  return command?.more === undefined ? [] : [await command.more()];
}

/** Describes the command or group that the words name. Throws RangeError if they name none. */
export async function describePath(
  path: readonly string[],
  entries: readonly Entry[],
  before = 'svc',
  standIn?: string,
): Promise<CommandDescription> {
  const [name, ...more] = path;
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) throw new RangeError(`${before} has no command ${name}`);
  if (more.length === 0) return describeEntry(entry, before, standIn);
  const group = isGroup(entry) ? entry : { children: [], standIn: undefined };
  return describePath(more, group.children, `${before} ${name}`, group.standIn);
}

function optionSection(title: string, options: readonly OptionDescription[]): Section {
  return { title, column: 'options', rows: options.map(({ flags, description }) => [flags, description]) };
}

/** Shows a subcommand with its required arguments. */
function commandRow(command: CommandDescription): Row {
  const needed = command.arguments.filter(({ required }) => required).map(({ name }) => `<${name}>`);
  return [
    [commandName(command), ...needed].join(' '),
    command.isDefault ? `${command.summary} (default)` : command.summary,
  ];
}

function byGroup<Member extends { readonly group: string }>(members: readonly Member[]): Array<[string, Member[]]> {
  const groups = new Map<string, Member[]>();
  for (const member of members) groups.set(member.group, [...(groups.get(member.group) ?? []), member]);
  return [...groups];
}

function optionOfProgram(flags: string, description: string): OptionDescription {
  const [short, long = ''] = flags.split(', ');
  return { flags, long, short, description, value: undefined, choices: [], repeatable: false, group: 'Options' };
}

function drawHelp(usage: string, description: string, sections: readonly Section[], columns: Columns): readonly Text[] {
  const about = wrapText(`${description}.`, 0, columns);
  return [[strong('Usage:'), ' ', ...paintTerm(usage)], '', ...about, ...drawSections(sections, columns)];
}

/** Leaves out empty sections. */
function drawSections(sections: readonly Section[], columns: Columns): readonly Text[] {
  const filled = sections.filter(({ rows = [], lines = [] }) => rows.length + lines.length > 0);
  return filled.flatMap((section) => {
    const start = meaningsStart(filled.filter((other) => columnOf(other) === columnOf(section)));
    const paint = section.listsNames ? paintNames : paintRow;
    const rows = (section.rows ?? []).flatMap((row) => drawRow(row, start, columns, paint));
    return ['', strong(`${section.title}:`), ...rows, ...(section.lines ?? [])];
  });
}

function columnOf({ title, column = title }: Section): string {
  return column;
}

function meaningsStart(sections: readonly Section[]): number {
  const widths = sections.flatMap(({ rows = [] }) => rows.map(([term]) => term.length));
  return INDENT + Math.max(0, ...widths.filter((width) => width <= WIDEST_TERM)) + GAP;
}

type PaintRow = (term: string, meaning: string) => readonly (string | Styled)[];

const paintRow: PaintRow = (term, meaning) => [...paintTerm(term), meaning];

const paintNames: PaintRow = (term, meaning) => [term, ...paintTerm(meaning)];

function drawRow([term, meaning]: Row, start: number, columns: Columns, paint: PaintRow): readonly Text[] {
  const head = `${' '.repeat(INDENT)}${term}`;
  const isNarrow = widthOf(columns) - start < NARROWEST_MEANING;
  const lines = wrapText(meaning, isNarrow ? 2 * INDENT : start, columns);
  const below = (line: string) => paint('', line);
  if (isNarrow || term.length > WIDEST_TERM) return [paint(head, ''), ...lines.map(below)];
  return [paint(head.padEnd(start), lines[0]?.slice(start) ?? ''), ...lines.slice(1).map(below)];
}

function drawExample({ command, meaning }: { readonly command: string; readonly meaning: string }): readonly Text[] {
  return [dim(`  # ${meaning}`), [dim('  $ '), code(command)]];
}

/** Sets apart what is typed as it stands, options, and what stands for a value. */
function paintTerm(term: string): readonly (string | Styled)[] {
  return term.split(/(<[^<>]*>|\[[^[\]]*\])/).map((part, at) => {
    if (at % 2 === 1) return part;
    return /^ *-/.test(term) ? strong(part) : code(part);
  });
}

/** Wraps a text and indents each line. */
function wrapText(text: string, indent: number, columns: Columns): string[] {
  const width = widthOf(columns) - indent;
  const lines = width < NARROWEST ? [text] : wrapWords(text, width);
  return lines.map((line) => `${' '.repeat(indent)}${line}`);
}

function widthOf(columns: Columns): number {
  return columns === Number.POSITIVE_INFINITY ? columns : Math.min(columns, WIDEST);
}
