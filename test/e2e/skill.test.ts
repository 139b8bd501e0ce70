import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { type Command, type Entry, isGroup } from '../../src/kit/define.ts';
import { inSandbox } from '../support/in-sandbox.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const SKILL = readFileSync(join(import.meta.dirname, '../../skills/svc/SKILL.md'), 'utf8');

/** Every command line of the skill that has no place to fill in. */
const LINES = [...new Set([...SKILL.matchAll(/^svc .+$/gm), ...SKILL.matchAll(/(?<=`)svc [^`]+(?=`)/g)].map(String))]
  // The rest of the line, and its approval by a person: test/mcp/tools.test.ts.
  .filter((line) => !/^svc (?:sandbox exec --$|login --complete)/.test(line));

test.each(LINES)('a line of the skill works for an agent: %s', async (line) => {
  const { exitCode, all = '' } = await inSandbox(`${line} --json`, await temporaryFolder(), { CLAUDECODE: '1' });
  const needsPerson = /^svc (?:buy --plan|buy --item|domains add)/.test(line) && !line.includes('--dry-run');
  if (needsPerson) expect([exitCode, all]).toEqual([2, expect.stringContaining('"nextBy":"person"')]);
  // The move of a domain that nobody has staged is not complete.
  else expect(line.startsWith('svc domains status') ? [0, 2, 9, 10] : [0], all).toContain(exitCode);
});

test('svc help agents prints the skill, which has every tool; the index every command, in 1,500 tokens', async () => {
  expect((await svc(['help', 'agents'])).stdout).toBe(SKILL);
  const { stdout } = await svc(['help', '--index']);
  for (const { path, effect, summary, tool } of await commandsOf(TREE)) {
    const line = stdout.split('\n').find((one) => one.startsWith(`svc ${path}`) && one.includes(`(${effect})`));
    expect(line, path).toContain(summary);
    const isTaught = LINES.some((one) => one.startsWith(`svc ${path.replace(/ list$/, '')}`));
    expect(tool === undefined || isTaught, path).toBe(true);
  }
  // A token is four characters of English on average, and less of names and signs.
  expect(stdout.length / 3).toBeLessThanOrEqual(1_500);
});

async function commandsOf(entries: readonly Entry[]): Promise<readonly Command[]> {
  const found = entries.map(async (entry) => {
    if (isGroup(entry)) return commandsOf(entry.children);
    return entry.hidden === true ? [] : [(await entry.load()).default];
  });
  return (await Promise.all(found)).flat();
}
