import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  DATABASE_USER,
  initdb,
  postgres,
  redis,
  startPostgres,
  startRedis,
} from '../../support/database-server.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

/** It needs every kind of escaping. */
const PASSWORD = "p@ss/w:or'd$1#";

/**
 * Runs `svc db connect` with these client arguments against a database that the platform says to be
 * at this address.
 */
async function connect(connectionUrl: string, clientArguments: readonly string[]) {
  const wire = await testWire();
  wire.on('GET', '/v1/databases/db_1').reply(200, { connectionUrl, credentialsIncluded: true });
  const env = { PATH: process.env['PATH'], HOME: await temporaryFolder() };
  return await svc(['db', 'connect', 'db_1', '--', ...clientArguments], { url: wire.url, env });
}

test.skipIf(postgres.missing || initdb === undefined)(
  postgres.title('psql is signed in to a real PostgreSQL'),
  async () => {
    const port = await startPostgres(PASSWORD);
    const url = `postgresql://${DATABASE_USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres?sslmode=prefer`;
    const output = join(await temporaryFolder(), 'output');
    const run = await connect(url, [
      '-At',
      '-o',
      output,
      '-c',
      "select current_user || ' on ' || current_database()",
    ]);
    expect(run).toMatchObject({ exitCode: 0, stderr: 'Connecting to db_1 on 127.0.0.1.\n' });
    expect(await readFile(output, 'utf8')).toBe('ann on postgres\n');
    expect(
      (await connect(url, ['-c', 'no such statement', '-o', output, '-v', 'ON_ERROR_STOP=1']))
        .exitCode,
    ).toBe(1);
  },
);

test.skipIf(redis.missing)(redis.title('redis-cli is signed in to a real Redis'), async () => {
  const password = PASSWORD.replace(/['"#]/g, '');
  const port = await startRedis(password);
  const url = `redis://default:${encodeURIComponent(password)}@127.0.0.1:${port}/2`;
  const run = await connect(url, ['set', 'greeting', 'hello']);
  expect(run).toMatchObject({ exitCode: 0, stderr: 'Connecting to db_1 on 127.0.0.1.\n' });
  const asked = ['-p', String(port), '-n', '2', 'get', 'greeting'];
  const { stdout } = await promisify(execFile)('redis-cli', asked, {
    env: { ...process.env, REDISCLI_AUTH: password },
  });
  expect(stdout).toBe('hello\n');
});
