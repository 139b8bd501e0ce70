import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ask } from '../../src/dns/client.ts';
import { closedPort } from './tcp.ts';
import { until } from './until.ts';

interface KnotZone {
  readonly name: string;
  /** As a zone file without `$ORIGIN` and SOA. */
  readonly records: string;
}

/**
 * Starts a nameserver of the real world, Knot DNS, with the zones on a free port; it ends with the
 * running test.
 */
export async function testKnot(program: string, zones: readonly KnotZone[]) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-knot-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = { host: '127.0.0.1', port: await closedPort() };
  const config = join(folder, 'knot.conf');
  mkdirSync(join(folder, 'db'));
  writeFileSync(config, configOf(folder, server.port, zones));
  for (const { name, records } of zones) {
    const soa = '@ 3600 SOA ns1.new.test. admin.new.test. 1 3600 600 86400 300';
    writeFileSync(join(folder, `${name}.zone`), `$ORIGIN ${name}.\n$TTL 300\n${soa}\n${records}\n`);
  }
  const knot = spawn(program, ['-c', config], { stdio: 'ignore' });
  const ended = once(knot, 'exit');
  onTestFinished(async () => {
    knot.kill('SIGKILL');
    await ended;
  });
  const isServed = async ({ name }: KnotZone) =>
    (await ask(server, { name, type: 'SOA' }, { recursive: false, triesMs: [500] })).answers
      .length > 0;
  await until(async () => {
    if (knot.exitCode !== null) throw new Error(`knotd ended with ${knot.exitCode}`);
    return (await Promise.all(zones.map(isServed))).every(Boolean);
  });
  return { ...server, at: `127.0.0.1:${server.port}` };
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
