import { quoted, usageError } from '../errors.ts';
import { defineCommand, type Entry } from '../kit/define.ts';
import { commandsLike, describeEntries, entriesBelow } from '../kit/describe.ts';
import { ABOUT_SVC, describePath, helpOn, PROGRAM_OPTIONS } from '../kit/help-text.ts';
import { flag, rest } from '../kit/parameters.ts';
import { document, type Result } from '../kit/result.ts';
import { closest } from '../kit/values/choice.ts';
import { textColumns } from '../terminal/capabilities.ts';
import { type Screen, strong } from '../terminal/screen.ts';
import { TABLES, TOPICS, type Topic } from './help/topics.ts';

const TOPIC_NAMES = TOPICS.map(({ name }) => name);

interface Help {
  readonly topic: Topic | undefined;
  /** The help text if there is no topic. */
  readonly text: string;
}

export default defineCommand({
  path: 'help',
  summary: 'Show help on a command or a topic',
  effect: 'local',
  args: {
    about: rest(`a command, or a topic: ${TOPIC_NAMES.join(', ')}`, 0, { offer: 'help' }),
  },
  options: {
    index: flag('every command on one line, with its effect'),
    schema: flag('the JSON Schema of what the command prints with --json, and of its errors'),
  },
  examples: [
    ['svc help domains add', 'how to use one command'],
    ['svc help exit-codes', 'what each exit code means'],
    ['svc help agents', 'the skill for an agent: what to run, exit codes, what never to do'],
    ['svc help --schema whoami', 'the JSON Schema of what a command prints with --json'],
    ['svc help --json', 'the whole command tree as data, for tools'],
  ],

  async run({ io, system: { version } }, { about, index, schema }, tree): Promise<Result<Help>> {
    if (schema) return readSchema(about, tree);
    return index ? readIndex(about, tree) : readHelp(about, tree, textColumns(io.view(io.out)), version);
  },

  human(screen, { topic, text }) {
    screen.exact();
    if (topic === undefined) return showText(screen, text);
    screen.heading(topic.title);
    topic.show(screen);
  },
});

async function readIndex(about: readonly string[], tree: readonly Entry[]): Promise<Result<Help>> {
  if (about.length > 0) throw usageError('--index lists every command.', 'svc help --index');
  const { indexOf, indexText } = await import('./help/agents.ts');
  const commands = await indexOf(tree);
  return { ...document('help index', { commands }), value: { topic: undefined, text: indexText(commands) } };
}

async function readSchema(about: readonly string[], tree: readonly Entry[]): Promise<Result<Help>> {
  checkPath(about, tree);
  const { schemaAt } = await import('./help/schema.ts');
  const result = document('help schema', await schemaAt(about, tree));
  return { ...result, value: { topic: undefined, text: `${JSON.stringify(result.value, null, 2)}\n` } };
}

async function readHelp(
  about: readonly string[],
  tree: readonly Entry[],
  columns: number,
  version: string,
): Promise<Result<Help>> {
  const topic = about.length === 1 ? TOPICS.find(({ name }) => name === about[0]) : undefined;
  if (topic?.text !== undefined) {
    const text = await topic.text(tree);
    return { ...document('help topic', { topic: topic.name, text }), value: { topic: undefined, text } };
  }
  if (topic !== undefined) {
    return { ...document('help topic', { topic: topic.name, ...topic.data }), value: { topic, text: '' } };
  }
  checkPath(about, tree);
  const data =
    about.length === 0
      ? document('help', await describeAll(tree, version))
      : document('help command', await describePath(about, tree));
  return { ...data, value: { topic: undefined, text: await helpOn(about, tree, { columns, bold: false }) } };
}

/** Describes the command tree, with the tables of the topics. */
async function describeAll(tree: readonly Entry[], version: string) {
  return {
    name: 'svc',
    version,
    description: ABOUT_SVC,
    globalOptions: PROGRAM_OPTIONS,
    commands: await describeEntries(tree),
    topics: TOPICS.map(({ name, title }) => ({ name, title })),
    ...TABLES,
  } as const;
}

/** Throws a usage error for words that name no command, with the one that was probably meant. */
function checkPath(about: readonly string[], tree: readonly Entry[]): void {
  const index = about.findIndex(
    (word, at) => !entriesBelow(tree, about.slice(0, at)).some(({ name }) => name === word),
  );
  const word = about[index];
  if (word === undefined) return;
  const before = about.slice(0, index);
  const path = ['svc', ...before].join(' ');
  const topic = index === 0 ? closest(word, TOPIC_NAMES) : undefined;
  const [meant = topic && `svc ${topic}`] = commandsLike(entriesBelow(tree, before), path, word);
  throw usageError(`There is no help on ${quoted(about.join(' '))}.`, (meant ?? path).replace('svc', 'svc help'));
}

/** Prints help text with bold section titles. */
function showText(screen: Screen, text: string): void {
  text.split(/^(\S.*:)\n/m).forEach((part, index) => {
    if (index % 2 === 1) screen.line(strong(part));
    else screen.verbatim(part);
  });
}
