import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { runLine } from '../support/in-sandbox.ts';
import { temporaryFolder } from '../support/svc.ts';

/** Types what a page tells to type, line by line, and returns what the sandbox saw of it. */
async function follow(page: string, options: Parameters<typeof startSandbox>[0]) {
  const sandbox = await startSandbox({ port: 0, ...options });
  onTestFinished(() => sandbox.close());
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  const lines = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  );
  const home = await temporaryFolder();
  const { url, token, services } = sandbox.listing;
  const env = { HOME: home, LANG: 'C.UTF-8', SVC_API_URL: url, SVC_TOKEN: token, SVC_SERVICE: services[0]?.id };
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const { exitCode, all } = await runLine(line, home, env);
    expect(exitCode, `${line}\n${all}`).toBe(0);
  }
  return sandbox.report();
}

test('what docs/fleet.md tells to type works from top to bottom, on every site', async () => {
  const { services } = await follow('fleet.md', { services: 60, requestsPerSecond: 50 });
  const sites = services.filter(({ kind }) => kind === 'wordpress');
  // On their own, with --json, with a log and in parts; resuming repeats none.
  expect(new Set(sites.map(({ restarts }) => restarts))).toEqual(new Set([4]));
  expect(sites.every(({ actions }) => actions >= 1)).toBe(true);
});

test('what docs/metrics.md tells to type works from top to bottom', async () => {
  const { services } = await follow('metrics.md', {});
  expect(services.every(({ restarts }) => restarts === 0)).toBe(true);
});
