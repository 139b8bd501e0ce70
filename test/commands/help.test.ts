import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Entry, isGroup } from '../../src/cli/define/define.ts';
import { TOPICS } from '../../src/commands/help/topics.ts';
import { TREE } from '../../src/commands/tree.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { svc } from '../support/svc.ts';

/** The words of every command and group below `svc`. */
const PATHS = pathsOf(TREE);
const LEAVES = PATHS.filter((path) => !PATHS.some((other) => other.startsWith(`${path} `)));

function pathsOf(entries: readonly Entry[], before = ''): string[] {
  return entries.flatMap((entry) => {
    if (!isGroup(entry) && entry.hidden === true) return [];
    const path = `${before}${entry.name}`;
    return isGroup(entry) ? [path, ...pathsOf(entry.children, `${path} `)] : [path];
  });
}

/** What a terminal of 80 columns shows. */
async function textOf(line: string): Promise<string> {
  const terminal = { columns: 80, rows: 500 };
  const { exitCode, stdout, stderr } = await svc(line.split(' '), {
    terminal,
    env: { NO_COLOR: '1' },
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(
    stdout.split('\n').filter((row) => [...row].length > 80),
    line,
  ).toEqual([]);
  return stdout;
}

const textOfPage = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

test('svc --help names every command and group in 24 rows, and svc help all has a sentence for each', async () => {
  const text = await textOf('--help');
  const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(text) ?? [];
  expect(list.match(/[a-z-]+/g)).toEqual(
    expect.arrayContaining(PATHS.filter((path) => !path.includes(' '))),
  );
  expect(text.split('\n').length).toBeLessThanOrEqual(24);
  const all = [...(await textOf('help all')).matchAll(/^ {2}(\S+(?: \S+)?) {2,}[A-Z]/gm)];
  expect(all.map(([, path]) => path)).toEqual(LEAVES);
});

test('the help of every command and topic fits 80 columns, and is the same text in a pipe', async () => {
  // The skill of agents is printed as it is.
  const topics = TOPICS.map(({ name }) => name).filter((name) => name !== 'agents');
  for (const path of [...PATHS, ...topics]) {
    const text = await textOf(`help ${path}`);
    if (PATHS.includes(path)) expect(text).toMatch(new RegExp(`^Usage: svc ${path}( |\n)`));
    const { stdout } = await svc(['help', ...path.split(' ')]);
    expect(stdout.replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '));
    // A line that was broken would go on at the column of the meanings.
    expect(stdout.split('\n').filter((row) => /^ {7,}\w/.test(row))).toEqual([]);
  }
});

/** The help of all other commands has at most 23 rows, which a terminal of 24 shows whole. */
const ROWS_OF_LONGER_HELP: Readonly<Record<string, number>> = {
  buy: 30,
  'sandbox start': 30,
  api: 27,
  sandbox: 25,
};

test('the help of a command is read without scrolling, on a terminal of 80 columns', async () => {
  for (const path of PATHS) {
    const text = await textOf(`${path} --help`);

    const rows = text.trimEnd().split('\n').length;
    expect(rows, path).toBeLessThanOrEqual(ROWS_OF_LONGER_HELP[path] ?? 23);
  }
});

test('help names the options that are less used, and explains them with --full', async () => {
  const short = await textOf('buy --help');
  const full = await textOf('help buy --full');

  expect(short).toContain('Less used (svc help buy --full): --label');
  expect(short).not.toContain('id of a promo code');
  expect(full).toContain('id of a promo code');
  expect(full).not.toContain('--full');
});

test('svc whoami --version prints the version', async () => {
  expect(await textOf('whoami --version')).toBe('0.0.0-test\n');
});

describe('svc help <word>', () => {
  test.each([
    ['not_found', '6', 'The id is mistyped'],
    ['130', 'interrupted', 'Ctrl-C'],
  ])('%s is an exit code or an error code', async (word, ...shown) => {
    const text = await textOf(`help ${word}`);
    for (const part of shown) expect(text).toContain(part);
    expect((await svc(['help', word, '--json'])).json).toMatchObject({
      topic: word,
      exitCodes: [{}],
    });
  });

  test('an error code shows its entry of docs/troubleshooting.md', async () => {
    const page = textOfPage('docs/troubleshooting.md');
    for (const code of Object.keys(EXIT_CODES)) {
      const [, entry = ''] = page.split(new RegExp(`### \`${code}\` .*\\n\\n`));
      const { text } = (await svc(['help', code, '--json'])).json as { text: string };
      expect(text.length, code).toBeGreaterThan(50);
      expect(entry.split(/^#/m)[0]?.trim()).toBe(text);
    }
  });

  test('a page of the package is shown without its marks', async () => {
    expect((await svc(['help', 'changelog', '--json'])).json).toMatchObject({
      text: textOfPage('CHANGELOG.md'),
    });
    expect(
      (await textOf('help changelog')).split('\n').filter((line) => /^#|\*\*|\]\(|`/.test(line)),
    ).toEqual([]);
  });

  test.each([
    ['nameservers', 'svc help'],
    ['domains nameservers', 'svc help domains'],
    ['rejectd', 'svc help rejected'],
    ['restrat', 'svc help restart'],
  ])('%s, which is none of these, is a mistake, and %s is the next step', async (words, next) => {
    const run = await svc(['help', ...words.split(' '), '--json']);

    expect(run.exitCode).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.error).toMatchObject({ code: 'usage', next: [next] });
  });
});

interface Described {
  readonly path: string;
  readonly examples?: readonly unknown[];
  readonly commands: readonly Described[];
}

describe('svc help --json', () => {
  test('has the whole tree, with two examples of each command, and the tables that tools need', async () => {
    const { json } = await svc(['help', '--json']);
    expect(json).toMatchObject({
      topics: TOPICS.map(({ name, title }) => ({ name, title })),
      exitCodes: expect.arrayContaining([{ exit: 2, code: 'usage', meaning: expect.any(String) }]),
      environment: expect.arrayContaining([{ name: 'SVC_TOKEN', meaning: expect.any(String) }]),
      assumptions: expect.arrayContaining([expect.objectContaining({ name: 'job.path' })]),
    });
    const below = ({ commands }: Described): Described[] =>
      commands.flatMap((one) => [one, ...below(one)]);
    const found = below(json as Described);
    expect(found.map(({ path }) => path)).toEqual(PATHS.map((path) => `svc ${path}`));
    const few = found.filter(
      ({ commands, examples = [] }) => commands.length === 0 && examples.length < 2,
    );
    expect(few.map(({ path }) => path)).toEqual([]);
  });

  test('of one command is its part of that tree', async () => {
    const whole = (await svc(['help', '--json'])).json as Described;
    const { json } = await svc(['help', 'domains', 'import', '--json']);
    const part = whole.commands.find(({ path }) => path === 'svc domains')?.commands[0];
    expect(json).toEqual({ schemaVersion: 1, ...part });
    expect(part).toMatchObject({
      usage: 'svc domains import <domain...> [options]',
      arguments: [{ name: 'domain', required: true, variadic: true, choices: [] }],
      options: expect.arrayContaining([
        expect.objectContaining({
          flags: '--output <file>',
          long: '--output',
          value: 'file',
          repeatable: false,
        }),
      ]),
    });
  });

  test.each([
    ['--json domains import example.com --output x --help', 'help domains import --json'],
    ['buy --plan metrics --jq .path -h', 'help buy --jq .path'],
    ['--json', 'help --json'],
    ['--profile metrics whoami --help --json', 'help whoami --json'],
    ['--help domains', 'help domains'],
  ])('svc %s is svc %s', async (asked, same) => {
    const { stdout } = await svc(same.split(' '));
    expect(await svc(asked.split(' '))).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  });
});
