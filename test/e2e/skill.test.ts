import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { type Command, type Entry, isGroup } from '../../src/kit/define.ts';
import { inSandbox } from '../support/in-sandbox.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const SKILL = readFileSync(join(import.meta.dirname, '../../skills/svc/SKILL.md'), 'utf8');

/** Every command line of the skill that has no place to fill in. */
const LINES = [...new Set([...SKILL.matchAll(/^svc .+$/gm), ...SKILL.matchAll(/(?<=`)svc [^`]+(?=`)/g)].map(String))]
  // The rest of the line, and its approval by a person: test/mcp/tools.test.ts.
  .filter((line) => !/^svc (?:sandbox exec --$|login --complete)/.test(line));

describe('every line of the skill works for an agent', () => {
  test.each(LINES)('%s', async (line) => {
    const { exitCode, all = '' } = await inSandbox(`${line} --json`, await temporaryFolder(), { CLAUDECODE: '1' });
    const needsPerson = /^svc (?:buy --plan|buy --item|domains add)/.test(line) && !line.includes('--dry-run');
    if (needsPerson) expect([exitCode, all]).toEqual([2, expect.stringContaining('"nextBy":"person"')]);
    // The move of a domain that nobody has staged is not complete.
    else expect(line.startsWith('svc domains status') ? [0, 2, 9, 10] : [0], all).toContain(exitCode);
  });

  test('and names every command that is a tool', async () => {
    const tools = (await commandsOf(TREE)).filter(({ tool }) => tool !== undefined).map(({ path }) => `svc ${path}`);
    expect(tools.length).toBeGreaterThan(12);
    expect(tools.filter((path) => !LINES.some((line) => line.startsWith(path.replace(/ list$/, ''))))).toEqual([]);
  });
});

test('svc help agents prints the skill', async () => {
  expect((await svc(['help', 'agents'])).stdout).toBe(SKILL);
});

test('svc help --index has every command with its effect and its one line, in at most 1,500 tokens', async () => {
  const { stdout } = await svc(['help', '--index']);
  for (const { path, effect, summary } of await commandsOf(TREE)) {
    const line = stdout.split('\n').find((one) => one.startsWith(`svc ${path}`) && one.includes(`(${effect})`));
    expect(line, path).toContain(summary);
  }
  // A token is four characters of English on average, and less of names and signs.
  expect(stdout.length / 3).toBeLessThanOrEqual(1_500);
});

async function commandsOf(entries: readonly Entry[]): Promise<readonly Command[]> {
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (isGroup(entry)) return commandsOf(entry.children);
      return entry.hidden === true ? [] : [(await entry.load()).default];
    }),
  );
  return found.flat();
}
