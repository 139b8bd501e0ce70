// Makes a release in release/, or with --check verifies one as its users would.
//   --check                with --install-deb also installs the Debian package with apt, as root,
//   and removes it again
//   --public-key <file>    checks the signature with it; default: minisign.pub, if the project has
//   one
//   --output <folder>      default: release/
//   --executables <folder> takes these, and dist/ as it is, instead of building them
//   --target <name>        only this one, to try a release; host: this machine's; default: all
//   --fast                 compresses less and takes uncommitted changes too, to try a release
//   --key <file>           signs SHA256SUMS with this key of minisign
//   --contract             only writes down which fields this version promises, for
//   test/contract/released.test.ts
//   --tag, --repository    stops unless package.json says the same, and the CHANGELOG has the
//   version with its date
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { check, HOST } from './release/check.mjs';

const text = /** @type {const} */ ({ type: 'string' });
const flag = /** @type {const} */ ({ type: 'boolean', default: false });
const { values } = parseArgs({
  options: {
    check: flag,
    'install-deb': flag,
    'public-key': text,
    output: { type: 'string', default: 'release' },
    executables: text,
    target: { type: 'string', default: 'all' },
    fast: flag,
    key: text,
    contract: flag,
    tag: text,
    repository: text,
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const output = resolve(values.output);
const node = (/** @type {string[]} */ ...words) =>
  execFileSync(process.execPath, words, { cwd: root, stdio: ['ignore', 2, 2] });

if (values.contract) {
  const { contractOf } = await import('./release/contract.mjs');
  const text = JSON.stringify(
    contractOf(readFileSync(join(root, 'docs/json.md'), 'utf8')),
    null,
    2,
  );
  writeFileSync(join(root, 'test/contract/released.json'), `${text}\n`);
} else if (values.check) {
  process.exitCode = (await check(output, values)) ? 0 : 1;
} else {
  const wrong = publishingProblem();
  if (wrong !== undefined) {
    console.error(`Error: ${wrong}`);
    process.exit(2);
  }
  const target = values.target === 'host' ? HOST : values.target;
  if (values.executables === undefined) {
    node('scripts/setup.mjs');
    node('scripts/binary.mjs', '--target', target);
  }
  // Both need the packages that setup.mjs installs.
  const { release } = await import('./release/build.mjs');
  const { timeOfBuild } = await import('./bundle.mjs');
  const all = Object.keys(
    JSON.parse(readFileSync(join(root, 'scripts/bun.json'), 'utf8')).packages,
  );
  await release({
    root,
    output,
    executables: resolve(values.executables ?? join(root, 'dist-binary')),
    targets: target === 'all' ? all : [target],
    // Known: without a commit and without SOURCE_DATE_EPOCH, no release is made.
    time: /** @type {number} */ (timeOfBuild(root)),
    fast: values.fast,
    ...(values.key !== undefined && { key: resolve(values.key) }),
  });
}

/** Says why no release may be made of this: the tag, the repository, or what is not committed. */
function publishingProblem() {
  const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (values.tag !== undefined && values.tag !== `v${version}`)
    return `The tag ${values.tag} is not v${version}, which package.json says.`;
  if (values.tag !== undefined && !isDated(version))
    return `The CHANGELOG has no heading "## ${version} (<year>-<month>-<day>)".`;
  if (values.repository !== undefined && repository.url !== `git+${values.repository}.git`)
    return `The repository is ${values.repository}, and package.json says ${repository.url}: set it, bugs and author there.`;
  const changes = uncommitted();
  if (changes === undefined && !process.env['SOURCE_DATE_EPOCH'])
    return 'There is no git repository here: set SOURCE_DATE_EPOCH to the time of the release.';
  if (changes && !values.fast)
    return `A release is made of a commit, and these changes are not committed:\n${changes}`;
  return undefined;
}

/** Whether the CHANGELOG says when a version was released. @param {string} version */
function isDated(version) {
  const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## .*$/gm) ?? [];
  return headings.some(
    (line) => line.startsWith(`## ${version} (`) && /\(\d{4}-\d\d-\d\d\)$/.test(line),
  );
}

/** Lists changes and files that git does not know; undefined outside a repository. */
function uncommitted() {
  try {
    const words = ['status', '--porcelain'];
    return execFileSync('git', words, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd();
  } catch {
    return undefined;
  }
}
