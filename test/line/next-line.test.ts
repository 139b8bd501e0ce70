import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { fakeClock } from '../support/clock.ts';
import { svc } from '../support/svc.ts';

/** What this machine has seen: two services with a deployment each, a database, and a job. */
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
  const { url, token } = sandbox.listing;
  const env = { SVC_SERVICE: 'svc_wp_7k2m9qx4' };
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  return svc(words, { url, token, configDir, cwd: configDir, env, clock });
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
  // a word left out
  ['wp cache.flush', 'svc wp run cache.flush'],
  ['deployments dep_9m4kx7q2tz', 'svc deployments inspect dep_9m4kx7q2tz'],
  ['db db_pg_5t9w2kqe', 'svc db inspect db_pg_5t9w2kqe'],
  ['buy plan_wp_free --yes', 'svc buy --plan plan_wp_free --yes'],
  // the words of other command lines
  ['databases inspect db_pg_5t9w2kqe', 'svc db inspect db_pg_5t9w2kqe'],
  ['organizations list', 'svc orgs list'],
  ['deployment inspect dep_9m4kx7q2tz', 'svc deployments inspect dep_9m4kx7q2tz'],
  ['ps', 'svc link --help'],
  ['domain add kola-studio.example', 'svc domains add --help'],
  ['restrat', 'svc restart --help'],
  // options
  ['whoami --output json', 'svc whoami --json'],
  ['whoami -o json', 'svc whoami --json'],
  ['whoami --format=json', 'svc whoami --json'],
  ['metrics --history --output-format csv', 'svc metrics --history --csv'],
  ['whoami --jsn', 'svc whoami --json'],
  ['metrics --watch', 'svc metrics --json'],
  // values
  ['metrics --since "2 days ago"', 'svc metrics --since 2d'],
  ['metrics --since "1 week ago"', 'svc metrics --since 7d'],
  ['metrics --since "2026-11-24 10:00"', 'svc metrics --since 2026-11-24T10:00:00Z'],
  ['metrics --since monday', 'svc metrics --since 2026-11-23'],
  ['domains import kola-studio.example --format jsn', 'svc domains import kola-studio.example --format json'],
  ['domains import https://kola-studio.example/shop', 'svc domains import kola-studio.example'],
  ['completion fihs', 'svc completion fish'],
  ['config set bell offf', 'svc config set bell off'],
  // ids of another kind, cut ones, and names
  ['metrics svc_wp_7k2m9qx', 'svc metrics svc_wp_7k2m9qx4'],
  ['restart svc_wp_7k2m9q --yes', 'svc restart svc_wp_7k2m9qx4 --yes'],
  ['metrics svc_wp_7k2m9qx5', 'svc metrics svc_wp_7k2m9qx4'],
  ['restart kola-blog --yes', 'svc restart svc_wp_7k2m9qx4 --yes'],
  ['metrics KOLA-Blog', 'svc metrics svc_wp_7k2m9qx4'],
  ['metrics dep_2v8ht5nwqc', 'svc deployments inspect dep_2v8ht5nwqc'],
  ['metrics db_pg_5t9w2kqe', 'svc db inspect db_pg_5t9w2kqe'],
  ['restart kola-studio.example --yes', 'svc domains status kola-studio.example'],
  ['db inspect svc_wp_7k2m9qx4', 'svc metrics svc_wp_7k2m9qx4'],
  ['db inspect kola-studio', 'svc whoami --org kola-studio'],
  ['db connect db_pg', 'svc db connect db_pg_5t9w2kqe'],
  ['deployments inspect svc_wp_7k2m9qx4', 'svc metrics svc_wp_7k2m9qx4'],
  ['deployments inspect dep_9m4kx7q2t', 'svc deployments inspect dep_9m4kx7q2tz'],
  ['whoami --org nope', 'svc orgs'],
  // an id left out
  ['deployments inspect', 'svc deployments inspect dep_9m4kx7q2tz'],
  ['db inspect', 'svc db inspect db_pg_5t9w2kqe'],
])('svc %s is answered with: %s', async (line, meant) => {
  const wrong = await type(line);
  expect(wrong.exitCode, wrong.shown).toBeGreaterThan(1);
  expect(wrong.stderr.match(/^Try: .*/gm)).toEqual([`Try: ${meant}`]);
  // Each needs a name server, a client of the database, or more than this machine may do.
  if (/domains status|db connect|config set/.test(meant)) return;
  const right = await type(meant.replace(/^svc /, ''));
  expect([0, 10], right.shown).toContain(right.exitCode);
});

test('a deployment that this machine has seen needs no service, and a job of record neither', async () => {
  const seen = await type('deployments inspect dep_2v8ht5nwqc --json');
  expect(seen.json).toMatchObject({ deployment: { id: 'dep_2v8ht5nwqc' } });
  const { jobId } = (await type('wp run cache.flush --service svc_wp_7k2m9qx4 --json')).json as { jobId: string };
  expect((await type('wp status')).stderr).toContain(`Try: svc wp status ${jobId}\n`);
  expect([0, 10]).toContain((await type(`wp status ${jobId}`)).exitCode);
});

test.each([
  ['--plan plan_wp_pro --currency EUR --yes', 2, 'For example: --currency local'],
  ['--plan plan_wp_pro --phone +237670000042 --yes', 3, 'Add --network mtn or --network orange.'],
])('svc buy %s is told what is wrong, and is not completed with a guess', async (words, exitCode, said) => {
  const run = await type(`buy ${words}`);
  expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(said) });
  expect(run.stderr).not.toContain('Try:');
});

/** What people typed elsewhere, and the command of svc for it; that of a word that asks for several is said in its help. */
const ELSEWHERE = readFileSync(join(import.meta.dirname, '../../docs/coming-from.md'), 'utf8')
  .split('\n')
  .flatMap((row) => {
    const [, typed = '', own = ''] = row.split('|');
    const command = /`(svc [a-z]+(?: (?:use|list|run|inspect|connect|add|import|autopay)\b)?)/.exec(own)?.[1];
    const lines = [...typed.matchAll(/`(?:heroku |doctl )?([^`]+)`/g)].map(([, line = '']) => line);
    return command === undefined ? [] : lines.map((line) => [line, command] as const);
  })
  .filter(([line]) => !/^(?:login|ps|doctl|heroku|wp|wp --ssh=host …)$/.test(line));

test('every command of docs/coming-from.md is in it', () => {
  expect(ELSEWHERE.length).toBeGreaterThan(25);
});

test.each(ELSEWHERE)('svc %s leads to %s', async (line, command) => {
  const { exitCode, error } = await svc([...line.replaceAll(',', '').split(' '), '--json'], { configDir });
  expect(exitCode).toBe(2);
  expect((error['next'] as string[])[0]).toMatch(new RegExp(`^${command}(?: |$)`));
});
