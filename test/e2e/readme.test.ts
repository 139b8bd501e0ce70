import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Command, type Entry, isGroup } from '../../src/cli/define/define.ts';
import { TREE } from '../../src/commands/tree.ts';
import { inSandbox } from '../support/in-sandbox.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const README = read('README.md');
const SKILL = read('skills/svc/SKILL.md');
/** Its part about pipelines is tried by `release/pipelines.test.ts`. */
const [SCRIPTS = ''] = read('docs/scripts.md').split('## In a pipeline');

/** What the pages tell to type; what needs the network is marked as text or yaml. */
const LINES = [README, read('docs/start.md'), read('docs/metrics.md'), SCRIPTS]
  .flatMap((page) => blocks(page, 'sh'))
  .filter((block) => block.includes('svc '))
  .flatMap((block) => block.trimEnd().split('\n'))
  .map((line) => line.replace(/ +# .*/, ''));

// A reader of the README has chosen no organization yet.
test.each([...transcripts(README, { SVC_ORG: undefined }), ...transcripts(read('docs/design.md'))])(
  'a transcript: $command',
  async ({ command, output, env }) => {
    const { all } = await inSandbox(command, await temporaryFolder(), { NO_COLOR: '1', ...env });
    expect(steady(all)).toBe(steady(output));
  },
);

test.each([...new Set(LINES)])('a page tells to type: %s', async (line) => {
  const { exitCode, all } = await inSandbox(line, await temporaryFolder(), { NO_COLOR: '1' });
  expect(exitCode, all).toBe(0);
});

/** Every command line of the skill that has no place to fill in. */
const SKILLED = [
  ...new Set(
    [...SKILL.matchAll(/^svc .+$/gm), ...SKILL.matchAll(/(?<=`)svc [^`]+(?=`)/g)].map(String),
  ),
]
  // The rest of the line, and its approval by a person: test/mcp/tools.test.ts.
  .filter((line) => !/^svc (?:sandbox exec --$|login --complete)/.test(line));

test.each(SKILLED)('a line of the skill works for an agent: %s', async (line) => {
  const { exitCode, all = '' } = await inSandbox(`${line} --json`, await temporaryFolder(), {
    CLAUDECODE: '1',
  });
  const needsPerson =
    /^svc (?:buy --plan|buy --item|domains add)/.test(line) && !line.includes('--dry-run');
  if (needsPerson)
    expect([exitCode, all]).toEqual([2, expect.stringContaining('"nextBy":"person"')]);
  // The move of a domain that nobody has staged is not complete.
  else expect(line.startsWith('svc domains status') ? [0, 2, 9, 10] : [0], all).toContain(exitCode);
});

test('svc help agents prints the skill, which has every tool; the index every command, in 1,500 tokens', async () => {
  expect((await svc(['help', 'agents'])).stdout).toBe(SKILL);
  const { stdout } = await svc(['help', '--index']);
  for (const { path, effect, summary, tool } of await commandsOf(TREE)) {
    const line = stdout
      .split('\n')
      .find((one) => one.startsWith(`svc ${path}`) && one.includes(`(${effect})`));
    expect(line, path).toContain(summary);
    const isTaught = SKILLED.some((one) => one.startsWith(`svc ${path.replace(/ list$/, '')}`));
    expect(tool === undefined || isTaught, path).toBe(true);
  }
  // A token is four characters of English on average, and less of names and signs.
  expect(stdout.length / 3).toBeLessThanOrEqual(1_500);
});

async function commandsOf(entries: readonly Entry[]): Promise<readonly Command[]> {
  const found = entries.map(async (entry) => {
    if (isGroup(entry)) return commandsOf(entry.children);
    return entry.hidden === true ? [] : [await entry.load()];
  });
  return (await Promise.all(found)).flat();
}

function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
}

/** What a page shows of svc at work. */
function transcripts(page: string, env: { readonly SVC_ORG?: undefined } = {}) {
  const parts = blocks(page, 'console').flatMap((block) => block.split(/^\$ /m).slice(1));
  return parts.map((part) => {
    const [command = '', ...output] = part.split('\n');
    return { command, output: output.join('\n'), env };
  });
}

/** What differs from one sandbox to the next. */
function steady(text: string): string {
  return text
    .replaceAll(/\b(req|job|ord|tok)_\w+/g, '$1_…')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .trimEnd();
}

test('the README is short, and its commands for a fresh clone set themselves up', () => {
  expect(README.split('\n').length).toBeLessThanOrEqual(130);
  const { scripts } = JSON.parse(read('package.json'));
  for (const name of ['demo', 'pretest', 'build']) expect(scripts[name]).toContain('setup.mjs');
  for (const line of ['npm run demo', 'npm test', 'npm run build']) expect(README).toContain(line);
});
