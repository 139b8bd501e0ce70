import type { Command } from 'commander';
import type { Context } from '../command/context.ts';
import type { Attach } from '../command/declaration.ts';
import { describeCommand, describeProgram } from '../command/describe.ts';
import { closest } from '../command/parse/did-you-mean.ts';
import { document, type Result } from '../command/result.ts';
import { commandsLike } from '../command/unknown-command.ts';
import { pathOf } from '../command/usage.ts';
import { type CliError, quoted, usageError } from '../errors.ts';
import { type Screen, strong } from '../io/screen.ts';
import { findTopic, TOPICS, type Topic } from './help/topics.ts';

export interface HelpOptions {
  /** The words of a command, or the name of a topic. */
  readonly about?: readonly string[];
}

/** What is shown: a topic, or the help text of a command; and the same as data. */
interface Help {
  readonly topic: Topic | undefined;
  readonly text: string;
  readonly data: object;
}

export function define(parent: Command, attach: Attach): void {
  const command = parent
    .command('help')
    .description('Show help on a command or a topic')
    .argument('[about...]', `a command, or a topic: ${TOPICS.map((topic) => topic.name).join(', ')}`);
  attach(command, {
    run: (_context: Context, options: HelpOptions) => run(parent, options),
    human,
    examples: [
      ['svc help domains add', 'how to use one command'],
      ['svc help exit-codes', 'what each exit code means'],
      ['svc help --json', 'the whole command tree as data, for tools'],
    ],
  });
}

export async function run(program: Command, { about = [] }: HelpOptions): Promise<Result<Help>> {
  return document(helpOn(program, about), undefined, ({ data }) => data);
}

export function human(screen: Screen, { topic, text }: Help): void {
  screen.exact();
  if (topic === undefined) {
    showText(screen, text);
    return;
  }
  screen.heading(topic.title);
  topic.show(screen);
}

function helpOn(program: Command, about: readonly string[]): Help {
  const topic = about.length === 1 ? findTopic(about[0]) : undefined;
  if (topic !== undefined) return { topic, text: '', data: { topic: topic.name, ...topic.data } };
  const command = commandNamed(program, about);
  const data = command === program ? wholeTree(program) : describeCommand(command);
  return { topic: undefined, text: textOf(command), data };
}

/** The command tree with the tables that tools need beside it. */
function wholeTree(program: Command): object {
  const topics = TOPICS.map(({ name, title }) => ({ name, title }));
  return Object.assign(
    {},
    describeProgram(program),
    { topics },
    ...TOPICS.map(({ data: { notes, ...tables } }) => tables),
  );
}

function commandNamed(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child === undefined) throw noHelpOn(command, word, words);
    command = child;
  }
  return command;
}

function noHelpOn(command: Command, word: string, words: readonly string[]): CliError {
  const topics = command.parent ? [] : TOPICS.map(({ name }) => name);
  const topic = closest(word, topics);
  const [meant = topic && `svc ${topic}`] = commandsLike(command, word);
  return usageError(
    `There is no help on ${quoted(words.join(' '))}.`,
    meant === undefined ? pathOf(command).replace('svc', 'svc help') : meant.replace('svc', 'svc help'),
  );
}

/** The help text of a command, as `--help` prints it. */
function textOf(command: Command): string {
  const parts: string[] = [];
  const output = command.configureOutput();
  command.configureOutput({ writeOut: (part) => void parts.push(part), getOutHasColors: () => false });
  command.outputHelp();
  command.configureOutput(output);
  return parts.join('');
}

/** Titles of sections stand out. */
function showText(screen: Screen, text: string): void {
  text.split(/^(\S.*:)\n/m).forEach((part, index) => {
    if (index % 2 === 1) screen.line(strong(part));
    else screen.verbatim(part);
  });
}
