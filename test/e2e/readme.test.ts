import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inSandbox } from '../support/in-sandbox.ts';
import { temporaryFolder } from '../support/svc.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const README = read('README.md');
/** Its part about pipelines is tried by `release/pipelines.test.ts`. */
const [SCRIPTS = ''] = read('docs/scripts.md').split('## In a pipeline');

/** What the pages tell to type; what needs the network is marked as text or yaml. */
const LINES = [README, read('docs/start.md'), SCRIPTS]
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

function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
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
