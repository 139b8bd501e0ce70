import type { Context } from '../command/context.ts';
import { defineCommand } from '../command/define.ts';
import { knownNames } from '../command/known.ts';
import { type NameKind, rest } from '../command/parameters.ts';
import type { KnownName } from '../command/result.ts';
import { type Completion, complete, type Line } from './complete/candidates.ts';
import { TOPICS } from './help/topics.ts';

/**
 * Answers completion scripts: `svc complete -- <words>`, where the last word is still being typed. Prints the word and
 * the meaning of each candidate on a line, with a tab between; or `:files <prefix>` or `:command <start>` if the shell
 * should complete instead. Reads local files only.
 */
export default defineCommand({
  path: 'complete',
  summary: 'Print what Tab offers for a command line; completion scripts call it',
  effect: 'local',
  args: { words: rest('what is typed behind svc, after --', 0) },
  options: {},
  examples: [],

  async run(context, { words }) {
    const { TREE } = await import('./tree.ts');
    const topics = TOPICS.map(({ name, title }) => ({ word: name, about: title }));
    const names = (kind: NameKind, line: Line) => namesFor(context, kind, line);
    return { value: await complete(words, { tree: TREE, topics, names }), json: undefined };
  },

  human(screen, completion) {
    screen.exact();
    const lines = toLines(completion);
    if (lines.length > 0) screen.verbatim(lines.join('\n'));
  },
});

/** Looks up names that this machine has seen. Tab shows no errors, so an error means no names. */
function namesFor(context: Context, kind: NameKind, line: Line): readonly KnownName[] {
  try {
    const profiles = context.vault.signIns().credentials;
    if (kind === 'profiles') return profiles.map(({ profile, email }) => ({ name: profile, about: email }));
    const profile = profiles.find((one) => one.profile === line.profile);
    const address = line.apiUrl ?? profile?.baseUrl ?? context.settings.findApiUrl()?.value;
    return address === undefined ? [] : knownNames(context.vault.folder(), address, kind);
  } catch {
    return [];
  }
}

function toLines(completion: Completion): readonly string[] {
  if ('files' in completion) return [`:files ${completion.files.before}`];
  if ('command' in completion) return [`:command ${completion.command.start}`];
  // Tabs and line ends separate candidates for the scripts.
  return completion.words.map(({ word, about }) => `${word}\t${about.replace(/\s+/g, ' ')}`);
}
