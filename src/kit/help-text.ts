import { wrapWords } from '../terminal/safe-text.ts';
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
  /** Printed unchanged, instead of rows. */
  readonly lines?: readonly string[];
}

/** How help is laid out. */
export interface HelpForm {
  /** Of the terminal, on which help is never wider than 80; infinite off a terminal, where nothing is wrapped. */
  readonly columns: number;
  /** Whether titles are bold. */
  readonly bold: boolean;
}

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
export const ABOUT_SVC = 'The command-line client of the hosting platform';

/** The options of every command, and those of the program. */
export const PROGRAM_OPTIONS: readonly OptionDescription[] = [
  optionOfProgram('-V, --version', 'print the version'),
  ...describeOptions(GLOBAL_OPTIONS),
  optionOfProgram('-h, --help', 'show help'),
];

const GLOBAL_LINE = 'Global options: svc help options';

const NEXT_STEPS: readonly Section[] = [
  {
    title: 'Start here',
    rows: [
      ['svc sandbox tour', 'see every command in action, without an account'],
      ['svc login --api-url <url>', 'sign in, and remember the address'],
      ['svc doctor', 'see what is set up, and what is not'],
    ],
  },
  {
    title: 'More help',
    column: 'Start here',
    rows: [
      ['svc <command> --help', 'arguments, options and examples of a command'],
      // Broken here, because the root help has the same lines everywhere.
      ['svc help <topic>', 'options, environment, exit-codes, json,'],
      ['', 'assumptions, ci, faults or agents'],
    ],
  },
];

/** Returns the help text of the command or group that the words name; without words, of `svc`. */
export async function helpOn(path: readonly string[], tree: readonly Entry[], form: HelpForm): Promise<string> {
  if (path.length === 0) return helpOnProgram(tree, form);
  const command = await describePath(path, tree);
  const standIn = command.commands.find(({ isDefault }) => isDefault);
  const { examples, exitCodes } = standIn ?? command;
  const sections: readonly Section[] = [
    { title: 'Commands', rows: command.commands.map(commandRow) },
    { title: 'Arguments', column: 'options', rows: command.arguments.map((one) => [one.name, one.description]) },
    { title: 'Examples', lines: examples.flatMap(({ command, meaning }) => [`  # ${meaning}`, `  $ ${command}`]) },
    ...byGroup(command.options).map(([title, members]) => optionSection(title, members)),
    ...(standIn ? [optionSection(`Options of "${standIn.path}"`, standIn.options)] : []),
    { title: 'Exit codes', rows: exitCodes.map(({ code, meaning }) => [String(code), meaning]) },
    ...(await moreOf(path, tree)),
  ];
  return drawHelp(command.usage, command.description, sections, form);
}

/** Returns the table that a command has at the end of its help; a group has that of its stand-in. */
async function moreOf(path: readonly string[], tree: readonly Entry[]): Promise<readonly Section[]> {
  const named = (entries: readonly Entry[], name = '') => entries.find((one) => one.name === name);
  const entry = named(entriesBelow(tree, path.slice(0, -1)), path.at(-1));
  const leaf = entry !== undefined && isGroup(entry) ? named(entry.children, entry.standIn) : entry;
  const command = leaf === undefined || isGroup(leaf) ? undefined : (await leaf.load()).default;
  return command?.more === undefined ? [] : [await command.more()];
}

/** Loads the commands of the whole tree. */
async function helpOnProgram(tree: readonly Entry[], form: HelpForm): Promise<string> {
  const commands = byGroup(await describeEntries(tree)).map(([title, members]) => {
    return { title, column: 'commands', rows: members.map((command): Row => [commandName(command), command.summary]) };
  });
  return drawHelp('svc <command> [options]', ABOUT_SVC, [...commands, ...NEXT_STEPS], form);
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

function drawHelp(usage: string, description: string, sections: readonly Section[], form: HelpForm): string {
  const head = [`Usage: ${usage}`, wrapText(`${description}.`, 0, form).join('\n')];
  return `${[...head, ...drawSections(sections, form), GLOBAL_LINE].join('\n\n')}\n`;
}

/** Leaves out empty sections. */
function drawSections(sections: readonly Section[], form: HelpForm): string[] {
  const filled = sections.filter(({ rows = [], lines = [] }) => rows.length + lines.length > 0);
  return filled.map((section) => {
    const start = meaningsStart(filled.filter((other) => columnOf(other) === columnOf(section)));
    const rows = (section.rows ?? []).flatMap((row) => drawRow(row, start, form));
    const title = `${section.title}:`;
    return [form.bold ? `\u001B[1m${title}\u001B[22m` : title, ...rows, ...(section.lines ?? [])].join('\n');
  });
}

function columnOf({ title, column = title }: Section): string {
  return column;
}

function meaningsStart(sections: readonly Section[]): number {
  const widths = sections.flatMap(({ rows = [] }) => rows.map(([term]) => term.length));
  return INDENT + Math.max(0, ...widths.filter((width) => width <= WIDEST_TERM)) + GAP;
}

function drawRow([term, meaning]: Row, start: number, form: HelpForm): string[] {
  const head = `${' '.repeat(INDENT)}${term}`;
  const room = widthOf(form) - start;
  if (room < NARROWEST_MEANING) return [...(term === '' ? [] : [head]), ...wrapText(meaning, 2 * INDENT, form)];
  const lines = wrapText(meaning, start, form);
  if (term.length > WIDEST_TERM) return [head, ...lines];
  return [`${head.padEnd(start)}${lines[0]?.slice(start) ?? ''}`.trimEnd(), ...lines.slice(1)];
}

/** Wraps a text and indents each line. */
function wrapText(text: string, indent: number, form: HelpForm): string[] {
  const width = widthOf(form) - indent;
  const lines = width < NARROWEST ? [text] : wrapWords(text, width);
  return lines.map((line) => `${' '.repeat(indent)}${line}`);
}

function widthOf({ columns }: HelpForm): number {
  return columns === Number.POSITIVE_INFINITY ? columns : Math.min(columns, WIDEST);
}
