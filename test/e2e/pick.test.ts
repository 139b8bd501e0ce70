import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { readSignIns, storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { newStage, type Stage } from './login/stage.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const ENTER = '\r';
const DOWN = '\u001b[B';
const ESC = '\u001b';
const TERMINAL = { columns: 80, rows: 30 };

/** Writes two sign-ins and the names that a machine has seen. */
function prepare(configDir: string, url: string, seen: object): void {
  writeSignIns(configDir, storedSignIn('work', url), storedSignIn('home', 'https://home.example.com'));
  writeNamesSeen(configDir, { [url]: seen });
}

/** A person with two sign-ins, on a machine that has seen these names. */
async function newcomer(context: Parameters<typeof newStage>[0], seen: object = {}): Promise<Stage> {
  const stage = await newStage(context, program, null);
  prepare(stage.configDir, stage.wire.url, seen);
  return stage;
}

/** The same in this process. */
async function newcomerHere(seen: object = {}) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  prepare(configDir, wire.url, seen);
  const run = (line: string, options: RunOptions = {}) =>
    svc(line.split(' '), { url: wire.url, token: null, configDir, ...options });
  return { wire, configDir, run };
}

describe.concurrent('on a terminal, a missing name is asked for', () => {
  test('services that were seen are offered, also at 50 columns', async (context) => {
    const { wire, terminal } = await newcomer(context, {
      services: [{ name: 'svc_1' }, { name: 'svc_2', about: 'Kola blog' }],
    });
    wire.on('POST', '/v1/services/svc_2/restart').reply(200, { success: true });
    const run = terminal(['restart'], { columns: 50 });
    await run.shows('Enter a service id…');
    expect(run.output()).toContain('svc_2 (Kola blog)');
    run.type(DOWN + ENTER);
    expect(await run.ended(), run.output()).toBe(0);
  });

  test('a service that was never seen can be typed, and is offered the next time', async (context) => {
    const { wire, terminal } = await newcomer(context);
    wire.on('POST', '/v1/services/svc_9/restart').always(200, { success: true });
    const run = terminal(['restart'], { columns: 120 });
    await run.shows('Service id (in the dashboard: Services › your service › Settings)');
    run.type(ENTER);
    await run.shows('Enter a service id, or press');
    run.type(`svc_9${ENTER}`);
    expect(await run.ended(), run.output()).toBe(0);
    const again = terminal(['restart']);
    await again.shows('Enter a service id…');
    again.type(ENTER);
    expect(await again.ended(), again.output()).toBe(0);
  });

  test('a text field keeps the list in sight, and Esc goes back to it', async (context) => {
    const { wire, terminal } = await newcomer(context, { services: [{ name: 'svc_1' }, { name: 'svc_2' }] });
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true });
    const run = terminal(['restart'], { columns: 120 });
    await run.shows('to search');
    run.type('Enter');
    await run.shows('(1 match)');
    run.type(ENTER);
    await run.shows('Settings) (Esc: back)');
    const field = run.output().length;
    expect(run.output().slice(run.output().indexOf('(Esc: back)'))).toMatch(/svc_1[\s\S]*svc_2/);
    run.type(ESC);
    await run.shows('to search', field);
    run.type(ENTER);
    expect(await run.ended(), run.output()).toBe(0);
  });

  test('Esc goes back to the question before, and leaves from the first', async (context) => {
    const { terminal } = await newcomer(context, { services: [{ name: 'svc_1' }], deployments: [{ name: 'dep_1' }] });
    const run = terminal(['deployments', 'inspect']);
    await run.shows('Which service?');
    run.type(ENTER);
    await run.shows('Which deployment? (Esc: back)');
    const second = run.output().length;
    run.type(ESC);
    await run.shows('Which service?', second);
    run.type(ESC);
    expect(await run.ended()).toBe(130);
    expect(run.output()).toContain('Cancelled.');
  });

  test('Esc goes back in single lines as well', async (context) => {
    const { wire, terminal } = await newcomer(context, { services: [{ name: 'svc_1' }] });
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true });
    const run = terminal(['restart'], { env: { ACCESSIBLE: '1' } });
    await run.shows('Number from 1 to 2: ');
    run.type(`2${ENTER}`);
    await run.shows('Settings) (Esc: back): ');
    const field = run.output().length;
    run.type(ESC);
    await run.shows('Number from 1 to 2: ', field);
    run.type(`1${ENTER}`);
    expect(await run.ended(), run.output()).toBe(0);
  });
});

describe('what is offered in single lines', () => {
  const inLines = (typed: string, env = {}) => ({ terminal: TERMINAL, env: { ACCESSIBLE: '1', ...env }, stdin: typed });

  test.each<[line: string, seen: object, path: string]>([
    ['db inspect', { databases: [{ name: 'db_1' }] }, '/v1/databases/db_1'],
    [
      'deployments inspect --service svc_1',
      { deployments: [{ name: 'dep_1' }] },
      '/v1/services/svc_1/deployments/dep_1',
    ],
  ])('svc %s', async (line, seen, path) => {
    const { wire, run } = await newcomerHere(seen);
    wire.on('GET', path).reply(200, {});
    expect(await run(line, inLines('1\n'))).toMatchObject({ exitCode: 0 });
  });

  test('the platform lists the organizations', async () => {
    const { wire, run, configDir } = await newcomerHere();
    const organizations = [
      { id: 'org_1', slug: 'acme', name: 'Acme Ltd' },
      { id: 'org_2', slug: 'guild', name: 'Guild' },
    ];
    wire.on('GET', '/v1/user').always(200, { organizations });
    const { exitCode, shown } = await run('orgs use', inLines('2\n', { SVC_API_URL: '' }));
    expect([exitCode, shown]).toEqual([0, expect.stringContaining('Now using organization guild.')]);
    expect(shown).toContain('guild (Guild)');
    expect(readSignIns(configDir).credentials.map(({ org }) => org)).toContain('guild');
  });

  test('the stored sign-ins are the profiles', async () => {
    const { run, configDir } = await newcomerHere();
    const { shown } = await run('profiles use', inLines('2\n'));
    expect(shown).toContain('home (home@example.com)');
    expect(readSignIns(configDir).current).toBe('home');
  });
});

test.each([
  ['metrics --step foo', 2],
  ['metrics --since 1h --until 2h', 2],
  ['wp run --param foo', 2],
  ['wp run x --param a=1 --param a=2', 2],
  ['restart', 4],
])('nothing is asked with an invalid option, or without a sign-in: svc %s', async (line, exitCode) => {
  const run = await svc(line.split(' '), { url: 'http://127.0.0.1:1', token: null, terminal: TERMINAL });
  expect(run.exitCode).toBe(exitCode);
  expect(run.shown).not.toMatch(/Service id|Action, such as/);
});

describe.concurrent('on a terminal, a missing platform address is asked for', () => {
  const NO_ADDRESS = { SVC_API_URL: '' };

  test('those that were seen are offered, and each gets its own token only', async (context) => {
    const { wire, terminal, configDir } = await newStage(context, program, null);
    // After a logout no sign-in is the current one.
    const credentials = [storedSignIn('other', 'https://other.example.com'), storedSignIn('own', wire.url)];
    mkdirSync(configDir);
    writeFileSync(join(configDir, 'credentials.json'), JSON.stringify({ version: 1, credentials }));
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true });
    const run = terminal(['restart', 'svc_1'], { env: NO_ADDRESS });
    await run.shows('Enter an address…');
    expect(run.output()).not.toContain('will be sent');
    run.type(DOWN + ENTER);
    expect(await run.ended(), run.output()).toBe(0);
    expect(wire.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer svc_CANARY_own']);
  });

  test('a typed one is checked like --api-url, where the token goes is said before, and a missing service is asked for next', async (context) => {
    const { wire, terminal } = await newStage(context, program, null);
    wire.on('POST', '/v1/services/svc_9/restart').reply(200, { success: true });
    const run = terminal(['restart'], { env: { ...NO_ADDRESS, SVC_TOKEN: 'svc_CANARY_env' }, columns: 120 });
    await run.shows('Platform address');
    expect(run.output()).toContain('The token of SVC_TOKEN will be sent to this address.');
    run.type(`http://api.example.com${ENTER}`);
    await run.shows('https');
    expect(wire.requests).toEqual([]);
    run.type('\u007f'.repeat(40));
    run.type(`127.0.0.1:${wire.port}${ENTER}`);
    await run.shows('Service id (');
    run.type(`svc_9${ENTER}`);
    expect(await run.ended(), run.output()).toBe(0);
    expect(wire.requests).toHaveLength(1);
  });

  test('not with --json, and Ctrl-C sends nothing', async (context) => {
    const { terminal, here } = await newStage(context, program, null);
    const json = await here(['whoami', '--json'], { env: NO_ADDRESS, terminal: TERMINAL });
    expect(json.exitCode).toBe(2);
    expect(json.shown).toContain('svc does not know your platform yet.');
    const run = terminal(['whoami'], { env: NO_ADDRESS });
    await run.shows('Platform address');
    run.type('\u0003');
    expect(await run.ended()).toBe(130);
    expect(run.output()).toContain('Cancelled. Nothing was sent.');
  });
});

test.each<[line: string, said: readonly string[]]>([
  ['restart', ['This command needs a service.', 'Find the id in the dashboard: Services › your service › Settings.']],
  ['db inspect', ['"svc db inspect" needs <database>.', 'Seen before: db_1', 'Find the id in the dashboard.']],
  ['orgs use', ['"svc orgs use" needs <organization>.', 'Usage: svc orgs use <organization> [options]']],
  ['profiles use', ['"svc profiles use" needs <name>.', 'Seen before: work, home']],
])('off a terminal, the error says what is missing: svc %s', async (line, said) => {
  const { run } = await newcomerHere({ databases: [{ name: 'db_1' }] });
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(2);
  for (const text of said) expect(stderr).toContain(text);
});
