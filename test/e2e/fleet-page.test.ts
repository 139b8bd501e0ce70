import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { svcOnPath } from '../support/shell.ts';
import { temporaryFolder } from '../support/svc.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/fleet.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

test('what docs/fleet.md tells to type works from top to bottom, on every site', { timeout: 120_000 }, async () => {
  const sandbox = await startSandbox({ port: 0, services: 24, requestsPerSecond: 50 });
  const home = await temporaryFolder();
  const { url, token } = sandbox.listing;
  const env = { HOME: home, LANG: 'C.UTF-8', SVC_API_URL: url, SVC_TOKEN: token, ...svcOnPath(home, {}) };
  try {
    for (const block of BLOCKS) {
      const script = ['-euc', block];
      const { exitCode, all } = await execa('sh', script, {
        cwd: home,
        env,
        extendEnv: false,
        all: true,
        reject: false,
      });
      expect(exitCode, `${block}\n${all}`).toBe(0);
    }
    const sites = sandbox.report().services.filter(({ kind }) => kind === 'wordpress');
    // On their own, with --json, with a log and in parts; resuming repeats none.
    expect(new Set(sites.map(({ restarts }) => restarts))).toEqual(new Set([4]));
    expect(sites.every(({ actions }) => actions >= 1)).toBe(true);
  } finally {
    await sandbox.close();
  }
});
