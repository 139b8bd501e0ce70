// Verifies the files of a release as its users would: it believes nothing that the build knows.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serveFolder } from './serve.mjs';

const isWindows = process.platform === 'win32';
/** This machine's, as the executables are named. */
export const HOST = `${isWindows ? 'windows' : process.platform}-${process.arch}`;

/** The public key of the releases, which the owner of the project commits. */
const PUBLIC_KEY = fileURLToPath(new URL('../../minisign.pub', import.meta.url));

/**
 * @typedef {object} Release
 * @property {string} folder with its files
 * @property {string} work for files that are made on the way
 * @property {Wishes} wishes
 * @property {ReadonlyMap<string, string>} files the sum of each, as SHA256SUMS names it
 */
/** @typedef {{ 'install-deb'?: boolean, 'public-key'?: string | undefined }} Wishes */

/** A step that this machine cannot take. */
class NotTried extends Error {}

/**
 * Takes each step and prints what came of it.
 * @param {string} folder with the files of a release
 * @param {Wishes} wishes
 * @returns {Promise<boolean>} whether nothing failed
 */
export async function check(folder, wishes) {
  const work = await mkdtemp(join(tmpdir(), 'svc-release-'));
  const release = { folder, work, wishes, files: filesOf(folder) };
  let isGood = true;
  for (const [title, step] of STEPS) {
    try {
      await step(release);
      console.log(`ok         ${title}`);
    } catch (error) {
      const wasTried = !(error instanceof NotTried);
      console.log(`${wasTried ? 'FAILED    ' : 'not tried '} ${title}: ${reasonOf(error)}`);
      if (!wasTried) continue;
      isGood = false;
      // What is not what was released is not run.
      if (step === checkSums || step === checkSignature) break;
    }
  }
  await rm(work, { recursive: true, force: true });
  return isGood;
}

/** What the program wrote that failed, or what went wrong here. @param {unknown} error */
function reasonOf(error) {
  return writtenBy(error) || (error instanceof Error ? error.message : String(error));
}

/** What a program that failed wrote to stderr. @param {unknown} error @returns {string} */
function writtenBy(error) {
  return error instanceof Error ? String(Reflect.get(error, 'stderr') ?? '') : '';
}

/** @type {ReadonlyArray<[title: string, step: (release: Release) => void | Promise<void>]>} */
const STEPS = [
  ['SHA256SUMS names every file, and each has its sum', checkSums],
  ['the signature of SHA256SUMS', checkSignature],
  ["this machine's archive: unpacked and run", checkArchive],
  ['the npm package: installed without a network and run', checkNpm],
  ['install.sh: installs from a server, and refuses a file with another sum', checkInstaller],
  ['the Debian package: installed with apt, run and removed', installDeb],
];

/**
 * Reads SHA256SUMS as `sha256sum --check` does.
 * @param {string} folder
 */
function filesOf(folder) {
  if (!existsSync(join(folder, 'SHA256SUMS'))) throw new Error(`${folder} has no SHA256SUMS.`);
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [sum = '', name = ''] = line.split('  ');
      return [name, sum];
    }),
  );
}

/** @param {Release} release */
function checkSums({ folder, files }) {
  const present = readdirSync(folder).filter((name) => !name.startsWith('SHA256SUMS'));
  const unnamed = present.filter((name) => !files.has(name));
  if (unnamed.length > 0) throw new Error(`${unnamed} is not listed.`);
  for (const [name, sum] of files) {
    const real = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    if (real !== sum) throw new Error(`${name} has another sum.`);
  }
}

/** @param {Release} release */
async function checkSignature({ folder, wishes: { 'public-key': key = PUBLIC_KEY } }) {
  if (!existsSync(key)) throw new NotTried('there is no minisign.pub; --public-key names another.');
  await run('minisign', ['-V', '-p', key, '-m', join(folder, 'SHA256SUMS')]);
}

/** @param {Release} release */
async function checkArchive({ folder, files, work }) {
  const archive = one(files, new RegExp(`^svc-.*-${HOST}\\.(tar\\.xz|zip)$`));
  // Windows has the tar of FreeBSD, which reads zip archives too.
  await run('tar', ['-xf', join(folder, archive), '-C', work]);
  const unpacked = join(work, archive.replace(/\.(tar\.xz|zip)$/, ''));
  for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES', 'man/svc.1', 'completions/_svc'])
    if (!existsSync(join(unpacked, file))) throw new Error(`It has no ${file}.`);
  await works(join(unpacked, isWindows ? 'svc.exe' : 'svc'), files, work);
}

/** @param {Release} release */
async function checkNpm({ folder, files, work }) {
  const prefix = join(work, 'npm');
  const archive = join(folder, one(files, /\.tgz$/));
  const words = [
    'install',
    '--global',
    '--offline',
    '--prefix',
    prefix,
    '--cache',
    join(work, 'cache'),
    archive,
  ];
  await run('npm', words, { shell: isWindows });
  await works(isWindows ? join(prefix, 'svc.cmd') : join(prefix, 'bin/svc'), files, work);
}

/** @param {Release} release */
async function checkInstaller({ folder, files, work }) {
  if (isWindows) throw new NotTried('it is for Linux and macOS.');
  const archive = one(files, new RegExp(`^svc-.*-${HOST}\\.tar\\.xz$`));
  const served = join(work, 'served');
  await mkdir(served);
  await cp(join(folder, archive), join(served, archive));
  const server = await serveFolder(served);
  const install = (/** @type {string} */ home) => {
    const env = { PATH: process.env['PATH'], HOME: join(work, home), SVC_DOWNLOAD_URL: server.url };
    return run('sh', [join(folder, 'install.sh')], { env });
  };
  try {
    await install('home');
    await works(join(work, 'home/.local/bin/svc'), files, work);
    await cp(join(folder, 'SHA256SUMS'), join(served, archive));
    const refused = await install('other-home').then(() => '', writtenBy);
    if (!/is not the one of this release/.test(refused))
      throw new Error('It took a file with another sum.');
  } finally {
    server.close();
  }
}

/** @param {Release} release */
async function installDeb({ folder, files, work, wishes }) {
  if (!wishes['install-deb']) throw new NotTried('--install-deb does it, as root.');
  const { stdout: architecture } = await run('dpkg', ['--print-architecture']);
  const file = join(folder, one(files, new RegExp(`_${architecture.trim()}\\.deb$`)));
  const quiet = ['-qq', '-y', '-o', 'APT::Sandbox::User=root'];
  await run('apt-get', [...quiet, 'install', file], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  try {
    await works('/usr/bin/svc', files, work);
  } finally {
    await run('apt-get', [...quiet, 'remove', basename(file).split('_', 1).join('')]);
  }
  if (existsSync('/usr/bin/svc')) throw new Error('/usr/bin/svc is still there.');
}

/**
 * Runs svc without Node's surroundings: its version, and a request to the sandbox filtered with jq.
 * @param {string} svc
 * @param {Release['files']} files
 * @param {string} work
 */
async function works(svc, files, work) {
  const [, version] = /^svc-(.+)\.cdx\.json$/.exec(one(files, /\.cdx\.json$/)) ?? [];
  const env = {
    ...process.env,
    HOME: work,
    USERPROFILE: work,
    SVC_CONFIG_DIR: join(work, 'config'),
  };
  const options = { env, cwd: work, shell: svc.endsWith('.cmd') };
  const answer = await run(svc, ['--version'], options);
  if (answer.stdout.trim() !== version) throw new Error(`svc --version says ${answer.stdout}`);
  const { commit } = JSON.parse((await run(svc, ['--version', '--json'], options)).stdout);
  if (!commit) throw new Error('svc --version --json names no commit.');
  for (const page of ['changelog', 'upgrading', 'rejected'])
    await run(svc, ['help', page], options);
  const session = await run(
    svc,
    ['sandbox', 'exec', '--', 'svc', 'whoami', '--jq', '.authMethod'],
    options,
  );
  if (session.stdout.trim() !== 'api_token') throw new Error(`svc whoami says ${session.stdout}`);
}

/**
 * @param {string} program
 * @param {string[]} words
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean }} options
 */
function run(program, words, options = {}) {
  return promisify(execFile)(program, words, { maxBuffer: 1e8, ...options });
}

/**
 * The only file whose name fits.
 * @param {Release['files']} files
 * @param {RegExp} pattern
 */
function one(files, pattern) {
  const [name, ...others] = [...files.keys()].filter((file) => pattern.test(file));
  if (name === undefined) throw new NotTried('there is no file for it.');
  if (others.length > 0) throw new NotTried(`there are ${1 + others.length} files for it.`);
  return name;
}
