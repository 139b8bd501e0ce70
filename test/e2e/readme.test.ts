import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inSandbox } from '../support/in-sandbox.ts';
import { temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const DESIGN = readFileSync(join(ROOT, 'docs/design.md'), 'utf8');

/** What the README shows of svc at work, and what it tells to type; what needs the network is marked as text or yaml. */
const transcripts = blocks(README, 'console').flatMap(exchanges);
const START = readFileSync(join(ROOT, 'docs/start.md'), 'utf8');
/** Its part about pipelines is tried by `release/pipelines.test.ts`. */
const [SCRIPTS = ''] = readFileSync(join(ROOT, 'docs/scripts.md'), 'utf8').split('## In a pipeline');
const scripts = [README, START, SCRIPTS]
  .flatMap((page) => blocks(page, 'sh'))
  .filter((block) => block.includes('svc '));

describe('the transcript', () => {
  test.each(transcripts)('$command', async ({ command, output }) => {
    // The reader has chosen no organization yet.
    const { all } = await runLine(command, { SVC_ORG: undefined });
    expect(steady(all)).toBe(steady(output));
  });
});

describe('an example of the design', () => {
  test.each(blocks(DESIGN, 'console').flatMap(exchanges))('$command', async ({ command, output }) => {
    const { all } = await runLine(command);
    expect(steady(all)).toBe(steady(output));
  });
});

describe('what the README tells to type', () => {
  const lines = scripts.flatMap((script) => script.trimEnd().split('\n'));
  test.each(lines)('%s', async (line) => {
    const { exitCode, all } = await runLine(line.replace(/ +# .*/, ''));
    expect(exitCode, all).toBe(0);
  });
});

test('the README is short', () => {
  expect(README.split('\n').length).toBeLessThanOrEqual(130);
});

test('every command for a fresh clone sets itself up', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(README).toContain('npm run demo');
  expect(README).toContain('npm test');
  expect(README).toContain('npm run build');
  expect(scripts).toMatchObject({
    demo: expect.stringContaining('setup.mjs'),
    pretest: expect.stringContaining('setup.mjs'),
    build: expect.stringContaining('setup.mjs'),
    'build:binary': expect.stringContaining('setup.mjs'),
  });
});

function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
}

function exchanges(block: string): Array<{ command: string; output: string }> {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });
}

async function runLine(line: string, env: Readonly<Record<string, undefined>> = {}) {
  return inSandbox(line, await temporaryFolder(), { NO_COLOR: '1', ...env });
}

/** What differs from one sandbox to the next. */
function steady(text: string): string {
  return text
    .replaceAll(/\b(req|job|ord|tok)_\w+/g, '$1_…')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .trimEnd();
}
