import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ask } from '../../src/dns/client.ts';
import { findProgram } from './needs.ts';
import { closedPort } from './tcp.ts';
import { until } from './until.ts';

/** A zone to serve. */
export interface KnotZone {
  readonly name: string;
  /** The records, as a zone file without `$ORIGIN` and SOA; a function is given the DS records of the signed zones. */
  readonly records: string | ((ds: ReadonlyMap<string, string>) => string);
  /** Signed with DNSSEC, with a key of its own. */
  readonly signed?: boolean;
}

/** A nameserver of the real world, Knot DNS, on a free port of 127.0.0.1. */
export interface Knot {
  readonly host: string;
  readonly port: number;
  readonly at: string;
}

/** Starts Knot DNS with the zones; it ends with the running test. */
export async function testKnot(program: string, zones: readonly KnotZone[]): Promise<Knot> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-knot-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const port = await closedPort();
  const config = join(folder, 'knot.conf');
  mkdirSync(join(folder, 'db'));
  writeFileSync(config, configOf(folder, port, zones));
  const ds = new Map(zones.filter(({ signed }) => signed).map(({ name }) => [name, makeKey(config, name)]));
  for (const { name, records } of zones) {
    const text = typeof records === 'string' ? records : records(ds);
    const soa = '@ 3600 SOA ns1.new.test. admin.new.test. 1 3600 600 86400 300';
    writeFileSync(join(folder, `${name}.zone`), `$ORIGIN ${name}.\n$TTL 300\n${soa}\n${text}\n`);
  }
  const knot = spawn(program, ['-c', config], { stdio: 'ignore' });
  onTestFinished(() => stop(knot));
  const server = { host: '127.0.0.1', port };
  await untilReady(server, zones, knot);
  return { ...server, at: `127.0.0.1:${port}` };
}

function configOf(folder: string, port: number, zones: readonly KnotZone[]): string {
  return `server:
    rundir: "${folder}"
    pidfile: "${folder}/knot.pid"
    listen: 127.0.0.1@${port}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: "${folder}/db"
policy:
  - id: manual
    manual: on
    algorithm: ecdsap256sha256
    single-type-signing: on
template:
  - id: default
    storage: "${folder}"
    file: "%s.zone"
    zonefile-sync: -1
    zonefile-load: difference-no-serial
    journal-content: all
zone:
${zones.map(({ name, signed }) => `  - domain: ${name}\n${signed ? '    dnssec-signing: on\n    dnssec-policy: manual\n' : ''}`).join('')}`;
}

/** Makes the key of a zone; returns its DS record with SHA-256, as a zone file has it. */
function makeKey(config: string, zone: string): string {
  const keymgr = (...args: string[]) =>
    execFileSync(findProgram('keymgr') ?? 'keymgr', ['-c', config, zone, ...args], { encoding: 'utf8' });
  const id = keymgr('generate', 'algorithm=ecdsap256sha256', 'ksk=yes', 'zsk=yes').trim().split('\n').at(-1) ?? '';
  const line = keymgr('ds', id)
    .split('\n')
    .find((text) => / 13 2 /.test(text));
  return line?.replace(/^.* DS /, '') ?? '';
}

/** Knot is ready when it serves every zone; a signed one needs a moment. */
async function untilReady(
  server: { host: string; port: number },
  zones: readonly KnotZone[],
  knot: ChildProcess,
): Promise<void> {
  const isReady = async ({ name, signed }: KnotZone) => {
    const type = signed ? 'DNSKEY' : 'SOA';
    const reply = await ask(server, { name, type }, { recursive: false, triesMs: [500] });
    return reply.answers.length > 0;
  };
  await until(async () => {
    if (knot.exitCode !== null) throw new Error(`knotd ended with ${knot.exitCode}`);
    const ready = await Promise.all(zones.map(isReady));
    return ready.every(Boolean);
  });
}

async function stop(knot: ChildProcess): Promise<void> {
  if (knot.exitCode !== null || knot.signalCode !== null) return;
  const ended = once(knot, 'exit');
  knot.kill('SIGKILL');
  await ended;
}
