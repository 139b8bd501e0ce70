// Prepares a clone: installs the locked packages unless they are installed, and builds.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (/** @type {string} */ path) => `${root}${path}`;

if (!isInstalled()) {
  console.error('Installing the packages of package-lock.json ...');
  // npm is a script on Windows and needs a shell there.
  const shell = process.platform === 'win32';
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell,
  });
}
console.error('Building ...');
execFileSync(process.execPath, [at('scripts/build.mjs')], { cwd: root, stdio: ['ignore', 2, 2] });

/** Compares with npm's own copy of the lockfile, which it writes at the end of an installation. */
function isInstalled() {
  const done = at('node_modules/.package-lock.json');
  if (!existsSync(done)) return false;
  const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(done, 'utf8')).packages;
  const direct = Object.keys(wanted[''].devDependencies).map((name) => `node_modules/${name}`);
  const fits = (/** @type {string} */ name) => wanted[name]?.version === present[name]?.version;
  return direct.every(fits) && Object.keys(present).every(fits);
}
