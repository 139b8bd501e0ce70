import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { runLine } from '../support/in-sandbox.ts';
import { temporaryFolder } from '../support/svc.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/fleet.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text.trimEnd());
/** The block that orders from a spreadsheet. */
const ORDERING = BLOCKS.find((block) => block.includes('svc buy --plan')) ?? '';

test('what docs/fleet.md tells to type works from top to bottom, on every site', async () => {
  const sandbox = await startSandbox({ port: 0, services: 60, requestsPerSecond: 50 });
  onTestFinished(() => sandbox.close());
  const home = await temporaryFolder();
  const { url, token } = sandbox.listing;
  const env = { HOME: home, LANG: 'C.UTF-8', SVC_API_URL: url, SVC_TOKEN: token, SVC_DNS_SERVER: sandbox.dnsServer };
  for (const block of [...BLOCKS, ORDERING]) {
    const { exitCode, all } = await runLine(block.includes('\n') ? `set -e\n${block}` : block, home, env);
    expect(exitCode, `${block}\n${all}`).toBe(0);
  }
  const sites = sandbox.report().services.filter(({ kind }) => kind === 'wordpress');
  // On their own, with --json, with a log and in parts; resuming repeats none.
  expect(new Set(sites.map(({ restarts }) => restarts))).toEqual(new Set([4]));
  expect(sites.every(({ actions }) => actions >= 1)).toBe(true);
  // The loop ran twice.
  const orders = readFileSync(join(home, 'ordered.ndjson'), 'utf8').trim().split('\n');
  const ids = orders.map((line) => (JSON.parse(line) as { orderId: string }).orderId);
  expect([ids.length, new Set(ids).size]).toEqual([4, 2]);
  expect(readFileSync(join(home, 'books.csv'), 'utf8').split('\n').slice(1, 3)).toEqual([
    expect.stringMatching(new RegExp(`${ids[0]},5400,XAF,.*Kola Studio,.*2026-0031`)),
    expect.stringMatching(new RegExp(`${ids[1]},.*Baobab Travel,.*2026-0032`)),
  ]);
});
