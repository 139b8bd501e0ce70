import { type Command, type Entry, isGroup } from '../../cli/define/define.ts';
import { findEntry } from '../../cli/help/describe.ts';
import { listPaths } from '../../cli/read/mistakes.ts';
import { DOCUMENTS, type DocumentOf, LINES } from '../../contract/fields/documents.ts';
import type { Fields } from '../../contract/fields/field.ts';
import { OPERATION_FIELDS } from '../../contract/fields/operations.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { DIALECT, toDocumentSchema, toSchema } from '../../contract/schema.ts';
import { usageError } from '../../errors.ts';

/**
 * Finds the schema of a command, or of the default command of a group.
 * @throws CliError `usage` for a group without one.
 */
export async function findSchema(
  words: readonly string[],
  tree: readonly Entry[],
): Promise<DocumentOf<'help schema'>> {
  const entry = findEntry(tree, words);
  if (entry === undefined) {
    throw usageError('--schema needs a command.', 'svc help --schema whoami');
  }
  if (!isGroup(entry)) return createCommandSchema(await entry.load(), tree);
  const path = [...words, entry.defaultCommand ?? entry.children[0]?.name ?? ''];
  if (entry.defaultCommand !== undefined) return findSchema(path, tree);
  throw usageError('--schema needs a command, not a group.', `svc help --schema ${path.join(' ')}`);
}

/**
 * Creates the schema of what a command prints on stdout with `--json`, or of each of several lines.
 * Objects of stderr are in `$defs`.
 */
export function createCommandSchema(
  command: Command,
  tree: readonly Entry[],
): DocumentOf<'help schema'> {
  return {
    $schema: DIALECT,
    title: `svc ${command.path} --json`,
    anyOf: listSchemas(command, tree),
    $defs: { error: toSchema(LINES.error), warning: toSchema(LINES.warning) },
  };
}

function listSchemas({ path, options, batch }: Command, tree: readonly Entry[]) {
  const commands = listPaths(tree).map((words) => words.join(' '));
  const isOwn = (name: string) =>
    name === path || (name.startsWith(`${path} `) && !commands.includes(name));
  const events = Object.entries<Fields>(LINES).filter(
    ([name]) => name === path || name.startsWith(`${path}_`),
  );
  // The lookup of a job answers like the operation that queued it.
  const namesake = path === 'wp status' ? 'wp run' : path;
  const operations = Object.values(OPERATIONS).filter(
    ({ command }) => command === namesake && events.length === 0,
  );
  const documents = Object.entries<Fields>(DOCUMENTS).filter(([name]) => isOwn(name));
  const own = [
    ...documents.map(([, fields]) => toDocumentSchema(fields)),
    ...events.map(([, fields]) => toSchema(fields)),
    ...operations.map(({ name }) =>
      toSchema(OPERATION_FIELDS[name as keyof typeof OPERATION_FIELDS].answer),
    ),
  ];
  if (own.length === 0) return [{}];
  return [
    ...own,
    ...('dryRun' in options ? [toDocumentSchema(DOCUMENTS['dry-run'])] : []),
    ...(batch === undefined ? [] : [toSchema(LINES.several)]),
  ];
}
