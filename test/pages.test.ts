import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT_CODES, SIGNAL_EXITS } from '../src/errors.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const TROUBLE = read('docs/troubleshooting.md');

test('docs/troubleshooting.md has an entry for each error code, with its exit code', () => {
  const entries = [...TROUBLE.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  expect(entries).toEqual(
    Object.entries(EXIT_CODES).map(([code, { exit }]) => `\`${code}\` (${exit})`),
  );
  for (const exit of Object.values(SIGNAL_EXITS)) expect(TROUBLE).toContain(`(${exit})`);
});

test('links between the pages lead somewhere', () => {
  const anchorsOf = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  );
  for (const page of [...pages.filter((name) => name.endsWith('.md')), 'README.md']) {
    const text = read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const there = read(path === '' ? page : join(page, '..', path));
      if (anchor !== undefined) expect(anchorsOf(there), `${page}: ${target}`).toContain(anchor);
    }
  }
});
