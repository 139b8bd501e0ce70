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

/** The files of a certificate for 127.0.0.1 that no client trusts by itself. */
interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

interface ServerOptions {
  readonly password: string;
  /** Whether the server encrypts, with a certificate of its own. */
  readonly tls?: boolean;
}

/**
 * Starts a PostgreSQL with one user and this password on a free port; ends with the test. Returns
 * the port.
 */
export async function startPostgres({ password, tls }: ServerOptions): Promise<number> {
  if (initdb === undefined) throw new Error('PostgreSQL is not installed');
  const user = await unprivilegedUser('postgres');
  const folder = await serverFolder(user);
  const passwordFile = await ownFile(join(folder, 'password'), password, user);
  const data = join(folder, 'data');
  const rules = ['--auth-host=scram-sha-256', '--auth-local=scram-sha-256', '--no-sync'];
  const account = [`--username=${DATABASE_USER}`, `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  await run(initdb, ['-D', data, ...rules, ...account], { ...user, cwd: folder });

  const port = await closedPort();
  const place = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder];
  const settings = ['-c', 'fsync=off', ...(tls ? await postgresTls(folder, user) : [])];
  const server = spawn(initdb.replace(/initdb$/, 'postgres'), [...place, ...settings], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  endWithTest(server, 'SIGINT', folder);
  await untilOpen(port, server);
  return port;
}

async function postgresTls(folder: string, user: Owner): Promise<readonly string[]> {
  const { certificate, key } = await createCertificate(folder, user);
  return ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`].flatMap((setting) => [
    '-c',
    setting,
  ]);
}

/** What the tests need of a real MariaDB: its server, and its client. */
export const mariadb = needs('mariadbd', 'mariadb-server mariadb-client');
export const mariadbClient = findProgram('mariadb') ?? '';

/**
 * Starts a MariaDB with one user and a database `shop` on a free port; ends with the test. Returns
 * the port, and the certificate of one that encrypts.
 */
export async function startMariadb({ password, tls }: ServerOptions) {
  const user = await unprivilegedUser('mysql');
  const folder = await serverFolder(user);
  const data = join(folder, 'data');
  // In a folder of its own, since a MariaDB that starts removes the temporary tables of others.
  const folders = [`--datadir=${data}`, `--tmpdir=${folder}`];
  const install = ['--no-defaults', ...folders, '--skip-test-db'];
  const accounts = '--auth-root-authentication-method=normal';
  await run('mariadb-install-db', [...install, accounts], { ...user, cwd: folder });

  const statements = [
    'create database shop;',
    `create user ${DATABASE_USER}@'%' identified by '${password.replaceAll("'", "''")}';`,
    `grant all on shop.* to ${DATABASE_USER}@'%';`,
  ];
  const first = await ownFile(join(folder, 'first.sql'), statements.join('\n'), user);
  const files = tls ? await createCertificate(folder, user) : undefined;
  const port = await closedPort();
  const place = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 's')}`];
  const ssl =
    files === undefined ? [] : [`--ssl-cert=${files.certificate}`, `--ssl-key=${files.key}`];
  const server = spawn(
    mariadb.path,
    ['--no-defaults', ...folders, ...place, '--skip-name-resolve', `--init-file=${first}`].concat(
      ssl,
    ),
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  endWithTest(server, 'SIGTERM', folder);
  await untilOpen(port, server);
  return { port, certificate: files?.certificate };
}

/** Makes a certificate that signs itself: nobody trusts it who was not told to. */
async function createCertificate(folder: string, user: Owner): Promise<Certificate> {
  const certificate = join(folder, 'server.crt');
  const key = join(folder, 'server.key');
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3650'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  await run('openssl', [...kind, ...name, ...files], { ...user, cwd: folder });
  return { certificate, key };
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

type Owner = { readonly uid: number; readonly gid: number } | undefined;

/** A database does not run as root, so root lends it to the user that its package brings. */
async function unprivilegedUser(name: string): Promise<Owner> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

async function serverFolder(user: Owner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-db-'));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  return folder;
}

async function ownFile(path: string, text: string, user: Owner): Promise<string> {
  await writeFile(path, text);
  if (user !== undefined) await chown(path, user.uid, user.gid);
  return path;
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
