import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseFault, startSandbox } from '../../sandbox/server.ts';
import { serveFolder } from '../../scripts/release/serve.mjs';
import { svcOnPath } from '../support/shell.ts';
import { temporaryFolder } from '../support/svc.ts';
import { aRelease, archiver } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
const rootFile = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const [, PAGE = ''] = rootFile('docs/scripts.md').split('## In a pipeline');
const VERSION: string = JSON.parse(rootFile('package.json')).version;

const STEP = 'bash "$GITHUB_ACTION_PATH/scripts/install/github.sh"';
/** The names of the inputs, as the step has them. */
const INPUTS = ['VERSION', 'MIRROR', 'API_URL', 'TOKEN'] as const;
const FILES = ['GITHUB_PATH', 'GITHUB_ENV', 'GITHUB_OUTPUT'] as const;

async function startSandboxed(...faults: readonly string[]) {
  const sandbox = await startSandbox({ port: 0, faults: faults.map(parseFault) });
  onTestFinished(() => sandbox.close());
  return sandbox.listing;
}

describe.skipIf(archiver.missing)(archiver.title('the action'), () => {
  let server: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    server = await serveFolder(await aRelease());
  });
  afterAll(() => server.close());

  /** Runs the step of action.yml with these inputs, as the runner does. */
  async function setUp(inputs: Readonly<Partial<Record<(typeof INPUTS)[number], string>>>) {
    const folder = await temporaryFolder();
    for (const name of FILES) writeFileSync(join(folder, name), '');
    const machine = {
      PATH: process.env['PATH'],
      HOME: folder,
      RUNNER_TEMP: folder,
      RUNNER_OS: 'Linux',
      CI: 'true',
    };
    const env = {
      ...{ ...machine, GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: ROOT },
      ...Object.fromEntries(FILES.map((name) => [name, join(folder, name)])),
      ...Object.fromEntries(INPUTS.map((name) => [`INPUT_${name}`, inputs[name] ?? ''])),
    };
    const options = {
      env,
      extendEnv: false,
      all: true,
      reject: false,
      cwd: folder,
      input: '',
    } as const;
    const { exitCode, all } = await execa(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', STEP],
      options,
    );
    return {
      folder,
      exitCode,
      all,
      files: FILES.map((name) => readFileSync(join(folder, name), 'utf8')),
    };
  }

  test('installs a release, and says who the token belongs to', async () => {
    const { url, token } = await startSandboxed();
    const { exitCode, all, files, folder } = await setUp({
      VERSION,
      MIRROR: server.url,
      API_URL: url,
      TOKEN: token,
    });
    expect(exitCode, all).toBe(0);
    expect(all.split('\n')[0]).toBe(`::add-mask::${token}`);
    expect(all).toContain('amina@kola-studio.example');
    const outputs = new RegExp(`^version=${VERSION}\ndays-left=\\d\\d\n$`);
    const variables = `SVC_API_URL=${url}\nSVC_TOKEN=${token}\n`;
    expect(files).toEqual([`${folder}/svc\n`, variables, expect.stringMatching(outputs)]);
  });

  test.each([
    [{ VERSION: '../../x' }, 'is not a version'],
    [{ VERSION: '9.9.9', MIRROR: 'http://127.0.0.1:9' }, 'Is 9.9.9 a release?'],
    [{ VERSION: '0.1.0', API_URL: 'a\nSVC_ORG=evil' }, 'An input has a line break'],
  ])('refuses %j', async (inputs, message) => {
    const { exitCode, all, files } = await setUp(inputs);
    expect([exitCode, all]).toEqual([1, expect.stringContaining(message)]);
    expect(files.slice(0, 2)).toEqual(['', '']);
  });

  test('a wrong token fails the step with the error of svc', async () => {
    const { url } = await startSandboxed();
    const inputs = { VERSION, MIRROR: server.url, API_URL: url, TOKEN: 'wrong-token-0123456789' };
    const { exitCode, all } = await setUp(inputs);
    expect([exitCode, all]).toEqual([
      4,
      expect.stringMatching(/^::error title=svc%3A unauthenticated::/m),
    ]);
  });

  test('passes each of its inputs on', () => {
    const action = rootFile('action.yml');
    for (const name of INPUTS) {
      const input = name.toLowerCase().replace('_', '-');
      expect(action).toContain(`INPUT_${name}: \${{ inputs.${input} }}\n`);
    }
    expect(action).toContain(`run: ${STEP}\n`);
  });
});

test.skipIf(process.platform !== 'linux').each([
  ['case $code in', 'restart:429', 0, /The platform is busy/],
  ['case $code in', 'restart:drop-after', 1, /Look before you repeat it/],
  ['case $code in', 'restart:403', 5, /./],
  ['::add-mask::', 'buy:403', 0, /^::add-mask::\S+$/],
])(
  'the shell block of docs/scripts.md with "%s", where %s, ends with %i',
  async (words, fault, code, said) => {
    const home = await temporaryFolder();
    const { url, token, services } = await startSandboxed(fault);
    const names = { SERVICE: services[0]?.id ?? '', DATABASE: 'db_pg_5t9w2kqe', SVC_NO_RETRY: '1' };
    const env = svcOnPath(home, {
      HOME: home,
      CI: 'true',
      SVC_API_URL: url,
      SVC_TOKEN: token,
      ...names,
    });
    const options = { env, extendEnv: false, all: true, reject: false } as const;
    const blocks = Array.from(PAGE.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm), ([, block = '']) =>
      block.replace(/^ {2}/, ''),
    );
    const block = blocks.find((one) => one.includes(words)) ?? '';
    const { exitCode, all } = await execa('sh', ['-ec', block], options);
    expect([exitCode, all]).toEqual([code, expect.stringMatching(said)]);
  },
);
