import type { Command } from './define.ts';

/** A command of the tree. Its file is loaded only if it is typed, or if help needs it. */
export interface Leaf {
  readonly name: string;
  readonly heading?: string;
  /** Left out of lists: a command that other programs call. */
  readonly hidden?: boolean;
  readonly load: () => Promise<{ readonly default: Command }>;
}

/** A group of commands, such as `svc domains`. */
export interface Group {
  readonly name: string;
  readonly heading?: string;
  readonly summary: string;
  /** The child that runs if none is named. */
  readonly standIn?: string;
  readonly children: readonly Entry[];
}

/** A part of the command tree. */
export type Entry = Leaf | Group;

/** Whether an entry is a group. */
export function isGroup(entry: Entry): entry is Group {
  return 'children' in entry;
}
