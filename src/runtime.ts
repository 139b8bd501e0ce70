/** What runs svc: Node, or the Bun inside the executable. */
export interface Runtime {
  readonly name: 'node' | 'bun';
  readonly version: string;
  /** The command that starts this program again. */
  readonly self: readonly string[];
}

/** Tells Node and Bun apart; nothing else in svc does. `script` is the path of the entry, which an executable embeds. */
export function runtimeOf({ versions, execPath }: NodeJS.Process, script: string): Runtime {
  const { bun, node } = versions;
  if (bun === undefined) return { name: 'node', version: node, self: [execPath, script] };
  return { name: 'bun', version: bun, self: [execPath] };
}
