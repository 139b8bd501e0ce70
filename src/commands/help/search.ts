import type { Effect, Entry } from '../../kit/define.ts';
import { type CommandDescription, describeEntries } from '../../kit/describe.ts';
import type { DocumentOf } from '../../spec/fields/documents.ts';
import { TOPICS } from './topics.ts';

type Found = DocumentOf<'help search'>['found'][number];

/** Finds the commands and topics that mention all words, those that have them in their name or summary first. */
export async function search(words: readonly string[], tree: readonly Entry[]): Promise<readonly Found[]> {
  const pages = [
    ...(await commandsOf(tree)).map(({ path, summary, ...more }) => ({
      command: path.replace('svc', 'svc help'),
      about: summary,
      text: textOf([more.description, more.arguments, more.options, more.examples, more.exitCodes]),
    })),
    ...TOPICS.map(({ name, title, data }) => ({ command: `svc help ${name}`, about: title, text: textOf([data]) })),
  ];
  const isIn = (text: string) => words.every((word) => text.toLowerCase().includes(word.toLowerCase()));
  const [first, second] = [
    pages.filter(({ command, about }) => isIn(`${command} ${about}`)),
    pages.filter(({ text }) => isIn(text)),
  ];
  return [...new Set([...first, ...second])].map(({ command, about }) => ({ command, about }));
}

/** Describes every command that is not hidden, without the groups. */
export async function commandsOf(
  tree: readonly Entry[],
): Promise<ReadonlyArray<CommandDescription & { effect: Effect }>> {
  const all = (await describeEntries(tree)).flatMap(withThoseBelow);
  return all.flatMap((one) => (one.effect === undefined ? [] : [{ ...one, effect: one.effect }]));
}

function withThoseBelow(one: CommandDescription): readonly CommandDescription[] {
  return [one, ...one.commands.flatMap(withThoseBelow)];
}

/** Joins the values of data, without the names of its fields. */
function textOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return String(data ?? '');
  return Object.values(data).map(textOf).join(' ');
}
