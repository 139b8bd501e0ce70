import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  DATABASE_USER,
  initdb,
  mariadb,
  mariadbClient,
  postgres,
  redis,
  startMariadb,
  startPostgres,
  startRedis,
} from '../../support/database-server.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { closedPort } from '../../support/tcp.ts';
import { testWire } from '../../support/wire.ts';

/** It needs every kind of escaping. */
const PASSWORD = "p@ss/w:or'd$1#";
const SIGNED_IN = `${DATABASE_USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1`;

interface Own {
  /** The lines of `~/.my.cnf`. */
  readonly myCnf?: string;
  /** Variables of the user. */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Runs `svc db connect` with these client arguments against a database that the platform says to be
 * at this address, for a user who has a file and variables of his own.
 */
async function connect(connectionUrl: string, clientArguments: readonly string[], own: Own = {}) {
  const home = await temporaryFolder();
  if (own.myCnf !== undefined) {
    await writeFile(join(home, '.my.cnf'), `[client]\n${own.myCnf}\n`, { mode: 0o600 });
  }
  const wire = await testWire();
  wire.on('GET', '/v1/databases/db_1').reply(200, { connectionUrl, credentialsIncluded: true });
  const env = { PATH: process.env['PATH'], HOME: home, ...own.variables };
  return await svc(['db', 'connect', 'db_1', '--', ...clientArguments], { url: wire.url, env });
}

/** Asks PostgreSQL something through `svc db connect`. */
async function askPostgres(url: string, statement: string, own?: Own) {
  const output = join(await temporaryFolder(), 'output');
  const run = await connect(url, ['-At', '-w', '-o', output, '-c', statement], own);
  return { exitCode: run.exitCode, answer: await readIfThere(output), stderr: run.stderr };
}

/** Asks MariaDB something through `svc db connect`; its client prints into a file. */
async function askMariadb(url: string, statement: string, own: Own = {}, words: string[] = []) {
  const folder = await temporaryFolder();
  const output = join(folder, 'output');
  const client = join(folder, 'mariadb');
  await writeFile(client, `#!/bin/sh\nexec ${mariadbClient} "$@" >'${output}'\n`, { mode: 0o755 });
  const variables = { PATH: folder, ...own.variables };
  const run = await connect(url, [...words, '--silent', '-e', statement], { ...own, variables });
  return { exitCode: run.exitCode, answer: await readIfThere(output), stderr: run.stderr };
}

async function readIfThere(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}

const noPostgres = postgres.missing || initdb === undefined;
const WHO = "select current_user || ' on ' || current_database()";
const IS_ENCRYPTED = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';

test.skipIf(noPostgres)(
  postgres.title('psql is signed in to a real PostgreSQL, whatever variables the user has'),
  async () => {
    const port = await startPostgres({ password: PASSWORD });
    const url = `postgresql://${SIGNED_IN}:${port}/postgres?sslmode=prefer`;
    const variables = {
      PGPORT: '1',
      PGHOSTADDR: '192.0.2.1',
      PGSERVICE: 'none',
      PGUSER: 'eve',
      PGDATABASE: 'other',
      PGPASSWORD: 'other',
      PGSSLMODE: 'verify-full',
    };

    const plain = await askPostgres(url, WHO);
    const other = await askPostgres(url, WHO, { variables });
    const asParameters = await askPostgres(
      `postgres://127.0.0.1:${port}/postgres?user=ann&password=${encodeURIComponent(PASSWORD)}&sslmode=disable&options=-c%20DateStyle%3DGerman`,
      `${WHO} || ' ' || current_setting('DateStyle')`,
      { variables },
    );
    const wrong = await connect(url, ['-c', 'no such statement', '-v', 'ON_ERROR_STOP=1']);

    const connected = 'Connecting to db_1 on 127.0.0.1.\n';
    expect(plain).toEqual({ exitCode: 0, answer: 'ann on postgres\n', stderr: connected });
    expect(other).toEqual(plain);
    expect(asParameters.answer).toBe('ann on postgres German, DMY\n');
    expect(wrong.exitCode).toBe(1);
  },
);

test.skipIf(noPostgres)(
  postgres.title('psql asks the second host of a URL where the first does not answer'),
  async () => {
    const port = await startPostgres({ password: PASSWORD });
    const nobody = await closedPort();
    const url = `postgresql://${SIGNED_IN}:${nobody},127.0.0.1:${port}/postgres`;

    const run = await askPostgres(url, WHO);

    expect(run).toMatchObject({ exitCode: 0, answer: 'ann on postgres\n' });
  },
);

test.skipIf(noPostgres)(
  postgres.title('a PostgreSQL without TLS gets no connection where the URL demands encryption'),
  async () => {
    const port = await startPostgres({ password: PASSWORD });
    const url = `postgresql://${SIGNED_IN}:${port}/postgres`;

    for (const query of ['sslmode=require', 'ssl=true', 'tls=true', 'sslaccept=strict']) {
      const run = await askPostgres(`${url}?${query}`, WHO);
      expect(run, query).toMatchObject({ exitCode: 2, answer: '' });
    }
    expect(await askPostgres(`${url}?ssl=false`, WHO)).toMatchObject({ exitCode: 0 });
  },
);

test.skipIf(noPostgres)(
  postgres.title('a PostgreSQL with TLS is encrypted, and verified where the URL demands it'),
  async () => {
    const port = await startPostgres({ password: PASSWORD, tls: true });
    const url = `postgresql://${SIGNED_IN}:${port}/postgres`;

    for (const query of ['sslmode=require', 'ssl=true', 'sslmode=prefer', 'sslmode=no-verify']) {
      const run = await askPostgres(`${url}?${query}`, IS_ENCRYPTED);
      expect(run, query).toMatchObject({ exitCode: 0, answer: 't\n' });
    }
    for (const query of ['sslmode=verify-full', 'sslaccept=strict']) {
      const run = await askPostgres(`${url}?${query}`, IS_ENCRYPTED);
      expect(run, query).toMatchObject({ exitCode: 2, answer: '' });
    }
    expect(await askPostgres(`${url}?ssl=false`, IS_ENCRYPTED)).toMatchObject({ answer: 'f\n' });
  },
);

const WHO_MARIADB = "select concat(user(), ' on ', database())";
const CIPHER = "show status like 'Ssl_cipher'";
const ENCRYPTED = /Ssl_cipher\tTLS_\w+/;

test.skipIf(mariadb.missing)(
  mariadb.title('mysql is signed in to a real MariaDB, whatever ~/.my.cnf and variables say'),
  async () => {
    const { port } = await startMariadb({ password: PASSWORD });
    const url = `mysql://${SIGNED_IN}:${port}/shop`;
    const lines = 'password=other\nport=1\nuser=eve\nhost=192.0.2.1\nprotocol=socket\nsocket=/none';
    const variables = { MYSQL_PWD: 'other', MYSQL_TCP_PORT: '1', MYSQL_HOST: '192.0.2.1' };

    const plain = await askMariadb(url, WHO_MARIADB);
    const other = await askMariadb(url, WHO_MARIADB, { myCnf: lines, variables });
    const local = await askMariadb(url.replace('127.0.0.1', 'localhost'), WHO_MARIADB);
    const parameters = `user=ann&password=${encodeURIComponent(PASSWORD)}&database=shop`;
    const asParameters = await askMariadb(`mysql://127.0.0.1:${port}?${parameters}`, WHO_MARIADB);

    expect(plain.exitCode).toBe(0);
    expect(plain.stderr).toBe('Connecting to db_1 on 127.0.0.1.\n');
    expect(plain.answer).toBe('ann@127.0.0.1 on shop\n');
    expect(other).toEqual(plain);
    expect(local.exitCode).toBe(0);
    expect(asParameters).toEqual(plain);
  },
);

test.skipIf(mariadb.missing)(
  mariadb.title('a URL without a password sends none of ~/.my.cnf'),
  async () => {
    const { port } = await startMariadb({ password: PASSWORD });
    const own = { myCnf: `password="${PASSWORD}"`, variables: { MYSQL_PWD: PASSWORD } };

    const run = await askMariadb(`mysql://ann@127.0.0.1:${port}/shop`, WHO_MARIADB, own);

    expect(run.exitCode).toBe(1);
  },
);

test.skipIf(mariadb.missing)(
  mariadb.title('a MariaDB without TLS gets no connection where the URL demands encryption'),
  async () => {
    const { port } = await startMariadb({ password: PASSWORD });
    const url = `mysql://${SIGNED_IN}:${port}/shop`;
    const queries = 'ssl-mode=REQUIRED ssl=true tls=true useSSL=true sslmode=require';

    for (const query of [...queries.split(' '), 'sslaccept=strict', 'ssl_mode=VERIFY_CA']) {
      const run = await askMariadb(`${url}?${query}`, CIPHER);
      expect(run, query).toMatchObject({ exitCode: 1, answer: '' });
    }
    for (const query of ['ssl-mode=PREFERRED', 'ssl-mode=DISABLED', 'useSSL=false']) {
      expect(await askMariadb(`${url}?${query}`, CIPHER), query).toMatchObject({ exitCode: 0 });
    }
  },
);

test.skipIf(mariadb.missing)(
  mariadb.title("a MariaDB with TLS is encrypted; MariaDB's client verifies, and svc says so"),
  async () => {
    const { port, certificate } = await startMariadb({ password: PASSWORD, tls: true });
    const url = `mysql://${SIGNED_IN}:${port}/shop`;
    const own = { myCnf: 'skip-ssl', variables: { MARIADB_TLS_DISABLE_PEER_VERIFICATION: '1' } };

    const preferred = await askMariadb(`${url}?ssl-mode=preferred`, CIPHER, own);
    const refused = await askMariadb(`${url}?ssl=true`, CIPHER, own);
    const trusted = await askMariadb(`${url}?ssl=true`, CIPHER, own, [`--ssl-ca=${certificate}`]);

    expect(preferred.answer).toMatch(ENCRYPTED);
    expect(refused).toMatchObject({ exitCode: 1, answer: '' });
    expect(refused.stderr).toContain('it verifies the certificate as well');
    expect(trusted.answer).toMatch(ENCRYPTED);
  },
);

test.skipIf(redis.missing)(redis.title('redis-cli is signed in to a real Redis'), async () => {
  const password = PASSWORD.replace(/['"#]/g, '');
  const port = await startRedis(password);
  const url = `redis://default:${encodeURIComponent(password)}@127.0.0.1:${port}/2`;
  const own = { variables: { REDISCLI_AUTH: 'other', VALKEYCLI_AUTH: 'other' } };
  const parameters = `db=2&password=${encodeURIComponent(password)}`;

  const run = await connect(url, ['set', 'greeting', 'hello'], own);
  await connect(`redis://127.0.0.1:${port}?${parameters}`, ['append', 'greeting', '!'], own);

  expect(run).toMatchObject({ exitCode: 0, stderr: 'Connecting to db_1 on 127.0.0.1.\n' });
  const asked = ['-p', String(port), '-n', '2', 'get', 'greeting'];
  const { stdout } = await promisify(execFile)('redis-cli', asked, {
    env: { ...process.env, REDISCLI_AUTH: password },
  });
  expect(stdout).toBe('hello!\n');
});
