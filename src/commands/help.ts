import type { Command } from 'commander';
import type { Attach } from '../command/attach.ts';
import type { Context } from '../command/context.ts';
import { describeProgram, type TreeDescription } from '../command/describe.ts';
import { document, type Result } from '../command/result.ts';
import { usageError } from '../errors.ts';
import type { Screen } from '../io/screen.ts';
import { ASSUMPTIONS } from '../spec/assumptions.ts';
import { ENVIRONMENT, EXIT_CODE_MEANINGS, findTopic, TOPICS, type Topic } from './help/topics.ts';

export interface HelpOptions {
  /** The words of a command, or the name of a topic. */
  readonly about?: readonly string[];
}

/** What is shown: a topic, or the help text of a command. */
interface Help {
  readonly tree: TreeDescription;
  readonly topic: Topic | undefined;
  readonly text: string;
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
  const topic = about.length === 1 ? findTopic(about[0]) : undefined;
  const text = topic ? '' : helpOf(commandNamed(program, about));
  return document({ tree: describeProgram(program), topic, text }, undefined, ({ tree }) => ({ ...tree, ...TABLES }));
}

export function human(screen: Screen, { topic, text }: Help): void {
  if (topic === undefined) {
    screen.verbatim(text);
    return;
  }
  screen.heading(topic.title);
  topic.show(screen);
}

/** What tools need to know beside the tree. */
const TABLES = {
  environment: ENVIRONMENT.map(([name, meaning]) => ({ name, meaning })),
  exitCodes: EXIT_CODE_MEANINGS.map(([exit, code, meaning]) => ({ exit, code, meaning })),
  assumptions: ASSUMPTIONS,
};

function commandNamed(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child === undefined) throw usageError(`There is no help on "${words.join(' ')}".`, 'svc help');
    command = child;
  }
  return command;
}

/** The help text as commander writes it, with the examples behind it. */
function helpOf(command: Command): string {
  const parts: string[] = [];
  const { writeOut, ...output } = command.configureOutput();
  command.configureOutput({ ...output, writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  command.configureOutput({ ...output, writeOut: writeOut ?? (() => undefined) });
  return parts.join('');
}
