import type { Needs } from '../cli/define/context.ts';
import { defineCommand, type Entry } from '../cli/define/define.ts';
import { getCachedNames } from '../cli/define/name-cache.ts';
import { describeEntries, listEntriesBelow } from '../cli/help/describe.ts';
import { getNameKind, type Parameter, rest } from '../cli/values/parameters.ts';
import { type Candidate, UnfinishedLine } from './complete/unfinished-line.ts';
import { TOPICS } from './help/topics.ts';

/**
 * Answers completion scripts: `svc complete -- <words>`, where the last word is still being typed.
 * Prints candidates, each with a tab and its meaning; or `:files <prefix>` or `:command <start>` if
 * the shell should complete. Sends nothing.
 */
export default defineCommand({
  path: 'complete',
  summary: 'Print what Tab offers for a command line; completion scripts call it',
  effect: 'local',
  args: { words: rest('what is typed behind svc, after --', 0) },

  async run(context, { words }, tree) {
    const line = new UnfinishedLine(tree);
    for (const word of words.slice(0, -1)) await line.read(word);

    const typed = words.at(-1) ?? '';
    const isOption = line.mayBeOption(typed);
    const assignment = isOption ? /^(--[^=]*)=/.exec(typed) : null;
    const [start = '', name = ''] = assignment ?? [];
    const parameter = isOption ? line.findOption(name)?.[1] : line.findParameter();
    if (parameter?.offer === 'command') return print([`:command ${line.firstArgumentIndex}`]);
    if (parameter === undefined) {
      const candidates = isOption ? line.listOptions() : await describeAll(line.entries);
      return print(format(candidates, typed));
    }

    // Behind a comma the next one is offered, and none twice.
    const listed = parameter.commas ? typed.slice(start.length, typed.lastIndexOf(',') + 1) : '';
    if (parameter.offer === 'files') return print([`:files ${start}${listed}`]);
    const candidates = await listCandidates(parameter, line, tree, context);
    const free = candidates.filter(({ word }) => !listed.split(',').includes(word));
    return print(format(free, typed, start + listed));
  },

  human(screen, lines) {
    screen.exact();
    if (lines.length > 0) screen.verbatim(lines.join('\n'));
  },
});

function print(lines: readonly string[]) {
  return { value: lines, json: undefined };
}

async function listCandidates(
  parameter: Parameter,
  { args, optionTexts }: UnfinishedLine,
  tree: readonly Entry[],
  context: Needs<'settings' | 'store'>,
) {
  if (parameter.choices !== undefined) {
    return parameter.choices.map((word) => ({ word, about: '' }));
  }
  if (parameter.offer === 'help') {
    const topics = args.length === 0 ? TOPICS : [];
    return [
      ...(await describeAll(listEntriesBelow(tree, args))),
      ...topics.map(({ name, title }) => ({ word: name, about: title })),
    ];
  }

  const kind = getNameKind(parameter);
  const names = kind === undefined ? [] : getCachedNames(context, kind, optionTexts);
  return names.map(({ name, about = '' }) => ({ word: name, about }));
}

async function describeAll(entries: readonly Entry[]) {
  const commands = await describeEntries(entries);
  return commands.map(({ path, summary }) => ({
    word: path.slice(path.lastIndexOf(' ') + 1),
    about: summary,
  }));
}

/** Writes those that begin as typed. Tabs and line ends separate candidates for the scripts. */
function format(candidates: readonly Candidate[], typed: string, prefix = '') {
  return candidates
    .map(({ word, about }) => `${prefix}${word}\t${about.replace(/\s+/g, ' ')}`)
    .filter((line) => line.startsWith(typed));
}
