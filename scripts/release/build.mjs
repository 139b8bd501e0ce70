// Makes the files of a release.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle } from '../bundle.mjs';
import { noticesOf, packagesOf } from '../notices.mjs';
import { deb, tarXz, zip } from './archives.mjs';
import { archiveName, formula, installer } from './recipes.mjs';
import { sbom } from './sbom.mjs';

/**
 * The levels of xz: six makes an executable as small as it gets; zero takes a fifth of the time,
 * for tries.
 */
const [BEST, FAST] = [6, 0];

/** What stands beside the executable in an archive. */
const TEXTS = ['LICENSE', 'README.md', 'CHANGELOG.md'];
/**
 * Debian's names of the targets that a package is made for. @type {Readonly<Record<string,
 * string>>}
 */
const ARCHITECTURES = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };
/** The package is named as on npm; daemontools has a program of the same name as svc. */
const DEB = 'svc-cli';
const COMPLETIONS = [
  'completions/_svc',
  'completions/svc.bash',
  'completions/svc.fish',
  'completions/svc.ps1',
];

/**
 * Makes a release of the built project.
 * @param {object} order
 * @param {string} order.root the project's folder, built
 * @param {string} order.executables a folder with `svc-<target>[.exe]`
 * @param {string} order.output replaced
 * @param {readonly string[]} order.targets
 * @param {number} order.time of all entries, in seconds since 1970
 * @param {boolean} order.fast compresses less
 * @param {string} [order.key] a secret key of minisign
 */
export async function release({ root, executables, output, targets, time, fast, key }) {
  const read = (/** @type {string} */ path) => readFileSync(join(root, path));
  const json = (/** @type {string} */ path) => JSON.parse(read(path).toString());
  const about = aboutFrom(json('package.json'));
  const { metafile } = await bundle(root);
  const packages = await packagesOf(metafile, root);
  // LICENSE.md of Bun, and the licences of what it links.
  const notices = `${await noticesOf(metafile, root)}\n${read('scripts/release/bun-licences.txt')}`;
  const level = fast ? FAST : BEST;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  /** @type {Map<string, string>} */
  const sums = new Map();
  const add = (/** @type {string} */ name, /** @type {Buffer} */ bytes) => {
    writeFileSync(join(output, name), bytes, { mode: 0o644 });
    sums.set(name, createHash('sha256').update(bytes).digest('hex'));
    console.error(`${name}  ${(bytes.length / 1e6).toFixed(1)} MB`);
  };

  add(...npmPackage(root, output));
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = [...docs.map((name) => `docs/${name}`), 'skills/svc/SKILL.md'];
  for (const target of targets) {
    const executable = readFileSync(join(executables, executableName(target)));
    const name = archiveName(about.version, target);
    const entries = archiveEntries({
      target,
      executable,
      read,
      notices,
      pages,
      version: about.version,
    });
    add(name, name.endsWith('.zip') ? zip(entries, time) : tarXz(entries, time, level));
    const architecture = ARCHITECTURES[target];
    if (architecture === undefined) continue;
    const package_ = debEntries({ architecture, executable, read, notices, pages, about });
    add(`${DEB}_${debVersion(about)}_${architecture}.deb`, deb(package_, time, level));
  }
  const { packages: locked } = json('package-lock.json');
  const bun = json('scripts/bun.json').version;
  add(`svc-${about.version}.cdx.json`, Buffer.from(sbom({ about, time, packages, locked, bun })));
  const recipe = { ...about, sum: (/** @type {string} */ file) => sums.get(file) };
  add(
    'install.sh',
    Buffer.from(installer(read('scripts/install/install.sh').toString(), recipe, targets)),
  );
  // It names the archives of several targets, which are not there when one is tried.
  if (targets.length > 1) add('svc.rb', Buffer.from(formula(recipe)));
  const list = [...sums].sort().map(([name, sum]) => `${sum}  ${name}\n`);
  writeFileSync(join(output, 'SHA256SUMS'), list.join(''));
  if (key !== undefined) sign(join(output, 'SHA256SUMS'), key, about.version);
}

/**
 * What package.json says, with the addresses that follow from its repository.
 * @typedef {{ name: string, version: string, description: string, license: string, author: string,
 * homepage: string, downloads: string, }} About
 * @typedef {Pick<About, 'version' | 'author' | 'description' | 'homepage'>} Package what a Debian
 * package says
 */

/**
 * @param {Omit<About, 'homepage' | 'downloads'> & { repository: { url: string } }} manifest
 * package.json
 * @returns {About}
 */
function aboutFrom({ name, version, description, license, author, repository }) {
  const homepage = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return {
    name,
    version,
    description,
    license,
    author,
    homepage,
    downloads: `${homepage}/releases/download/v${version}`,
  };
}

/** @param {string} target */
function executableName(target) {
  return `svc-${target}${target.startsWith('windows') ? '.exe' : ''}`;
}

/**
 * Packs the npm package, which is the same byte for byte whenever it is packed.
 * @param {string} root
 * @param {string} output
 * @returns {[name: string, bytes: Buffer]}
 */
function npmPackage(root, output) {
  const words = [
    'pack',
    '--json',
    '--ignore-scripts',
    '--loglevel=error',
    '--pack-destination',
    output,
  ];
  // npm is a script on Windows and needs a shell there.
  const shell = process.platform === 'win32';
  const [{ filename }] = JSON.parse(
    execFileSync('npm', words, { cwd: root, encoding: 'utf8', shell }),
  );
  return [filename, readFileSync(join(output, filename))];
}

/**
 * What an archive holds.
 * @param {object} archive
 * @param {string} archive.target
 * @param {Buffer} archive.executable
 * @param {(path: string) => Buffer} archive.read reads a file of the project
 * @param {string} archive.notices the licences of what is inside
 * @param {readonly string[]} archive.pages of the documentation
 * @param {string} archive.version
 */
function archiveEntries({ target, executable, read, notices, pages, version }) {
  const folder = `svc-${version}-${target}`;
  const program = target.startsWith('windows') ? 'svc.exe' : 'svc';
  return [
    { path: `${folder}/${program}`, mode: 0o755, data: executable },
    file(`${folder}/man/svc.1`, read('dist/man/svc.1')),
    file(`${folder}/THIRD-PARTY-NOTICES`, notices),
    ...[...TEXTS, ...COMPLETIONS, ...pages].map((path) => file(`${folder}/${path}`, read(path))),
  ];
}

/**
 * What a Debian package holds.
 * @param {object} package_
 * @param {string} package_.architecture a value of ARCHITECTURES
 * @param {Buffer} package_.executable
 * @param {(path: string) => Buffer} package_.read reads a file of the project
 * @param {string} package_.notices the licences of what is inside
 * @param {readonly string[]} package_.pages of the documentation
 * @param {Package} package_.about
 */
function debEntries({ architecture, executable, read, notices, pages, about }) {
  const doc = `usr/share/doc/${DEB}`;
  const files = [
    { path: 'usr/bin/svc', mode: 0o755, data: executable },
    file('usr/share/bash-completion/completions/svc', read('completions/svc.bash')),
    file('usr/share/fish/vendor_completions.d/svc.fish', read('completions/svc.fish')),
    file('usr/share/zsh/vendor-completions/_svc', read('completions/_svc')),
    file('usr/share/man/man1/svc.1.gz', gzipSync(read('dist/man/svc.1'), { level: 9 })),
    file(`${doc}/copyright`, `${read('LICENSE')}\n${notices}`),
    ...pages.map((path) => file(`${doc}/${path}`, read(path))),
  ];
  const kibibytes = files.reduce((sum, { data }) => sum + Math.ceil(data.length / 1024), 0);
  return [...files, file('DEBIAN/control', controlFile(architecture, kibibytes, about))];
}

/** @param {string} path @param {string | Buffer} data */
function file(path, data) {
  return { path, mode: 0o644, data: Buffer.from(data) };
}

/** A pre-release sorts before its release. @param {Package} about */
function debVersion({ version }) {
  return version.replace('-', '~');
}

/** @param {string} architecture @param {number} kibibytes @param {Package} about */
function controlFile(architecture, kibibytes, about) {
  return `Package: ${DEB}
Version: ${debVersion(about)}
Architecture: ${architecture}
Maintainer: ${about.author}
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.17)
Conflicts: daemontools
Section: admin
Priority: optional
Homepage: ${about.homepage}
Description: ${about.description.replace(/:.*/s, '').replace(/^The /, '')}
`;
}

/**
 * Signs the file. The comment that is signed too is the version, so that an old list cannot stand
 * in for a new one.
 * @param {string} file
 * @param {string} key
 * @param {string} version
 */
function sign(file, key, version) {
  execFileSync(
    'minisign',
    ['-S', '-s', key, '-m', file, '-t', `svc ${version}`, '-c', 'signature of svc'],
    {
      stdio: ['inherit', 'ignore', 'inherit'],
    },
  );
}
