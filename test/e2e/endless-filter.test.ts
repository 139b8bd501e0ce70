import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

const CTRL_C = '\u0003';

/** Long enough for an answer to reach the filter; a shorter time would only make the test see less. */
const UNTIL_THE_FILTER_RUNS_MS = 1_000;

test('Ctrl-C ends a --jq filter that never ends', async () => {
  const program = await builtProgram();
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, { user: {} });
  const env = {
    ...TERMINAL_ENV,
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
  const args = ['whoami', '--jq', 'reduce repeat(1) as $one (0; . + $one)'];
  const run = onTerminal(program.command, { env, args });
  await until(() => wire.requests.length === 1);
  await sleep(UNTIL_THE_FILTER_RUNS_MS);
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  expect(run.output()).not.toContain('0');
});
