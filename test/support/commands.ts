import { type Command, type Entry, isGroup } from '../../src/cli/define/define.ts';
import { TREE } from '../../src/commands/tree.ts';

/** Loads every command, those that programs call as well, by the words after `svc`. */
export async function allCommands(
  entries: readonly Entry[] = TREE,
  before = '',
): Promise<Map<string, Command>> {
  const found = entries.map(async (entry) => {
    const path = `${before}${entry.name}`;
    if (isGroup(entry)) return [...(await allCommands(entry.children, `${path} `))];
    return [[path, await entry.load()] as const];
  });
  return new Map((await Promise.all(found)).flat());
}
