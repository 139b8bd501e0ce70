import { groupBy } from '../../group-by.ts';
import { code, type Screen, strong } from '../../terminal/screen.ts';
import { type Entry, isGroup } from '../define/define.ts';
import { GLOBAL_OPTIONS } from '../settings/globals.ts';
import { flag, LESS_USED, longName, TABLE_KEYS } from '../values/parameters.ts';
import {
  type CommandDescription,
  describeEntries,
  describeOptions,
  describePath,
  findEntry,
  listVisible,
  type OptionDescription,
} from './describe.ts';

type Row = readonly [term: string, meaning: string];
type Section = readonly [title: string, rows: readonly Row[]];

/** Draws help. */
export type Show = (screen: Screen) => void;

/** The sentence that says what svc is, without a full stop. */
export const ABOUT_SVC = 'Manage your hosting from the terminal';

/** The options that stand behind any command, and those of the program alone. */
export const PROGRAM_OPTIONS: readonly OptionDescription[] = describeOptions({
  version: flag('print the version', { short: 'V' }),
  ...GLOBAL_OPTIONS,
  help: flag('show help', { short: 'h' }),
});

/** Returns the help on svc: short enough for a terminal of 24 rows; loads no command. */
export function createProgramHelp(tree: readonly Entry[], topics: readonly string[]): Show {
  const groups = groupBy(listVisible(tree), ({ heading = 'Commands' }) => heading);
  const names = [...groups].map(
    ([title, entries]): Row => [title, entries.map(({ name }) => name).join(', ')],
  );
  return createSvcHelp([
    ['Commands', [...names, ['Topics', topics.join(', ')]]],
    [
      'Start here',
      [
        ['svc sandbox tour', 'see every command in action, without an account'],
        ['svc login', 'sign in, and remember the address'],
        ['svc doctor', 'check your setup and suggest fixes'],
      ],
    ],
    [
      'More help',
      [
        ['svc <command> --help', 'arguments, options and examples of a command'],
        ['svc help all', 'every command in a sentence'],
        ['svc help <topic>', 'a topic, or an error code'],
      ],
    ],
  ]);
}

/** Returns the help on everything: a line for each command. */
export async function createOverview(tree: readonly Entry[]): Promise<Show> {
  const groups = groupBy(await describeEntries(tree), ({ group }) => group);
  const sections = [...groups].map(([title, members]): Section => {
    const commands = members.flatMap((command) =>
      command.commands.length > 0 ? command.commands : [command],
    );
    return [title, commands.map(({ path, summary }) => [path.replace('svc ', ''), summary])];
  });
  return createSvcHelp(sections);
}

function createSvcHelp(sections: readonly Section[]): Show {
  return (screen) => showSections(screen, 'svc <command> [options]', ABOUT_SVC, sections);
}

/**
 * Returns the help on a command or a group.
 * @param isFull explains the options below {@link LESS_USED} as well, and adds to a group what
 * belongs to its usual command
 */
export async function createHelp(
  path: readonly string[],
  tree: readonly Entry[],
  isFull = false,
): Promise<Show> {
  const described = await describePath(path, tree);
  const usual = described.commands.find(({ isDefault }) => isDefault);
  const command = usual ?? described;
  const groups = groupOptions(command);
  const title = command.arguments.length === 0 ? MAIN : 'Arguments and options';
  const lessUsed = isFull ? [] : (groups.get(LESS_USED) ?? []);

  const sections: readonly Section[] = [
    ['Examples', command.examples.map((example) => [example.command, example.meaning])],
    ['Commands', described.commands.map(toCommandRow)],
    [usual ? `${title} of "${usual.path}"` : title, listMainRows(command, groups)],
    ...listOtherGroups(groups, isFull),
    ...(isFull || !usual ? await readMore(path, tree) : []),
  ];
  return (screen) => {
    showSections(screen, described.usage, described.description, sections);
    screen.line();
    if (lessUsed.length > 0) {
      const names = lessUsed.map(({ long }) => long).join(' ');
      screen.line(`Less used (svc help ${path.join(' ')} --full): ${names}`);
    }
    screen.line(`More: svc help options${describeExitCodes(command)}`);
  };
}

/** The groups that the help keeps short; their options are explained elsewhere. */
const BATCH = 'Batch';
const TABLE = 'Table';
const MAIN = 'Options';

const TABLE_FLAGS: readonly string[] = TABLE_KEYS.map((key) => longName(key, { form: 'switch' }));

type OptionGroups = ReturnType<typeof groupOptions>;

/** Groups the options, without those that only repeat an argument. */
function groupOptions({ options, arguments: args }: CommandDescription) {
  const rest = options.filter(({ long }) => args.every(({ name }) => long !== `--${name}`));
  return groupBy(rest, ({ long, group }) => {
    if (group.startsWith('A batch of ')) return BATCH;
    return TABLE_FLAGS.includes(long) ? TABLE : group;
  });
}

function listMainRows(command: CommandDescription, groups: OptionGroups): readonly Row[] {
  const [batch] = groups.get(BATCH) ?? [];
  const [table] = groups.get(TABLE) ?? [];
  // An argument stands with the option that does the same.
  const rows = command.arguments.map(({ name, description }): Row => {
    const same = command.options.find(({ long }) => long === `--${name}`);
    return [same ? `${name}, ${same.flags}` : name, description];
  });
  rows.push(...toRows(groups.get(MAIN)));
  if (batch) rows.push([batch.flags, `${batch.group.toLowerCase()} at once (svc help many)`]);
  if (table) rows.push([table.flags, 'as a table (svc help many)']);
  return rows;
}

function listOtherGroups(groups: OptionGroups, isFull: boolean): readonly Section[] {
  const short = [BATCH, TABLE, MAIN, isFull ? '' : LESS_USED];
  const others = [...groups].filter(([title]) => !short.includes(title));
  return others.map(([title, options]) => [title, toRows(options)]);
}

/** Reads what a command adds to its help; a group has that of its usual command. */
async function readMore(
  path: readonly string[],
  tree: readonly Entry[],
): Promise<readonly Section[]> {
  const entry = findEntry(tree, path);
  if (!entry) return [];
  if (isGroup(entry)) return readMore([...path, entry.defaultCommand ?? ''], tree);

  const more = await (await entry.load()).more?.();
  return more ? [[more.title, more.rows]] : [];
}

function describeExitCodes({ exitCodes }: CommandDescription): string {
  const codes = [...new Set(exitCodes.map(({ code }) => code))].join(', ');
  return codes === '' ? '' : ` · exit codes ${codes}: svc help exit-codes`;
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

function toRows(options: readonly OptionDescription[] = []): readonly Row[] {
  return options.map(({ flags, description }) => [flags, description]);
}

function toCommandRow({ path, arguments: args, summary, isDefault }: CommandDescription): Row {
  const needed = args.filter(({ required }) => required).map(({ name }) => `<${name}>`);
  const term = [path.split(' ').at(-1), ...needed].join(' ');
  return [term, isDefault ? `${summary} (default)` : summary];
}
