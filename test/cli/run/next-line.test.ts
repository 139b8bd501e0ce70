import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import type { Command } from '../../../src/cli/define/define.ts';
import { readLine } from '../../../src/cli/read/read-line.ts';
import { SYNONYMS } from '../../../src/cli/read/synonyms.ts';
import { TREE } from '../../../src/commands/tree.ts';
import { toNextStep } from '../../../src/errors.ts';
import { fakeClock } from '../../support/clock.ts';
import { wordsOf } from '../../support/command-line.ts';
import { allCommands } from '../../support/commands.ts';
import { tries } from '../../support/property.ts';
import { svc } from '../../support/svc.ts';

/**
 * What this machine has seen: two services with a deployment each, a database, and an organization.
 */
const SEEN = [
  'orgs',
  'deployments inspect dep_9m4kx7q2tz --service svc_wp_7k2m9qx4',
  'deployments inspect dep_2v8ht5nwqc --service svc_app_3n8v5tzd',
  'db inspect db_pg_5t9w2kqe',
];

let sandbox: Sandbox;
const configDir = mkdtempSync(join(tmpdir(), 'svc-next-line-'));
const clock = fakeClock('2026-11-25T12:00:00Z');
const type = (line: string) => {
  const { url, token } = sandbox;
  return svc(wordsOf(line), {
    url,
    token,
    configDir,
    cwd: configDir,
    env: { SVC_SERVICE: 'svc_wp_7k2m9qx4' },
    clock,
  });
};

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  for (const line of SEEN) expect((await type(line)).exitCode, line).toBe(0);
});

afterAll(async () => {
  await sandbox.close();
  rmSync(configDir, { recursive: true });
});

// Each line proposes what was meant, and that can be pasted: the test types it.
test.each([
  // the words of other command lines
  ['ps', 'svc link --help'],
  // far from any command, or from one that changes something
  ['nonsense', 'svc --help'],
  ['retsat svc_wp_7k2m9qx4', 'svc restart --help'],
  ['loogutt', 'svc logout --help'],
  ['mtrcis svc_wp_7k2m9qx4', 'svc metrics svc_wp_7k2m9qx4'],
  ['metrics --watch', 'svc metrics --json'],
  // cut ids
  ['db connect db_pg', 'svc db connect db_pg_5t9w2kqe'],
  ['deployments inspect dep_9m4kx7q2t', 'svc deployments inspect dep_9m4kx7q2tz'],
  ['whoami --org nope', 'svc orgs'],
])('svc %s is answered with: %s', async (line, meant) => {
  const wrong = await type(line);
  expect(wrong.exitCode, wrong.shown).toBeGreaterThan(1);
  expect(wrong.stderr.match(/^Try: .*/gm)).toEqual([`Try: ${meant}`]);
  // Each needs a name server, a client of the database, or more than this machine may do.
  if (/domains status|db connect|config set/.test(meant)) return;
  const right = await type(meant.replace(/^svc /, ''));
  expect([0, 10], right.shown).toContain(right.exitCode);
});

test.each([
  'metrics svc_wp_7k2m9qx5',
  'restart svc_wp_7k2m9qx5 --yes',
  'wp run cache.flush --service svc_wp_7k2m9qx5 --yes',
  'wp run nothing.here --service svc_wp_7k2m9qx5 --yes',
  'domains add kola-studio.example --import --service svc_wp_7k2m9qx5 --yes',
])('off a terminal svc %s is never answered with the neighbour of that id', async (line) => {
  const wrong = await type(line);

  expect(wrong.exitCode).toBeGreaterThan(1);
  expect(wrong.shown).not.toContain('svc_wp_7k2m9qx4');
  expect(wrong.shown).not.toContain('is a domain');
});

test.each([
  ['restart svc_wp_7k2m9q --yes', 'svc restart svc_wp_7k2m9qx4 --yes --json', 'other'],
  ['restart kola-blog --yes', 'svc restart svc_wp_7k2m9qx4 --yes --json', 'other'],
  ['metrics dep_2v8ht5nwqc', 'svc deployments inspect dep_2v8ht5nwqc', 'look'],
])('svc %s --json has the next line %s, of the kind %s', async (line, next, nextKind) => {
  const { error } = await type(`${line} --json`);

  expect(error).toMatchObject({ next: [next], nextKind });
});

test.each([
  ['whoami --org --json', '--org=--json'],
  ['buy --label -y', '--label=-y'],
  ['buy --resume=', '--resume is empty'],
  ['link a b', 'takes one argument'],
  ['--org a restart --org=b', '--org is given twice'],
  ['domains import', 'svc domains import <domain...>'],
  ['restart svc_1 --wait', 'svc wp run'],
  ['buy --plan plan_wp_pro --currency EUR --yes', '--currency local'],
])('svc %s is a mistake, and is not completed with a guess: %s', async (line, said) => {
  const run = await type(line);
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said) });
  expect(run.stderr).not.toMatch(/^Try: (?!.*--help$)/m);
});

test('what only looks is proposed with the ids that this machine has seen, and what changes is not', async () => {
  const look = await type('deployments inspect');
  expect(look.stderr).toContain('Name one of them:');
  expect(look.stderr.match(/^Try: .*/gm)).toEqual([
    'Try: svc deployments inspect dep_9m4kx7q2tz',
    'Try: svc deployments inspect dep_2v8ht5nwqc',
  ]);

  const connect = await type('db connect');
  expect(connect.stderr).toContain('Seen before: db_pg_5t9w2kqe');
  expect(connect.stderr.match(/^Try: .*/gm)).toEqual(['Try: svc db connect --help']);

  const { url, token } = sandbox;
  const change = await svc(['restart', '--json'], { url, token, configDir, cwd: configDir });
  expect(change.error).toMatchObject({ code: 'usage' });
  expect(change.error).not.toHaveProperty('next');
});

test('an argument that looks like an option goes after --, and the same value may be given twice', async () => {
  const { json } = await type(
    'wp run --org kola-studio --org kola-studio --dry-run --json -- --flush',
  );
  expect(json).toMatchObject({ body: { action: '--flush' } });
});

test('a deployment that this machine has seen needs no service, and a job of record neither', async () => {
  const seen = await type('deployments inspect dep_2v8ht5nwqc --json');
  expect(seen.json).toMatchObject({ deployment: { id: 'dep_2v8ht5nwqc' } });
  const { jobId } = (await type('wp run cache.flush --service svc_wp_7k2m9qx4 --json')).json as {
    jobId: string;
  };
  expect((await type('wp status')).stderr).toContain(`Try: svc wp status ${jobId}\n`);
  expect([0, 10]).toContain((await type(`wp status ${jobId}`)).exitCode);
});

/**
 * What people typed elsewhere, and the command of svc for it; that of a word that asks for several
 * is said in its help.
 */
const ELSEWHERE = readFileSync(join(import.meta.dirname, '../../../docs/coming-from.md'), 'utf8')
  .split('\n')
  .flatMap((row) => {
    const [, typed = '', own = ''] = row.split('|');
    const command = /`(svc [a-z]+(?: (?:use|list|run|inspect|connect|add|import|autopay)\b)?)/.exec(
      own,
    )?.[1];
    const lines = [...typed.matchAll(/`(?:heroku |doctl )?([^`]+)`/g)].map(([, line = '']) => line);
    return command === undefined ? [] : lines.map((line) => [line, command] as const);
  })
  .filter(([line]) => !/^(?:login|ps|doctl|heroku|wp|wp --ssh=host …)$/.test(line));

test('every command of docs/coming-from.md leads to that of svc', async () => {
  expect(ELSEWHERE.length).toBeGreaterThan(25);
  for (const [line, command] of ELSEWHERE) {
    const { exitCode, error } = await svc([...line.replaceAll(',', '').split(' '), '--json'], {
      configDir,
    });
    expect(exitCode).toBe(2);
    expect((error['next'] as string[])[0], line).toMatch(new RegExp(`^${command}(?: |$)`));
  }
});

const COMMANDS = await allCommands();
const isHarmful = ({ effect, isDestructiveLocally }: Command) =>
  isDestructiveLocally === true || (effect !== 'reads' && effect !== 'local');

test('what words of other command lines lead to exists', () => {
  const groups = [...COMMANDS.keys()].flatMap((path) => path.split(' ').slice(0, -1));
  for (const line of SYNONYMS.flatMap(([, lines]) => lines.split(', '))) {
    const [name = ''] = line.replace(/^help .*/, 'help').split(/ -| [a-z]+\./);
    const isKnown = COMMANDS.has(name) || groups.includes(name) || name === '';
    expect(isKnown || name === 'open logs', line).toBe(true);
  }
});

test('a mistyped command is never answered with another one that changes or forgets something', async () => {
  const paths = [...COMMANDS.keys()];
  const letter = fc.constantFrom('', 'a', 'e', 'x', 's');
  const more = fc.array(fc.stringMatching(/^[a-z0-9.][a-z0-9.-]{0,7}$/), { maxLength: 2 });
  const edit = fc.record({ path: fc.constantFrom(...paths), at: fc.nat(20), letter, more });
  await fc.assert(
    fc.asyncProperty(edit, async ({ path, at, ...typed }) => {
      const words = path.split(' ');
      const index = at % words.length;
      const word = words[index] ?? '';
      const place = at % word.length;
      words[index] = word.slice(0, place) + typed.letter + word.slice(place + 1);
      const isCommand = words.some((_, end) => paths.includes(words.slice(0, end + 1).join(' ')));
      fc.pre(!isCommand && words.every((one) => one !== ''));
      const { error } = await svc([...words, ...typed.more, '--json']);
      const next = (error['next'] ?? []) as readonly string[];
      const [line = ''] = next.filter((one) => one.endsWith(' --json'));
      for (const [harmful, command] of COMMANDS) {
        if (harmful === path || !isHarmful(command)) continue;
        expect(line.startsWith(`svc ${harmful} `), line).toBe(false);
      }
      if (line !== '') for (const one of typed.more) expect(line.split(/[ =]/)).toContain(one);
    }),
    tries(600, 61),
  );
});

const SRC = join(import.meta.dirname, '../../../src');
const LITERAL = String.raw`'((?:[^'\\\n]|\\.)*)'|${'`'}((?:[^${'`'}\\]|\\.)*)${'`'}`;
const HINT = String.raw`\bhint(?:: string|: Hint)? ?[:=]\s+`;

/**
 * Returns the texts of the literals that follow a pattern, with `x` for what a template fills in.
 */
function literalsAfter(before: string): readonly string[] {
  const pattern = new RegExp(`(?:${before})(?:${LITERAL})`, 'g');
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const found = files.flatMap((name) => [
    ...readFileSync(join(SRC, name), 'utf8').matchAll(pattern),
  ]);
  return found.map(
    ([, plain, template = '']) =>
      plain?.replace(/\\(.)/g, '$1') ?? template.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x'),
  );
}

test('what an error tells to run is a command line of svc or of the shell, and can be pasted', async () => {
  const lines = [
    ...literalsAfter(HINT).flatMap((text) => toNextStep(text).run),
    ...literalsAfter(String.raw`\brun: \[`),
  ];
  expect(lines.length).toBeGreaterThan(30);
  for (const line of lines) {
    if (/^(?:export|unset|rm|chmod|sudo chown|cd)\b|^x(?:$|; | --)/.test(line)) continue;
    expect(line).toMatch(/^svc [^<>…]+$/);
    expect(line).not.toMatch(/, |; /);
    // What a template fills in may be anything.
    if (!line.includes('x')) await readLine(wordsOf(line).slice(1), TREE);
  }
});

test('-o is answered with both options that it could be', async () => {
  const { exitCode, stderr } = await type('metrics -o baobab-travel');

  expect(exitCode).toBe(2);
  expect(stderr).toContain('Write --org or --output.');
  expect(stderr.match(/svc metrics --\w+ baobab-travel/g)).toEqual([
    'svc metrics --org baobab-travel',
    'svc metrics --output baobab-travel',
  ]);
});

test.each([
  ['restart -s svc_wp_7k2m9qx4 --yes', 'Restarted'],
  ['wp run cache.flush -s svc_wp_7k2m9qx4 --yes', 'Job'],
  ['metrics -s svc_wp_7k2m9qx4', 'Latest usage'],
])('svc %s takes the short letters', async (line, shown) => {
  const run = await type(line);

  expect(run.exitCode, run.shown).toBe(0);
  expect(run.shown).toContain(shown);
});

test('-w is --wait where a command waits', async () => {
  const read = await readLine(['wp', 'run', 'cache.flush', '-s', 'svc_wp_7k2m9qx4', '-w'], TREE);

  expect(read).toMatchObject({ line: { values: { service: 'svc_wp_7k2m9qx4', wait: true } } });
});

test('-w is --watch where a command watches', async () => {
  expect((await type('metrics -w')).stderr).toContain('--watch needs a terminal.');
});
