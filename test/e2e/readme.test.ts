import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inSandbox } from '../support/in-sandbox.ts';
import { temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const DESIGN = readFileSync(join(ROOT, 'docs/design.md'), 'utf8');

const START = readFileSync(join(ROOT, 'docs/start.md'), 'utf8');
/** Its part about pipelines is tried by `release/pipelines.test.ts`. */
const [SCRIPTS = ''] = readFileSync(join(ROOT, 'docs/scripts.md'), 'utf8').split('## In a pipeline');
/** What the pages tell to type; what needs the network is marked as text or yaml. */
const scripts = [README, START, SCRIPTS]
  .flatMap((page) => blocks(page, 'sh'))
  .filter((block) => block.includes('svc '));

describe('a transcript', () => {
  // A reader of the README has chosen no organization yet.
  const ofReadme = transcripts(README).map((one) => ({ ...one, env: { SVC_ORG: undefined } }));
  const ofDesign = transcripts(DESIGN).map((one) => ({ ...one, env: {} }));
  test.each([...ofReadme, ...ofDesign])('$command', async ({ command, output, env }) => {
    const { all } = await runLine(command, env);
    expect(steady(all)).toBe(steady(output));
  });
});

describe('what the pages tell to type', () => {
  const lines = scripts.flatMap((script) => script.trimEnd().split('\n')).map((line) => line.replace(/ +# .*/, ''));
  test.each([...new Set(lines)])('%s', async (line) => {
    const { exitCode, all } = await runLine(line);
    expect(exitCode, all).toBe(0);
  });
});

test('the README is short, and its commands for a fresh clone set themselves up', () => {
  expect(README.split('\n').length).toBeLessThanOrEqual(130);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const name of ['demo', 'pretest', 'build']) expect(scripts[name]).toContain('setup.mjs');
  for (const line of ['npm run demo', 'npm test', 'npm run build']) expect(README).toContain(line);
});

function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
}

/** What a page shows of svc at work. */
function transcripts(page: string): Array<{ command: string; output: string }> {
  const parts = blocks(page, 'console').flatMap((block) => block.split(/^\$ /m).slice(1));
  return parts.map((part) => {
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
