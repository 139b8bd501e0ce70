// Writes Debian packages (deb(5)): an ar archive of two tar archives.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tar, xz } from './tar.mjs';

/** @typedef {import('./tar.mjs').Entry} Entry */
/** @typedef {{ version: string, author: string, description: string, homepage: string }} About */

/** Debian's names of the targets that a package is made for. @type {Readonly<Record<string, string>>} */
export const ARCHITECTURES = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

/** The package is named as on npm; daemontools has a program of the same name as svc. */
const NAME = 'svc-cli';

/** Says why lintian is not to warn of what an executable that contains a runtime looks like. */
const OVERRIDES = `# The executable contains the Bun runtime, and with it these libraries; THIRD-PARTY-NOTICES names them.
${NAME}: embedded-library *
# The symbols that are left are the ones that native modules would link to.
${NAME}: unstripped-binary-or-object [usr/bin/svc]
# Bun is built so.
${NAME}: hardening-no-pie [usr/bin/svc]
${NAME}: hardening-no-relro [usr/bin/svc]
# Made by the project itself, not for Debian.
${NAME}: initial-upload-closes-no-bugs *
`;

/**
 * The name and the bytes of a package.
 * @param {object} release
 * @param {string} release.architecture a value of ARCHITECTURES
 * @param {Buffer} release.executable
 * @param {(path: string) => Buffer} release.read reads a file of the project
 * @param {string} release.notices the licences of what is inside
 * @param {readonly string[]} release.pages of the documentation
 * @param {About} release.about
 * @param {number} release.time in seconds since 1970
 * @param {number} release.level of xz
 */
export function deb({ architecture, executable, read, notices, pages, about, time, level }) {
  // A pre-release sorts before its release.
  const version = about.version.replace('-', '~');
  const files = contents({ executable, read, notices, pages, about: { ...about, version }, time });
  const size = files.reduce((sum, { data }) => sum + Math.ceil(data.length / 1024), 0);
  const sums = files.map(({ path, data }) => `${createHash('md5').update(data).digest('hex')}  ${path}\n`).join('');
  const control = [
    folder(''),
    { path: './control', mode: 0o644, data: Buffer.from(controlFile({ architecture, size, about, version })) },
    { path: './md5sums', mode: 0o644, data: Buffer.from(sums) },
  ];
  const data = [...foldersOf(files), ...files.map((file) => ({ ...file, path: `./${file.path}` }))];
  /** @type {Member[]} */
  const members = [
    ['debian-binary', Buffer.from('2.0\n')],
    ['control.tar.xz', xz(tar(control, time), level)],
    ['data.tar.xz', xz(tar(data, time), level)],
  ];
  return { name: `${NAME}_${version}_${architecture}.deb`, bytes: ar(members, time) };
}

/**
 * @param {object} release
 * @param {Buffer} release.executable
 * @param {(path: string) => Buffer} release.read
 * @param {string} release.notices
 * @param {readonly string[]} release.pages
 * @param {About} release.about
 * @param {number} release.time
 */
function contents({ executable, read, notices, pages, about, time }) {
  const text = (/** @type {string} */ path, /** @type {string | Buffer} */ data) => ({
    path,
    mode: 0o644,
    data: Buffer.from(data),
  });
  const doc = `usr/share/doc/${NAME}`;
  return [
    { path: 'usr/bin/svc', mode: 0o755, data: executable },
    text('usr/share/bash-completion/completions/svc', read('completions/svc.bash')),
    text('usr/share/fish/vendor_completions.d/svc.fish', read('completions/svc.fish')),
    text('usr/share/zsh/vendor-completions/_svc', read('completions/_svc')),
    text('usr/share/man/man1/svc.1.gz', gzipSync(read('dist/man/svc.1'), { level: 9 })),
    text(`${doc}/THIRD-PARTY-NOTICES.gz`, gzipSync(notices, { level: 9 })),
    text(`${doc}/changelog.gz`, gzipSync(changelog(about, time), { level: 9 })),
    ...pages.map((path) => text(`${doc}/${path}`, read(path))),
    text(`${doc}/copyright`, copyright(read('LICENSE').toString())),
    text(`usr/share/lintian/overrides/${NAME}`, OVERRIDES),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @param {{ architecture: string, size: number, about: About, version: string }} release */
function controlFile({ architecture, size, about, version }) {
  return `Package: ${NAME}
Version: ${version}
Architecture: ${architecture}
Maintainer: ${about.author}
Installed-Size: ${size}
Depends: libc6 (>= 2.17)
Conflicts: daemontools
Section: admin
Priority: optional
Homepage: ${about.homepage}
Description: ${about.description.replace(/:.*/s, '').replace(/^The /, '')}
 Sign in from any terminal, buy plans and domains, move the DNS of a domain,
 run WordPress actions, read metrics, and inspect and restart services: by
 hand, in a pipeline, and from a script. A sandbox is built in.
`;
}

/**
 * @param {About} about
 * @param {number} time
 */
function changelog({ version, author }, time) {
  const date = new Date(time * 1000).toUTCString().replace('GMT', '+0000');
  return `${NAME} (${version}) stable; urgency=medium\n\n  * Release ${version}.\n\n -- ${author}  ${date}\n`;
}

/** @param {string} licence */
function copyright(licence) {
  return `svc is under the MIT license:\n\n${licence}
The licences of what svc's executable contains, the Bun runtime among it, are in
/usr/share/doc/${NAME}/THIRD-PARTY-NOTICES.gz. Debian has some of them in full:
/usr/share/common-licenses/Apache-2.0, /usr/share/common-licenses/LGPL-2 and
/usr/share/common-licenses/LGPL-2.1.
`;
}

/** @param {readonly Entry[]} files */
function foldersOf(files) {
  const all = new Set(['']);
  for (const { path } of files)
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) all.add(`${path.slice(0, end)}/`);
  return [...all].sort().map(folder);
}

/**
 * @param {string} path
 * @returns {Entry}
 */
function folder(path) {
  return { path: `./${path}`, mode: 0o755 };
}

/** @typedef {readonly [name: string, data: Buffer]} Member */

/**
 * The common ar format: sixty bytes of text before each member, which begin at even offsets.
 * @param {readonly Member[]} members
 * @param {number} time
 */
function ar(members, time) {
  const parts = members.flatMap(([name, data]) => [
    Buffer.from(
      `${name.padEnd(16)}${String(time).padEnd(12)}0     0     100644  ${String(data.length).padEnd(10)}\`\n`,
    ),
    data,
    Buffer.alloc(data.length % 2, '\n'),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
