import type { Context } from '../command/context.ts';
import { defineCommand } from '../command/define.ts';
import { knownNames } from '../command/known.ts';
import type { NameKind } from '../command/parameters.ts';
import { rest } from '../command/parameters.ts';
import type { KnownName } from '../command/result.ts';
import type { Candidate, Completion } from './complete/candidates.ts';
import { complete } from './complete/candidates.ts';
import { TOPICS } from './help/topics.ts';

/**
 * What the completion scripts ask: `svc complete -- <words>`, where the last word is the one that is being typed.
 * Prints a line for each candidate, the word and its meaning with a tab between them; or `:files <prefix>` or
 * `:command <start>` where the shell knows better. Reads local files, and sends nothing.
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

/** What the line says of the service it is for. */
interface Line {
  readonly apiUrl?: string;
  readonly profile?: string;
}

/** Names that this machine has seen; none if anything is in the way. */
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
  return completion.words.map(toLine);
}

/** A tab and a line end are the only characters that mean something to the scripts. */
function toLine({ word, about }: Candidate): string {
  return `${word}\t${about.replace(/\s+/g, ' ')}`;
}
