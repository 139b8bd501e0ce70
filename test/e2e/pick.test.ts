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
const NO_ADDRESS = { SVC_API_URL: '' };

describe.concurrent('on a terminal, what is missing is asked for', () => {
  test('names that were seen are offered', async (context) => {
    const { wire, terminal, configDir } = await newStage(context, program, null);
    writeSignIns(configDir, storedSignIn('work', wire.url));
    writeNamesSeen(configDir, {
      [wire.url]: { services: [{ name: 'svc_1' }, { name: 'svc_2', about: 'Kola blog' }] },
    });
    wire.on('POST', '/v1/services/svc_2/restart').reply(200, { success: true });
    const run = terminal(['restart'], { columns: 50 });
    await run.shows('Enter a service id…');
    expect(run.output()).toContain('Kola blog (svc_2)');
    run.type(DOWN + ENTER);
    expect(await run.ended(), run.output()).toBe(0);
  });

  test('addresses that were seen are offered, and each gets its own token only', async (context) => {
    const { wire, terminal, configDir } = await newStage(context, program, null);
    // After a logout no sign-in is the current one.
    const credentials = [
      storedSignIn('other', 'https://other.example.com'),
      storedSignIn('own', wire.url),
    ];
    mkdirSync(configDir);
    writeFileSync(join(configDir, 'credentials.json'), JSON.stringify({ version: 1, credentials }));
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true });
    const run = terminal(['restart', 'svc_1'], { env: NO_ADDRESS });
    await run.shows('Enter an address…');
    run.type(DOWN + ENTER);
    expect(await run.ended(), run.output()).toBe(0);
    expect(wire.requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer svc_CANARY_own',
    ]);
  });

  test('a typed address is checked like --api-url, and where the token goes is said before', async (context) => {
    const { wire, terminal } = await newStage(context, program, null);
    wire.on('GET', '/v1/user').reply(200, {});
    const run = terminal(['whoami'], {
      env: { ...NO_ADDRESS, SVC_TOKEN: 'svc_CANARY_env' },
      columns: 120,
    });
    await run.shows('Platform address');
    expect(run.output()).toContain('The token of SVC_TOKEN will be sent to this address.');
    run.type(`http://api.example.com${ENTER}`);
    await run.shows('https');
    expect(wire.requests).toEqual([]);
    run.type('\u007f'.repeat(40));
    run.type(`127.0.0.1:${wire.port}${ENTER}`);
    expect(await run.ended(), run.output()).toBe(0);
  });
});

const terminal = { columns: 80, rows: 30 };
const URL = 'http://127.0.0.1:1';
test.each([
  ['without a sign-in', 'restart', { url: URL, terminal }, 4, 'svc login'],
  ['with --json', 'whoami --json', { terminal }, 2, 'svc does not know your platform yet.'],
  ['off a terminal', 'db inspect', { url: URL }, 2, 'Seen before: db_1'],
])('nothing is asked %s: svc %s', async (_when, line, where, exitCode, said) => {
  const configDir = await temporaryFolder();
  writeNamesSeen(configDir, { [URL]: { databases: [{ name: 'db_1' }] } });
  const run = await svc(line.split(' '), { ...where, token: null, configDir });
  expect(run).toMatchObject({ exitCode, shown: expect.stringContaining(said) });
  expect(run.shown).not.toMatch(/Service id|Platform address/);
});
