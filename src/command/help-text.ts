import {
  type CommandDescription,
  describeEntries,
  describeEntry,
  describeOptions,
  nameOf,
  type OptionDescription,
} from './describe.ts';
import { GLOBAL_OPTIONS } from './globals.ts';
import { drawSections, type HelpForm, type Row, type Section, wrapText } from './help-layout.ts';
import { type Entry, isGroup } from './registry.ts';

/** What svc is, in a line. */
export const ABOUT_SVC = 'The command-line client of the hosting platform';

/** The options of every command, with those that only the program has. */
export const PROGRAM_OPTIONS: readonly OptionDescription[] = [
  optionOfProgram('-V, --version', 'print the version'),
  ...describeOptions(GLOBAL_OPTIONS),
  optionOfProgram('-h, --help', 'show help'),
];

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

/** The help text of `svc`. Loads every command. */
async function helpOnProgram(tree: readonly Entry[], form: HelpForm): Promise<string> {
  const groups = grouped(await describeEntries(tree));
  const commands = groups.map(([title, members]) => ({ title, column: 'commands', rows: members.map(summaryRow) }));
  const sections = [...commands, globalSection(), ...NEXT_STEPS];
  return drawHelp('svc <command> [options]', ABOUT_SVC, sections, form);
}

/**
 * The help text of the command or group that the words name: how it is typed, what belongs to it, the options of every
 * command, examples.
 */
export async function helpOn(path: readonly string[], tree: readonly Entry[], form: HelpForm): Promise<string> {
  if (path.length === 0) return helpOnProgram(tree, form);
  const command = await describePath(path, tree);
  const standIn = command.commands.find(({ isDefault }) => isDefault);
  const { examples, exitCodes } = standIn ?? command;
  const sections: readonly Section[] = [
    { title: 'Commands', rows: command.commands.map(commandRow) },
    {
      title: 'Arguments',
      column: 'options',
      rows: command.arguments.map(({ name, description }) => [name, description]),
    },
    ...grouped(command.options).map(([title, members]) => optionSection(title, members)),
    ...(standIn ? [optionSection(`Options of "${standIn.path}"`, standIn.options)] : []),
    globalSection(),
    { title: 'Examples', lines: examples.flatMap(({ command, meaning }) => [`  # ${meaning}`, `  $ ${command}`]) },
    { title: 'Exit codes', rows: exitCodes.map(({ code, meaning }) => [String(code), meaning]) },
  ];
  return drawHelp(command.usage, command.description, sections, form);
}

/** Describes the command or group that the words name. Throws if they name none. */
export async function describePath(
  path: readonly string[],
  entries: readonly Entry[],
  before = 'svc',
  standIn?: string,
): Promise<CommandDescription> {
  const [name, ...more] = path;
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) throw new RangeError(`${before} has no command ${name}`);
  if (more.length === 0) return describeEntry(entry, { before, isDefault: name === standIn });
  const group = isGroup(entry) ? entry : { children: [], standIn: undefined };
  return describePath(more, group.children, `${before} ${name}`, group.standIn);
}

function drawHelp(usage: string, description: string, sections: readonly Section[], form: HelpForm): string {
  const head = [`Usage: ${usage}`, wrapText(`${description}.`, 0, form).join('\n')];
  return `${[...head, ...drawSections(sections, form)].join('\n\n')}\n`;
}

function globalSection(): Section {
  return { ...optionSection('Global options', PROGRAM_OPTIONS), column: 'global' };
}

function optionSection(title: string, options: readonly OptionDescription[]): Section {
  return { title, column: 'options', rows: options.map(({ flags, description }) => [flags, description]) };
}

function summaryRow(command: CommandDescription): Row {
  return [nameOf(command), command.summary];
}

/** A subcommand with the arguments that it needs. */
function commandRow(command: CommandDescription): Row {
  const needed = command.arguments.filter(({ required }) => required).map(({ name }) => `<${name}>`);
  return [[nameOf(command), ...needed].join(' '), command.isDefault ? `${command.summary} (default)` : command.summary];
}

function grouped<Member extends { readonly group: string }>(members: readonly Member[]): Array<[string, Member[]]> {
  const groups = new Map<string, Member[]>();
  for (const member of members) groups.set(member.group, [...(groups.get(member.group) ?? []), member]);
  return [...groups];
}

function optionOfProgram(flags: string, description: string): OptionDescription {
  const [short, long = ''] = flags.split(', ');
  return { flags, long, short, description, value: undefined, choices: [], repeatable: false, group: 'Options' };
}
