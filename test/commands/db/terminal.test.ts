import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { builtProgram } from '../../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../../terminal/script.ts';

const PSQL = `#!/bin/sh
trap 'echo stopped' INT
printf 'shop=> '
read -r line || read -r line
test -t 1 && echo "ran $line on a terminal"
exit 3
`;

test("the client has the terminal: Ctrl-C stops its query, a person answers, and its exit code is svc's", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'psql'), PSQL);
  await chmod(join(folder, 'psql'), 0o755);
  const wire = await testWire();
  const answer = { connectionUrl: 'postgres://ann@db.example/shop', password: 'hidden-password' };
  wire.on('GET', '/v1/databases/db_1').reply(200, answer);
  const { command } = await builtProgram();
  const run = onTerminal(command, {
    args: ['db', 'connect', 'db_1'],
    env: {
      ...TERMINAL_ENV,
      PATH: `${folder}${delimiter}${TERMINAL_ENV['PATH']}`,
      SVC_API_URL: wire.url,
      SVC_TOKEN: CANARY_TOKEN,
      SVC_CONFIG_DIR: await temporaryFolder(),
    },
  });
  await run.shows('shop=> ');
  run.type('\u0003');
  await run.shows('stopped');
  run.type('select 1\r');
  expect(await run.ended()).toBe(3);
  expect(run.output()).toContain('ran select 1 on a terminal');
  expect(run.output()).not.toMatch(/hidden-password|Interrupted/);
});
