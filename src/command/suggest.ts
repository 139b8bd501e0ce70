import { closest } from './parse/did-you-mean.ts';
import { type Entry, isGroup } from './registry.ts';

/** The entries below the group that the words name, in order; empty for a command. */
export function entriesBelow(tree: readonly Entry[], path: readonly string[]): readonly Entry[] {
  return path.reduce((entries: readonly Entry[], word) => {
    const entry = entries.find(({ name }) => name === word);
    return entry !== undefined && isGroup(entry) ? entry.children : [];
  }, tree);
}

/**
 * The command below `path` that is spelt like a word, or those further down with that name: `svc domains import` for
 * `import`.
 */
export function commandsLike(entries: readonly Entry[], path: string, word: string): string[] {
  const shown = entries.filter((entry) => isGroup(entry) || entry.hidden !== true);
  const near = closest(
    word,
    shown.map(({ name }) => name),
  );
  return near === undefined ? pathsTo(shown, path, word) : [`${path} ${near}`];
}

function pathsTo(entries: readonly Entry[], path: string, word: string): string[] {
  return entries.flatMap((entry) => {
    const here = `${path} ${entry.name}`;
    return [...(entry.name === word ? [here] : []), ...(isGroup(entry) ? pathsTo(entry.children, here, word) : [])];
  });
}
