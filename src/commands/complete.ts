import { defineCommand } from '../kit/define.ts';
import { type NameScope, namesSeen } from '../kit/known.ts';
import { type NameKind, rest } from '../kit/parameters.ts';
import { type Completion, complete } from './complete/candidates.ts';
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

  async run(context, { words }, tree) {
    const topics = TOPICS.map(({ name, title }) => ({ word: name, about: title }));
    const names = (kind: NameKind, line: NameScope) => namesSeen(context, kind, line);
    return { value: await complete(words, { tree, topics, names }), json: undefined };
  },

  human(screen, completion) {
    screen.exact();
    const lines = toLines(completion);
    if (lines.length > 0) screen.verbatim(lines.join('\n'));
  },
});

function toLines(completion: Completion): readonly string[] {
  if ('files' in completion) return [`:files ${completion.files.before}`];
  if ('command' in completion) return [`:command ${completion.command.start}`];
  // Tabs and line ends separate candidates for the scripts.
  return completion.words.map(({ word, about }) => `${word}\t${about.replace(/\s+/g, ' ')}`);
}
