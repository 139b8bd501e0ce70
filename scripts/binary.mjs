// Compiles dist/ into one executable per platform, dist-binary/svc-<target>, which needs neither
// Node nor the package.
//   --target <name>  a name in bun.json, or all; default: this machine's
// Bun, the compiler and runtime, comes from the configured npm registry, checked against the hashes
// in bun.json.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Only errors are shown. @type {import('node:child_process').StdioOptions} */
const QUIET = ['ignore', 'ignore', 'inherit'];

const root = fileURLToPath(new URL('..', import.meta.url));
const bun = JSON.parse(await readFile(join(root, 'scripts/bun.json'), 'utf8'));
const here = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const { values } = parseArgs({ options: { target: { type: 'string', default: here } } });
const targets = values.target === 'all' ? Object.keys(bun.packages) : [values.target];
const unknown = [...targets, here].find((target) => !Object.hasOwn(bun.packages, target));
if (unknown !== undefined) {
  console.error(`There is no ${unknown}: ${Object.keys(bun.packages).join(', ')}.`);
  process.exit(2);
}

const work = await mkdtemp(join(tmpdir(), 'svc-binary-'));
try {
  await stage();
  const compiler = await runtime(here);
  await mkdir(join(root, 'dist-binary'), { recursive: true });
  for (const target of targets) await compile(compiler, target);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Copies the program to where its code and the files that it reads are apart. */
async function stage() {
  const code = [
    'bin/svc.cjs',
    ...(await readdir(join(root, 'dist'))).map((name) => `dist/${name}`),
  ];
  for (const folder of ['bin', 'dist', 'files/dist'])
    await mkdir(join(work, folder), { recursive: true });
  for (const file of code.filter((name) => name.endsWith('.cjs'))) {
    const text = await readFile(join(root, file), 'utf8');
    // Bun would put a path of this machine here. What is embedded stands in the folder of
    // `argv[1]`.
    const own = `require('path').join(process.argv[1],'../${file}')`;
    await writeFile(join(work, file), text.replaceAll('__filename', own));
  }
  for (const file of ['help.txt', 'version.txt', 'jq.wasm.br'])
    await cp(join(root, 'dist', file), join(work, 'files/dist', file));
  for (const path of [
    'completions',
    'docs/troubleshooting.md',
    'docs/upgrading.md',
    'skills',
    'CHANGELOG.md',
  ])
    await cp(join(root, path), join(work, 'files', path), { recursive: true });
}

/**
 * Returns the path of Bun for a target.
 * @param {string} target
 */
async function runtime(target) {
  const folder = join(work, target);
  const path = join(folder, 'package/bin', target.startsWith('windows') ? 'bun.exe' : 'bun');
  if (existsSync(path)) return path;
  await mkdir(folder);
  const { name, integrity } = bun.packages[target];
  console.error(`Fetching ${name} ${bun.version} ...`);
  // npm is a script on Windows and needs a shell there.
  const words = ['pack', `${name}@${bun.version}`, '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', words, { cwd: folder, stdio: QUIET, shell: process.platform === 'win32' });
  const [archive = ''] = await readdir(folder);
  const hash = createHash('sha512')
    .update(await readFile(join(folder, archive)))
    .digest('base64');
  if (integrity !== `sha512-${hash}`)
    throw new Error(`${name} ${bun.version} is not the one that bun.json names.`);
  execFileSync('tar', ['-xzf', archive], { cwd: folder });
  return path;
}

/**
 * @param {string} compiler the path of Bun for this machine
 * @param {string} target
 */
async function compile(compiler, target) {
  const file = join(
    root,
    'dist-binary',
    `svc-${target}${target.startsWith('windows') ? '.exe' : ''}`,
  );
  const words = [
    ...['build', '--compile', '--minify', '--bytecode', '--format=cjs', '--compile-jit-policy=5'],
    // Files in the folder of the user must not configure svc.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    ...[`--target=bun-${target}`, '--compile-executable-path', await runtime(target)],
    ...(await readdir(join(work, 'files'))).sort().flatMap((name) => ['--asset', `files/${name}`]),
    ...['bin/svc.cjs', '--outfile', file],
  ];
  execFileSync(compiler, words, { cwd: work, stdio: QUIET });
  console.error(`${Math.round((await stat(file)).size / 1e6)} MB with Bun ${bun.version}:`);
  console.log(file);
}
