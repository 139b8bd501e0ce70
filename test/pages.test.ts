import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT_CODES, SIGNAL_EXITS } from '../src/errors.ts';
import { svc } from './support/svc.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Options = ReadonlyArray<{ readonly flags: string }>;

interface Command {
  readonly path: string;
  readonly options: Options;
  readonly commands: readonly Command[];
}

interface Tree {
  readonly globalOptions: Options;
  readonly commands: readonly Command[];
}

const flatten = (one: Command): Command[] => [one, ...one.commands.flatMap(flatten)];

describe('docs/troubleshooting.md', () => {
  const page = read('docs/troubleshooting.md');

  test('has an entry for each error code, with its exit code', () => {
    const entries = [...page.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
    expect(entries).toEqual(Object.entries(EXIT_CODES).map(([code, { exit }]) => `\`${code}\` (${exit})`));
    for (const exit of Object.values(SIGNAL_EXITS)) expect(page).toContain(`(${exit})`);
  });

  test('has a row for each fixed sentence of svc doctor', () => {
    const source = read('src/commands/doctor/checks.ts');
    const said = [
      ...source.matchAll(/\b(?:bad|note|good)\('([^']+)'|: '([a-z][^']*(?: )[^']*)',$|'(svc (?!doctor)[^']+)'/gm),
    ];
    const sentences = said.map(([, state, fix, command]) => state ?? fix ?? command ?? '');
    // A value alone needs nothing to be done.
    const missing = sentences.filter((one) => one !== 'none' && !page.includes(one));
    expect(sentences.length).toBeGreaterThan(12);
    expect(missing).toEqual([]);
  });

  test('quotes what svc says of proxies and certificates', () => {
    const source = ['transport-error', 'proxy', 'connect'].map((name) => read(`src/http/${name}.ts`)).join('');
    const plain = source.replaceAll(/\$\{[^}]*\}/g, '…');
    const rows = page.split('## Proxies and certificates')[1] ?? '';
    const quoted = [...rows.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = '']) => text);
    expect(quoted.length).toBeGreaterThanOrEqual(10);
    const known = (text: string) =>
      plain.includes(text.replace('HTTPS_PROXY', '…').replace(/\(\d+\)/, '(…)')) ||
      /^Cannot reach the proxy/.test(text);
    expect(quoted.filter((text) => !known(text))).toEqual([]);
  });
});

describe('docs/coming-from.md', () => {
  const lines = [...read('docs/coming-from.md').matchAll(/^\| [^|]* \| `(svc [^`]+)` \|/gm)].map(
    ([, line = '']) => line,
  );

  test('has three tables of commands', () => {
    expect(lines.length).toBeGreaterThan(25);
  });

  test.each(lines)('%s is a command with these options', async (line) => {
    const tree: Tree = JSON.parse((await svc(['help', '--json'])).stdout);
    const commands = tree.commands.flatMap(flatten).toSorted((one, other) => other.path.length - one.path.length);
    const command = commands.find(({ path }) => line === path || line.startsWith(`${path} `));
    expect(command?.path).toMatch(/^svc ./);
    const known = [...(command?.options ?? []), ...tree.globalOptions].flatMap(
      ({ flags }) => flags.match(/--[\w-]+/g) ?? [],
    );
    for (const option of line.match(/--[\w-]+/g) ?? []) expect(known).toContain(option);
  });
});

describe('links between the pages', () => {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const anchors = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  test.each([...pages.map((name) => `docs/${name}`), 'README.md'])('%s', (page) => {
    const text = read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(page, '..', path);
      const there = read(file);
      if (anchor !== undefined) expect(anchors(there), `${page}: ${target}`).toContain(anchor);
    }
  });
});
