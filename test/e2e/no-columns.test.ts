import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../support/svc.ts';
import { testWire, type Wire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

/** More than any of these lines draws before it is ended, and less than an endless stream. */
const MUCH_OUTPUT = 200_000;

/** svc on a real terminal, which can be made to say that it has no columns. */
async function svcOnTerminal(wire: Wire, args: readonly string[]) {
  const env = {
    ...TERMINAL_ENV,
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
  const { command } = await builtProgram();
  const run = onTerminal(command, { args, env, before: 'tty' });
  await run.shows('/dev/');
  const [device = ''] = /\/dev\/\S+/.exec(run.output()) ?? [];
  const loseColumns = () => execFileSync('stty', ['-F', device, 'cols', '0', 'rows', '0']);
  return { ...run, loseColumns };
}

test.each([
  ['restart svc_1 --yes', 'POST', '/v1/services/svc_1/restart'],
  ['whoami', 'GET', '/v1/user'],
  ['metrics svc_1', 'GET', '/v1/services/svc_1/metrics/history'],
])(
  'svc %s goes on where the terminal loses its columns, and ends when it is told to',
  async (line, method, path) => {
    const wire = await testWire();
    wire.on(method, path).hang();
    const run = await svcOnTerminal(wire, line.split(' '));
    await run.shows('\u2838');

    run.loseColumns();
    const before = run.output().length;
    await run.shows('\u280b', before);
    await run.shows('\u2838', before);
    run.signal('SIGTERM');

    expect(await run.ended()).toBe(143);
    expect(run.output().length).toBeLessThan(MUCH_OUTPUT);
  },
);

test('a question survives that the terminal loses its columns', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true });
  wire.on('POST', '/v1/services/svc_2/restart').reply(200, { success: true });
  const run = await svcOnTerminal(wire, ['restart', 'svc_1', 'svc_2']);
  await run.shows('[y/N]');

  run.loseColumns();
  const before = run.output().length;
  run.type('y');
  await run.shows('y', before);
  expect(wire.requests).toEqual([]);
  run.type('\r');

  expect(await run.ended()).toBe(0);
  expect(wire.requests).toHaveLength(2);
  expect(run.output().length).toBeLessThan(MUCH_OUTPUT);
});
