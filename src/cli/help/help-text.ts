import { code, type Screen, strong } from '../../terminal/screen.ts';
import { type Entry, isGroup } from '../define/define.ts';
import { GLOBAL_OPTIONS } from '../settings/globals.ts';
import { flag, LESS_USED } from '../values/parameters.ts';
import { longName, TABLE_KEYS } from '../values/read-values.ts';
import {
  type CommandDescription,
  describeEntries,
  describeOptions,
  describePath,
  entryAt,
  type OptionDescription,
  visible,
} from './describe.ts';

type Row = readonly [term: string, meaning: string];
type Section = readonly [title: string, rows: readonly Row[]];
/** Draws help. */
export type Show = (screen: Screen) => void;

/** Without a full stop. */
export const ABOUT_SVC = 'Manage your hosting from the terminal';

/** With those of the program alone. */
export const PROGRAM_OPTIONS: readonly OptionDescription[] = [
  optionOfProgram('V', 'version', 'print the version'),
  ...describeOptions(GLOBAL_OPTIONS),
  optionOfProgram('h', 'help', 'show help'),
];

function optionOfProgram(short: string, key: string, meaning: string): OptionDescription {
  return describeOptions({ [key]: flag(meaning, { short }) })[0] as OptionDescription;
}

const START: readonly Row[] = [
  ['svc sandbox tour', 'see every command in action, without an account'],
  ['svc login', 'sign in, and remember the address'],
  ['svc doctor', 'check your setup and suggest fixes'],
];
const MORE: readonly Row[] = [
  ['svc <command> --help', 'arguments, options and examples of a command'],
  ['svc help all', 'every command in a sentence'],
  ['svc help <topic>', 'a topic, or an error code'],
];

/** Short enough for a terminal of 24 rows; loads no command. */
export function helpOnProgram(tree: readonly Entry[], topics: readonly string[]): Show {
  const groups = byGroup(
    visible(tree).map(({ name, heading = 'Commands' }) => ({ name, group: heading })),
  );
  const names = groups.map(
    ([title, members]): Row => [title, members.map(({ name }) => name).join(', ')],
  );
  const commands: Section = ['Commands', [...names, ['Topics', topics.join(', ')]]];
  return showSvc([commands, ['Start here', START], ['More help', MORE]]);
}

/** A line for each command. */
export async function helpOnAll(tree: readonly Entry[]): Promise<Show> {
  const sections = byGroup(await describeEntries(tree)).map(([title, members]): Section => {
    const all = members.flatMap((command) =>
      command.commands.length > 0 ? command.commands : [command],
    );
    return [title, all.map(({ path, summary }) => [path.replace('svc ', ''), summary])];
  });
  return showSvc(sections);
}

function showSvc(sections: readonly Section[]): Show {
  return (screen) => showSections(screen, 'svc <command> [options]', ABOUT_SVC, sections);
}

/**
 * Returns the help on a command or a group.
 * @param isFull explains the options below {@link LESS_USED} as well, and adds to a group what
 * belongs to its usual command
 */
export async function helpOn(
  path: readonly string[],
  tree: readonly Entry[],
  isFull = false,
): Promise<Show> {
  const described = await describePath(path, tree);
  const standIn = described.commands.find(({ isDefault }) => isDefault);
  const { arguments: args, examples, options, exitCodes } = standIn ?? described;
  const several = options.filter(({ group }) => group.startsWith('A batch of '));
  const tables = options.filter(({ long }) => TABLE_FLAGS.includes(long));
  const lessUsed = options.filter(({ group }) => !isFull && group === LESS_USED);
  const own = options.filter((one) => ![...several, ...tables, ...lessUsed].includes(one));
  const sameAs = (name: string) => own.find(({ long }) => long === `--${name}`);
  const groups = byGroup(own.filter((one) => args.every(({ name }) => sameAs(name) !== one)));
  const rows = [
    ...args.map(
      ({ name, description }): Row => [
        [name, sameAs(name)?.flags ?? []].flat().join(', '),
        description,
      ],
    ),
    ...rowsOf(groups.find(([title]) => title === 'Options')?.[1] ?? []),
    ...several
      .slice(0, 1)
      .map(({ flags, group }): Row => [flags, `${group.toLowerCase()} at once (svc help many)`]),
    ...tables.slice(0, 1).map(({ flags }): Row => [flags, 'as a table (svc help many)']),
  ];
  const title = args.length === 0 ? 'Options' : 'Arguments and options';
  const sections: readonly Section[] = [
    ['Examples', examples.map(({ command, meaning }) => [command, meaning])],
    ['Commands', described.commands.map(commandRow)],
    [standIn === undefined ? title : `${title} of "${standIn.path}"`, rows],
    ...groups
      .filter(([group]) => group !== 'Options')
      .map(([group, members]): Section => [group, rowsOf(members)]),
    ...(!isFull && standIn !== undefined ? [] : await moreOf(path, tree)),
  ];
  const codes = [...new Set(exitCodes.map((row) => row.code))].join(', ');
  const aboutCodes = codes === '' ? '' : ` · exit codes ${codes}: svc help exit-codes`;
  return (screen) => {
    showSections(screen, described.usage, described.description, sections);
    screen.line();
    if (lessUsed.length > 0) {
      const names = lessUsed.map(({ long }) => long).join(' ');
      screen.line(`Less used (svc help ${path.join(' ')} --full): ${names}`);
    }
    screen.line(`More: svc help options${aboutCodes}`);
  };
}

const TABLE_FLAGS: readonly string[] = TABLE_KEYS.map((key) => longName(key, { form: 'switch' }));

/** A group has that of its stand-in. */
async function moreOf(
  path: readonly string[],
  tree: readonly Entry[],
): Promise<readonly Section[]> {
  const entry = entryAt(tree, path);
  if (entry === undefined) return [];
  if (isGroup(entry))
    return entry.standIn === undefined ? [] : moreOf([...path, entry.standIn], tree);
  const more = await (await entry.load()).default.more?.();
  return more === undefined ? [] : [[more.title, more.rows]];
}

function showSections(
  screen: Screen,
  usage: string,
  description: string,
  sections: readonly Section[],
): void {
  screen.exact();
  screen.line([strong('Usage:'), ' ', code(usage)]);
  screen.line();
  screen.line(`${description}.`);
  for (const [title, rows] of sections) {
    if (rows.length === 0) continue;
    screen.heading(`${title}:`);
    screen.terms(rows);
  }
}

function rowsOf(options: readonly OptionDescription[]): readonly Row[] {
  return options.map(({ flags, description }) => [flags, description]);
}

function commandRow({ path, arguments: args, summary, isDefault }: CommandDescription): Row {
  const needed = args.filter(({ required }) => required).map(({ name }) => `<${name}>`);
  return [
    [path.split(' ').at(-1), ...needed].join(' '),
    isDefault ? `${summary} (default)` : summary,
  ];
}

function byGroup<Member extends { readonly group: string }>(
  members: readonly Member[],
): Array<[string, Member[]]> {
  const groups = new Map<string, Member[]>();
  for (const member of members)
    groups.set(member.group, [...(groups.get(member.group) ?? []), member]);
  return [...groups];
}
