import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { runLine } from '../support/in-sandbox.ts';
import { temporaryFolder } from '../support/svc.ts';

test('what docs/fleet.md tells to type works from top to bottom, on every site', async () => {
  const sandbox = await startSandbox({ port: 0, services: 12, requestsPerSecond: 50 });
  onTestFinished(() => sandbox.close());
  const page = readFileSync(join(import.meta.dirname, '../../docs/fleet.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
    block.trimEnd(),
  );
  const home = await temporaryFolder();
  const { url, token, services } = sandbox.listing;
  const known = { SVC_SERVICE: services[0]?.id, SVC_DNS_SERVER: sandbox.dnsServer };
  const env = { HOME: home, LANG: 'C.UTF-8', SVC_API_URL: url, SVC_TOKEN: token, ...known };
  // The block that orders from a spreadsheet is typed twice.
  for (const block of [...blocks, ...blocks.filter((one) => one.includes('svc buy --plan'))]) {
    const { exitCode, all } = await runLine(
      block.includes('\n') ? `set -e\n${block}` : block,
      home,
      env,
    );
    expect(exitCode, `${block}\n${all}`).toBe(0);
  }
  const sites = sandbox.report().services.filter(({ kind }) => kind === 'wordpress');
  // On their own, with --json, with a log and in parts; resuming repeats none.
  expect(new Set(sites.map(({ restarts }) => restarts))).toEqual(new Set([4]));
  expect(sites.every(({ actions }) => actions >= 1)).toBe(true);
  const orders = readFileSync(join(home, 'ordered.ndjson'), 'utf8').trim().split('\n');
  const ids = orders.map((line) => JSON.parse(line).orderId);
  expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  const [, first, second] = readFileSync(join(home, 'books.csv'), 'utf8').split('\n');
  expect(first).toMatch(new RegExp(`${ids[0]},.*,5400,XAF,.*Kola Studio,.*2026-0031`));
  expect(second).toMatch(new RegExp(`${ids[1]},.*Baobab Travel,.*2026-0032`));
});
