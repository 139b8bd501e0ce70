/** The program that runs svc: Node, or the Bun inside the executable. */
export interface Runtime {
  readonly name: 'node' | 'bun';
  readonly version: string;
  readonly self: readonly string[];
  /** Returns the bytes that the objects of the program may take. */
  heapLimit(): number;
}

/** Whether Bun runs svc, where no context can say so. */
export const IS_BUN = 'Bun' in globalThis;

const EMBEDDED = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;

/** Nothing else tells Node and Bun apart. `script` is the entry, which an executable embeds. */
export function getRuntime(
  { versions, execPath, getBuiltinModule }: NodeJS.Process,
  script: string,
): Runtime {
  const { bun, node } = versions;
  // Loading v8 takes 5 ms.
  const heapLimit = () => getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit;
  if (bun === undefined) {
    return { name: 'node', version: node, self: [execPath, script], heapLimit };
  }
  // Bun makes such a figure up from what it has in use; its heap has no limit.
  const self = EMBEDDED.test(script) ? [execPath] : [execPath, script];
  return { name: 'bun', version: bun, self, heapLimit: () => Number.POSITIVE_INFINITY };
}
