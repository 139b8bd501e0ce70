import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ask } from '../../src/dns/client.ts';
import { closedPort } from './tcp.ts';
import { until } from './until.ts';

/** A zone to serve. */
export interface KnotZone {
  readonly name: string;
  /** As a zone file without `$ORIGIN` and SOA. */
  readonly records: string;
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
  for (const { name, records } of zones) {
    const soa = '@ 3600 SOA ns1.new.test. admin.new.test. 1 3600 600 86400 300';
    writeFileSync(join(folder, `${name}.zone`), `$ORIGIN ${name}.\n$TTL 300\n${soa}\n${records}\n`);
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
template:
  - id: default
    storage: "${folder}"
    file: "%s.zone"
    zonefile-sync: -1
    zonefile-load: difference-no-serial
    journal-content: all
zone:
${zones.map(({ name }) => `  - domain: ${name}\n`).join('')}`;
}

/** Knot is ready when it serves every zone. */
async function untilReady(
  server: { host: string; port: number },
  zones: readonly KnotZone[],
  knot: ChildProcess,
): Promise<void> {
  const isReady = async ({ name }: KnotZone) => {
    const reply = await ask(server, { name, type: 'SOA' }, { recursive: false, triesMs: [500] });
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
