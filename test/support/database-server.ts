import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { findProgram, needs } from './needs.ts';
import { closedPort } from './tcp.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** The user that a database server of a test has. */
export const DATABASE_USER = 'ann';

/**
 * What the tests need of a real PostgreSQL: the server's programs are not on the PATH of Debian.
 */
export const postgres = needs('psql', 'postgresql');
const postgresPath = ['18', '17', '16', '15', '14']
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .join(':');
export const initdb = findProgram('initdb', `${process.env['PATH']}:${postgresPath}`);

/**
 * Starts a PostgreSQL with one user and this password on a free port; ends with the test. Returns
 * the port.
 */
export async function startPostgres(password: string): Promise<number> {
  if (initdb === undefined) throw new Error('PostgreSQL is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'svc-db-'));
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  const user = await unprivilegedUser();
  if (user !== undefined)
    for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  const data = join(folder, 'data');
  const settings = [
    '--auth-host=scram-sha-256',
    '--auth-local=scram-sha-256',
    `--username=${DATABASE_USER}`,
  ];
  await run(
    initdb,
    ['-D', data, ...settings, `--pwfile=${passwordFile}`, '--no-sync', '-E', 'UTF8'],
    {
      ...user,
      cwd: folder,
    },
  );
  const port = await closedPort();
  const options = [
    '-D',
    data,
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'fsync=off',
  ];
  const server = spawn(initdb.replace(/initdb$/, 'postgres'), options, {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  endWithTest(server, 'SIGINT', folder);
  await untilOpen(port, server);
  return port;
}

/** What the tests need of a real Redis. */
export const redis = needs('redis-server');

/** Starts a Redis with this password on a free port; ends with the test. Returns the port. */
export async function startRedis(password: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-db-'));
  const port = await closedPort();
  const settings = join(folder, 'redis.conf');
  await writeFile(
    settings,
    `port ${port}\nbind 127.0.0.1\nrequirepass ${password}\nsave ""\ndir ${folder}\n`,
  );
  const server = spawn(redis.path, [settings], { cwd: folder, stdio: 'ignore' });
  endWithTest(server, 'SIGTERM', folder);
  await untilOpen(port, server);
  return port;
}

/** PostgreSQL does not run as root, so root lends it to the user that its package brings. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'postgres'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

function endWithTest(server: ChildProcess, signal: NodeJS.Signals, folder: string): void {
  const gone = new Promise((resolve) => server.once('close', resolve));
  onTestFinished(async () => {
    server.kill(signal);
    await gone;
    await rm(folder, { recursive: true, force: true });
  });
}

/** Waits until somebody listens; a server that ends before is an error. */
async function untilOpen(port: number, server: ChildProcess): Promise<void> {
  await until(() => {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    return new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' }, () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  });
}
