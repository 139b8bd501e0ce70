import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtProgram, type Program } from '../support/program.ts';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { newStage } from './login/stage.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const ENTER = '\r';
const DOWN = '\u001b[B';
const ESC = '\u001b';
const TERMINAL = { columns: 80, rows: 30 };

/** A person with a sign-in, on a machine that has seen these names. */
async function newcomer(context: Parameters<typeof newStage>[0], seen: object = {}) {
  const stage = await newStage(context, program, null);
  writeSignIns(stage.configDir, storedSignIn('work', stage.wire.url));
  writeNamesSeen(stage.configDir, { [stage.wire.url]: seen });
  return stage;
}

describe.concurrent('on a terminal, a missing name is asked for', () => {
  test('services that were seen are offered, also at 50 columns', async (context) => {
    const services = [{ name: 'svc_1' }, { name: 'svc_2', about: 'Kola blog' }];
    const { wire, terminal } = await newcomer(context, { services });
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
    run.type(`svc_9${ENTER}`);
    expect(await run.ended(), run.output()).toBe(0);
    const again = terminal(['restart']);
    await again.shows('Enter a service id…');
    again.type(ENTER);
    expect(await again.ended(), again.output()).toBe(0);
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
});

test.each([
  ['metrics --step foo', 2],
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
    run.type(DOWN + ENTER);
    expect(await run.ended(), run.output()).toBe(0);
    expect(wire.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer svc_CANARY_own']);
  });

  test('a typed one is checked like --api-url, and where the token goes is said before', async (context) => {
    const { wire, terminal } = await newStage(context, program, null);
    wire.on('GET', '/v1/user').reply(200, {});
    const run = terminal(['whoami'], { env: { ...NO_ADDRESS, SVC_TOKEN: 'svc_CANARY_env' }, columns: 120 });
    await run.shows('Platform address');
    expect(run.output()).toContain('The token of SVC_TOKEN will be sent to this address.');
    run.type(`http://api.example.com${ENTER}`);
    await run.shows('https');
    expect(wire.requests).toEqual([]);
    run.type('\u007f'.repeat(40));
    run.type(`127.0.0.1:${wire.port}${ENTER}`);
    expect(await run.ended(), run.output()).toBe(0);
  });

  test('not with --json, and Ctrl-C sends nothing', async (context) => {
    const { terminal, here } = await newStage(context, program, null);
    const json = await here(['whoami', '--json'], { env: NO_ADDRESS, terminal: TERMINAL });
    expect(json).toMatchObject({ exitCode: 2, shown: expect.stringContaining('svc does not know your platform yet.') });
    const run = terminal(['whoami'], { env: NO_ADDRESS });
    await run.shows('Platform address');
    run.type('\u0003');
    expect(await run.ended()).toBe(130);
  });
});

test.each([
  ['restart', 'This command needs a service.'],
  ['db inspect', 'Seen before: db_1'],
  ['profiles use', 'Seen before: work'],
])('off a terminal, the error says what is missing: svc %s', async (line, said) => {
  const configDir = await temporaryFolder();
  const url = 'http://127.0.0.1:1';
  writeSignIns(configDir, storedSignIn('work', url));
  writeNamesSeen(configDir, { [url]: { databases: [{ name: 'db_1' }] } });
  const run = await svc(line.split(' '), { url, token: null, configDir });
  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
});
