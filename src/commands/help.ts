import { getFailureRule } from '../api/statuses.ts';
import { defineCommand, document, type Entry, withView } from '../cli/define/define.ts';
import {
  type CommandDescription,
  describeEntries,
  describePath,
  findEntry,
} from '../cli/help/describe.ts';
import {
  ABOUT_SVC,
  createHelp,
  createOverview,
  createProgramHelp,
  PROGRAM_OPTIONS,
} from '../cli/help/help-text.ts';
import { findMeanings } from '../cli/read/mistakes.ts';
import { flag, rest } from '../cli/values/parameters.ts';
import { closest } from '../cli/values/text.ts';
import { EXIT_CODES, quote, usageError } from '../errors.ts';
import { readCodes, readTopic, TABLES, TOPICS } from './help/topics.ts';

const TOPIC_NAMES = TOPICS.map(({ name }) => name);

export default defineCommand({
  summary: 'Show help on a command, a topic or an error code',
  effect: 'local',
  args: {
    about: rest(`a command, an error code, all, or a topic: ${TOPIC_NAMES.join(', ')}`, 0, {
      offer: 'help',
    }),
  },
  options: {
    full: flag('explain the options that are less used, too'),
    index: flag('list every command on one line, with its effect'),
    schema: flag('print the JSON Schema of the --json output of a command, and of its errors'),
  },
  examples: [
    ['svc help domains add', 'how to use one command'],
    ['svc help not_found', 'what an error code means, and what to do'],
    ['svc help agents', 'the skill for an agent: what to run, exit codes, what never to do'],
    ['svc help --schema whoami', 'the JSON Schema of what a command prints with --json'],
    ['svc help --json', 'the whole command tree as data, for tools'],
  ],

  async run(context, { about, full, index, schema }, tree) {
    if (schema) return readSchema(about, tree);
    return index ? readIndex(about, tree) : readHelp(about, full, tree, context.program);
  },
});

async function readSchema(about: readonly string[], tree: readonly Entry[]) {
  checkWords(about, tree);
  const { findSchema } = await import('./help/schema.ts');
  return withView(document('help schema', await findSchema(about, tree)), (screen, schema) => {
    screen.exact();
    screen.verbatim(`${JSON.stringify(schema, null, 2)}\n`);
  });
}

async function readIndex(about: readonly string[], tree: readonly Entry[]) {
  if (about.length > 0) throw usageError('--index lists every command.', 'svc help --index');
  const listBelow = (command: CommandDescription): readonly CommandDescription[] => [
    command,
    ...command.commands.flatMap(listBelow),
  ];
  const described = (await describeEntries(tree)).flatMap(listBelow);
  const commands = described.flatMap(({ usage, effect, summary }) =>
    effect === undefined ? [] : [{ usage: usage.replace(' [options]', ''), effect, summary }],
  );
  return withView(document('help index', { commands }), (screen) => {
    screen.exact();
    screen.verbatim(
      commands.map(({ usage, effect, summary }) => `${usage} (${effect}) ${summary}\n`),
    );
  });
}

async function readHelp(
  about: readonly string[],
  full: boolean,
  tree: readonly Entry[],
  { version, packageFolder }: { readonly version: string; readonly packageFolder: string },
) {
  const [word = 'all'] = about;
  if (about.length < 2) {
    const topic = TOPICS.find(({ name }) => name === word);
    if (topic !== undefined) return readTopic(topic, packageFolder);
    if (word === 'all') {
      const show =
        about.length === 0 ? createProgramHelp(tree, TOPIC_NAMES) : await createOverview(tree);
      const program = document('help', {
        name: 'svc',
        version,
        description: ABOUT_SVC,
        globalOptions: PROGRAM_OPTIONS,
        commands: await describeEntries(tree),
        topics: TOPICS.map(({ name, title }) => ({ name, title })),
        ...TABLES,
      });
      return withView(program, show);
    }

    // An HTTP status is looked up as the error code that svc makes of it.
    const errorCode = /^[45]\d\d$/.test(word) ? getFailureRule(Number(word)).code : word;
    const codes = TABLES.exitCodes.filter(
      ({ exit, code }) => code === errorCode || `${exit}` === word,
    );
    if (codes.length > 0) return readCodes(word, codes, packageFolder);
  }

  checkWords(about, tree);
  const description = document('help command', await describePath(about, tree));
  return withView(description, await createHelp(about, tree, full));
}

/** Throws a usage error for words that name no command. */
function checkWords(about: readonly string[], tree: readonly Entry[]) {
  const index = about.findIndex(
    (_word, at) => findEntry(tree, about.slice(0, at + 1)) === undefined,
  );
  if (index < 0) return;

  const word = about[index] ?? '';
  const before = about.slice(0, index);
  const near =
    index === 0 ? closest(word, [...TOPIC_NAMES, ...Object.keys(EXIT_CODES)]) : undefined;
  const [command] = findMeanings(tree, before, [word]);
  const meant = command?.words ?? (near === undefined ? before : [near]);
  throw usageError(
    `There is no help on ${quote(about.join(' '))}.`,
    ['svc help', ...meant].join(' '),
  );
}
