import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { runLine } from '../support/in-sandbox.ts';
import { needs } from '../support/needs.ts';
import { svcOnPath } from '../support/shell.ts';
import { temporaryFolder } from '../support/svc.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/fleet.md'), 'utf8');
const [, GITHUB = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8];

const parallel = needs('parallel');
const PYTHON = ['python3', '-c', 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'] as const;
const canReadYaml = spawnSync(PYTHON[0], PYTHON.slice(1), { input: '' }).status === 0;
const withYaml = (title: string) => (canReadYaml ? title : `${title} (skipped: install python3-yaml)`);

// biome-ignore lint/suspicious/noExplicitAny: the documents of other programs
function readYaml(text: string): any {
  return JSON.parse(spawnSync(PYTHON[0], PYTHON.slice(1), { input: text, encoding: 'utf8' }).stdout);
}

/** A sandbox, and a folder with the list of its WordPress sites. */
async function sites() {
  const sandbox = await startSandbox({ port: 0, services: 60, requestsPerSecond: 50 });
  onTestFinished(() => sandbox.close());
  const home = await temporaryFolder();
  const { url, token, services } = sandbox.listing;
  const ids = services.flatMap(({ id, kind }) => (kind === 'wordpress' ? [id] : []));
  await writeFile(join(home, 'sites.txt'), ids.join('\n'));
  return {
    home,
    /** Runs a line in a shell that finds svc. */
    inShell(line: string) {
      const env = svcOnPath(home, { HOME: home, LANG: 'C.UTF-8', SVC_API_URL: url, SVC_TOKEN: token });
      return execa('sh', ['-euc', line], { cwd: home, env, extendEnv: false });
    },
    /** Runs a command line in this process. */
    async run(line: string, folder = home) {
      const { exitCode, all } = await runLine(line, folder, { SVC_API_URL: url, SVC_TOKEN: token });
      expect(exitCode, all).toBe(0);
      return all;
    },
    /** How often each site was restarted or acted on. */
    times: (what: 'restarts' | 'actions') =>
      sandbox.report().services.flatMap((service) => (service.kind === 'wordpress' ? [service[what]] : [])),
    once: ids.map(() => 1),
  };
}

test.skipIf(parallel.missing)(
  parallel.title('the line for GNU parallel in docs/fleet.md restarts every site once'),
  async () => {
    const { inShell, home, times, once } = await sites();
    await inShell(/^parallel .*$/m.exec(PAGE)?.[0] ?? '');
    expect(times('restarts')).toEqual(once);
    const jobs = (await readFile(join(home, 'jobs.txt'), 'utf8')).trim().split('\n').slice(1);
    expect(jobs.map((line) => line.split('\t')[6])).toEqual(PARTS.map(() => '0'));
  },
);

test.skipIf(!canReadYaml)(
  withYaml('the GitHub matrix of docs/fleet.md acts on every site once, and its logs follow each other in one file'),
  async () => {
    const { run, home, times, once } = await sites();
    const { strategy, steps } = readYaml(GITHUB).jobs.flush;
    expect(strategy.matrix.part).toEqual(PARTS);
    const line: string = steps.find((step: { run?: string }) => step.run?.includes('--shard')).run;
    const logs = await Promise.all(
      PARTS.map(async (part) => {
        const machine = join(home, `machine-${part}`);
        mkdirSync(machine);
        await copyFile(join(home, 'sites.txt'), join(machine, 'sites.txt'));
        await run(line.replaceAll(/\$\{\{ *matrix\.part *\}\}/g, String(part)), machine);
        return readFile(join(machine, 'run.ndjson'), 'utf8');
      }),
    );
    expect(times('actions')).toEqual(once);
    await writeFile(join(home, 'all.ndjson'), logs.join(''));
    const again = JSON.parse(await run('svc wp run cache.flush --services sites.txt --yes --json --resume all.ndjson'));
    expect(again).toMatchObject({ summary: { total: once.length, done: 0, skipped: once.length } });
    expect(times('actions')).toEqual(once);
  },
);
