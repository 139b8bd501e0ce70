// Builds svc as one executable file that needs no Node: dist-binary/, to be unpacked anywhere.
// npm run build:binary -- --node <path>: a Node of version 25.5 or newer, which becomes a part of it.

import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { node: { type: 'string' }, output: { type: 'string' } } });
const node = values.node ?? process.execPath;
const output = values.output ?? join(root, 'dist-binary');

const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
if (major < 25 || (major === 25 && minor < 5)) {
  console.error(`This needs a Node of version 25.5 or newer (--node <path>); ${node} is ${version}.`);
  process.exit(2);
}

const work = await mkdtemp(join(tmpdir(), 'svc-binary-'));
try {
  const name = process.platform === 'win32' ? 'svc.exe' : 'svc';
  await rm(output, { recursive: true, force: true });
  await mkdir(join(output, 'bin'), { recursive: true });
  await writeFile(join(work, 'sea.json'), JSON.stringify(await configuration(join(output, 'bin', name))));
  execFileSync(node, ['--build-sea', join(work, 'sea.json')], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const file of ['completions', 'man', 'LICENSE', 'README.md', 'dist/THIRD-PARTY-NOTICES']) {
    await cp(join(root, file), join(output, file.replace('dist/', '')), { recursive: true });
  }
  await check(join(output, 'bin', name));
} finally {
  await rm(work, { recursive: true, force: true });
}

/** What Node builds it from: the core, compiled at the start, and everything else as it is. */
async function configuration(executable) {
  const { files } = await bundle(root, { jq: 'inline' });
  for (const text of ['help.txt', 'version.txt']) files.set(text, await readFile(join(root, 'dist', text), 'utf8'));
  const parameters = '(exports, require, module, __filename, __dirname)';
  const bin = await readFile(join(root, 'bin/svc.cjs'), 'utf8');
  const parts = [
    await readFile(join(root, 'scripts/binary/loader.cjs'), 'utf8'),
    `define('main.cjs', function ${parameters} {${files.get('main.cjs')}\n});`,
    `const bin = function ${parameters} {${bin.replace(/^#!.*/, '')}\n};`,
    "require('node:v8').startupSnapshot.setDeserializeMainFunction(() => define('svc.cjs', bin));",
  ];
  files.delete('main.cjs');
  const main = join(work, 'entry.cjs');
  await writeFile(main, parts.join('\n'));
  const assets = {};
  for (const [file, text] of files) {
    assets[file] = join(work, file);
    await writeFile(assets[file], text);
  }
  return { main, output: executable, assets, useSnapshot: true, disableExperimentalSEAWarning: true };
}

/** It is worth nothing unless it runs, without Node and without the package. */
async function check(executable) {
  const env = { HOME: work, PATH: '/usr/bin:/bin' };
  const svc = (...words) => execFileSync(executable, words, { cwd: work, env, encoding: 'utf8', input: '' });
  const isRight =
    svc('--version') === (await readFile(join(root, 'dist/version.txt'), 'utf8')) &&
    svc('--help').includes('svc sandbox tour') &&
    svc('sandbox', 'exec', '--', executable, 'whoami', '--jq', '.authMethod') === 'api_token\n' &&
    svc('sandbox', 'exec', '--', 'svc', 'metrics').includes('Latest usage') &&
    svc('completion', 'bash').includes('svc');
  if (!isRight) throw new Error('The executable does not work.');
  const { size } = await stat(executable);
  console.log(`${executable}: ${Math.round(size / 1e6)} MB with Node ${version}`);
}
