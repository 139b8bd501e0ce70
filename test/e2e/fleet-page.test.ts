import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { runLine } from '../support/in-sandbox.ts';
import { temporaryFolder } from '../support/svc.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/fleet.md'), 'utf8');
const LINES = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) => text.trimEnd().split('\n'));

test('what docs/fleet.md tells to type works from top to bottom, on every site', async () => {
  const sandbox = await startSandbox({ port: 0, services: 60, requestsPerSecond: 50 });
  onTestFinished(() => sandbox.close());
  const home = await temporaryFolder();
  const { url, token } = sandbox.listing;
  const env = { HOME: home, LANG: 'C.UTF-8', SVC_API_URL: url, SVC_TOKEN: token };
  for (const line of LINES) {
    const { exitCode, all } = await runLine(line, home, env);
    expect(exitCode, `${line}\n${all}`).toBe(0);
  }
  const sites = sandbox.report().services.filter(({ kind }) => kind === 'wordpress');
  // On their own, with --json, with a log and in parts; resuming repeats none.
  expect(new Set(sites.map(({ restarts }) => restarts))).toEqual(new Set([4]));
  expect(sites.every(({ actions }) => actions >= 1)).toBe(true);
});
