import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program } from '../../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../../terminal/script.ts';

const CTRL_C = '\u0003';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** `svc db connect` on a terminal where `psql` is this script. */
async function session(script: string) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'psql'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'psql'), 0o755);
  const wire = await testWire();
  wire
    .on('GET', '/v1/databases/db_1')
    .reply(200, { connectionUrl: 'postgres://ann@db.example/shop', password: 'hidden-password' });
  const env = {
    ...TERMINAL_ENV,
    PATH: `${folder}${delimiter}${TERMINAL_ENV['PATH']}`,
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: await temporaryFolder(),
  };
  return onTerminal(program.command, { args: ['db', 'connect', 'db_1'], env });
}

test('the client has the terminal: it asks, a person answers, and its exit code is that of svc', async () => {
  const run = await session(`printf 'shop=> '; read -r line; test -t 1 && echo "ran $line on a terminal"; exit 3`);
  await run.shows('shop=> ');
  expect(run.output()).toContain('Connecting to db_1 on db.example.');
  run.type('select 1\r');
  expect(await run.ended()).toBe(3);
  expect(run.output()).toContain('ran select 1 on a terminal');
  expect(run.output()).not.toContain('hidden-password');
});

test("Ctrl-C stops the client's query, not the session", async () => {
  const run = await session(
    `trap 'echo stopped' INT; printf 'shop=> '; read -r line || read -r line; echo "then $line"`,
  );
  await run.shows('shop=> ');
  run.type(CTRL_C);
  await run.shows('stopped');
  run.type('select 2\r');
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('then select 2');
  expect(run.output()).not.toContain('Interrupted');
});
