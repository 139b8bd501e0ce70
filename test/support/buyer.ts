import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OrderEntry } from '../../src/orders/entry.ts';
import { JOURNAL_FILE } from '../../src/orders/journal.ts';
import { fakeClock } from './clock.ts';
import { wordsOf } from './command-line.ts';
import { type RunOptions, svc, temporaryFolder } from './svc.ts';
import { testWire } from './wire.ts';

export const ORDER = ['--plan', 'plan_wp_pro', '--network', 'mtn', '--phone', '+237670000042'];

/** A buyer with a configuration folder and a clock, and the platform as a wire. */
export async function buyer(more: RunOptions = {}) {
  const wire = await testWire();
  const clock = fakeClock();
  const configDir = await temporaryFolder();
  const options = { url: wire.url, configDir, clock, ...more };
  const checkout = () => wire.on('POST', '/v1/checkout');
  const buy = (...argv: string[]) => svc(['buy', '--yes', ...argv], options);
  return {
    wire,
    clock,
    configDir,
    journal: join(configDir, JOURNAL_FILE),
    checkout,
    keys: () => wire.requests.map(({ headers }) => headers['idempotency-key']),
    bodies: () => wire.requests.map(({ body }) => body),
    buy,
    /** Sends an order whose answers are all lost. */
    async lose(...argv: string[]) {
      checkout().reset().reset().reset();
      const lost = await buy(...argv);
      expect(lost.exitCode, lost.stderr).toBe(8);
      return lost;
    },
    run: (argv: readonly string[], others: RunOptions = {}) => svc(argv, { ...options, ...others }),
    pending: async () => {
      const { json } = await svc(['orders', '--json'], options);
      const { orders } = json as { orders: Array<Record<string, string>> };
      return orders.filter(({ state }) => state === 'unknown');
    },
  };
}

export type Buyer = Awaited<ReturnType<typeof buyer>>;

/**
 * A buyer who lost the answer to an order, by default the usual one; `key` is that of the order.
 */
export async function loser(...argv: string[]): Promise<Buyer & { readonly key: string }> {
  const one = await buyer();
  await one.lose(...(argv.length === 0 ? ORDER : argv));
  return { ...one, key: one.keys()[0] ?? '' };
}

/** Changes orders of a journal as another svc would. */
export function editJournal(
  path: string,
  edit: (orders: OrderEntry[]) => void,
): readonly OrderEntry[] {
  const { version, orders } = JSON.parse(readFileSync(path, 'utf8'));
  edit(orders);
  writeFileSync(path, JSON.stringify({ version, orders }));
  return orders;
}

/**
 * A process of another machine that sends an order until a while after the start of the fake clock.
 */
export const SENDER_ELSEWHERE = { mark: '00000000-7', until: '2026-03-01T12:02:00.000Z' };

/** What a person reads, wherever the lines end. */
export const flowing = (text: string): string => text.replace(/\s+/g, ' ');

/** The command that an error tells to go on with, as a shell would split it. */
export function toldBy(stderr: string): readonly string[] {
  const line = stderr.split('\n').find((text) => text.startsWith('Try: svc ')) ?? '';
  return wordsOf(line.slice('Try: svc '.length));
}
