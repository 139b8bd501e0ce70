// Builds svc as one executable that needs no Node, in dist-binary/. Tested on Linux.
//   --node <path>      the Node to embed; default: the one that runs this script
//   --output <folder>  replaces an earlier build there

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';

/** The marker in Node's executable that says whether it carries a program; postject sets it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { node: { type: 'string' }, output: { type: 'string' } } });
const node = values.node ?? process.execPath;
const output = resolve(values.output ?? join(root, 'dist-binary'));
const executable = join(output, 'bin', process.platform === 'win32' ? 'svc.exe' : 'svc');

if (process.platform === 'darwin') {
  console.error('On macOS an executable must be signed anew, which this does not do yet.');
  process.exit(2);
}
if (existsSync(output) && !existsSync(join(output, 'THIRD-PARTY-NOTICES'))) {
  console.error(`${output} holds something else.`);
  process.exit(2);
}
const work = await mkdtemp(join(tmpdir(), 'svc-binary-'));
try {
  const program = await programIn(work);
  const snapshot = prepare(program, true);
  if (!snapshot) prepare(program, false);
  await rm(output, { recursive: true, force: true });
  await mkdir(join(output, 'bin'), { recursive: true });
  await copyFile(node, executable);
  await chmod(executable, 0o755);
  inject(join(work, 'blob'));
  await addTexts();
  await check();
  const { size } = await stat(executable);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const how = snapshot ? 'compiled beforehand' : 'compiled at each start: this Node cannot do it beforehand';
  console.log(`${executable}: ${Math.round(size / 1e6)} MB with Node ${version}, ${how}`);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Writes the program into a folder: the entry with the core as `main`, the other files as assets. */
async function programIn(folder) {
  const { files } = await bundle(root, { jq: 'inline' });
  for (const text of ['help.txt', 'version.txt']) files.set(text, await readFile(join(root, 'dist', text), 'utf8'));
  const parameters = '(exports, require, module, __filename, __dirname)';
  const bin = await readFile(join(root, 'bin/svc.cjs'), 'utf8');
  const entry = [
    await readFile(join(root, 'scripts/binary/loader.cjs'), 'utf8'),
    `define('main.cjs', function ${parameters} {${files.get('main.cjs')}\n});`,
    `run(function ${parameters} {${bin.replace(/^#!.*/, '')}\n});`,
  ].join('\n');
  files.delete('main.cjs');
  const main = join(folder, 'entry.cjs');
  await writeFile(main, entry);
  const assets = {};
  for (const [file, text] of files) {
    assets[file] = join(folder, file);
    await writeFile(assets[file], text);
  }
  return { main, assets, configuration: join(folder, 'sea.json'), blob: join(folder, 'blob') };
}

/** Lets Node prepare the blob. Returns false if it cannot take a snapshot, as some releases of 22. */
function prepare({ main, assets, configuration, blob }, useSnapshot) {
  const settings = { main, output: blob, assets, useSnapshot, disableExperimentalSEAWarning: true };
  writeFileSync(configuration, JSON.stringify(settings));
  try {
    execFileSync(node, ['--experimental-sea-config', configuration], { stdio: 'pipe', env: {} });
    return true;
  } catch (error) {
    if (useSnapshot) return false;
    throw error;
  }
}

/** Runs postject in a process of its own to hide its warnings about unknown sections. */
function inject(blob) {
  const postject = join(root, 'node_modules/postject/dist/cli.js');
  const words = [postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE];
  execFileSync(process.execPath, words, { stdio: 'pipe' });
}

async function addTexts() {
  for (const file of ['completions', 'man', 'LICENSE', 'README.md', 'dist/THIRD-PARTY-NOTICES']) {
    await cp(join(root, file), join(output, file.replace('dist/', '')), { recursive: true });
  }
  const licence = resolve(node, '../../LICENSE');
  if (existsSync(licence)) await copyFile(licence, join(output, 'NODE-LICENSE'));
  else console.error('The licence of Node is not beside it; add it before you hand the executable on.');
}

/** Checks that the executable runs without Node and without the package. */
async function check() {
  const env = { HOME: work, PATH: '/usr/bin:/bin' };
  const svc = (...words) => execFileSync(executable, words, { cwd: work, env, encoding: 'utf8', input: '' });
  const isRight =
    svc('--version') === (await readFile(join(root, 'dist/version.txt'), 'utf8')) &&
    svc('sandbox', 'exec', '--', 'svc', 'whoami', '--jq', '.authMethod') === 'api_token\n';
  if (!isRight) throw new Error('The executable does not work.');
}
