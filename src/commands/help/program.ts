import type { Entry } from '../../cli/define/define.ts';
import { type CommandDescription, describeEntries } from '../../cli/help/describe.ts';
import { ABOUT_SVC, PROGRAM_OPTIONS } from '../../cli/help/help-text.ts';
import { TABLES, TOPICS } from './topics.ts';

/** Describes the whole program, as `svc help --json` prints it. */
export async function describeProgram(tree: readonly Entry[], version: string) {
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

/** Lists every group and command. */
export async function listCommands(tree: readonly Entry[]) {
  const listBelow = (command: CommandDescription): CommandDescription[] => [
    command,
    ...command.commands.flatMap(listBelow),
  ];
  return (await describeEntries(tree)).flatMap(listBelow);
}
