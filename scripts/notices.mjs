// Collects the licences of the packages in the built program.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @typedef {{ folder: string, name: string, version: string, license: string }} Package */

/**
 * The packages that an esbuild metafile took something from, by folder.
 * @param {{ inputs: Record<string, unknown> }} metafile
 * @param {string} root the project's folder
 * @returns {Promise<Package[]>} folders relative to it
 */
export async function packagesOf(metafile, root) {
  /** @type {Set<string>} */
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const folder = input.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];
    if (folder) folders.add(folder);
  }
  return Promise.all(
    [...folders].sort().map(async (folder) => {
      const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
      return { folder, name: manifest.name, version: manifest.version, license: manifest.license };
    }),
  );
}

/**
 * The text of THIRD-PARTY-NOTICES for an esbuild metafile.
 * @param {{ inputs: Record<string, unknown> }} metafile
 * @param {string} root the project's folder
 */
export async function noticesOf(metafile, root) {
  const packages = await packagesOf(metafile, root);
  const notices = await Promise.all(packages.map((one) => noticeOf(one, root)));
  const inWebAssembly = await readFile(join(root, 'scripts/webassembly.txt'), 'utf8');
  return `svc carries the following packages.\n\n${[...notices, inWebAssembly].join('\n')}`;
}

/**
 * @param {Package} package_
 * @param {string} root
 */
async function noticeOf({ folder, name, version, license }, root) {
  const files = (await readdir(join(root, folder)))
    .filter((file) => /^(licen[cs]e|notice)/i.test(file))
    .sort();
  if (files.length === 0)
    return `== ${name} ${version} (${license})\n\nIts package holds no licence text.\n`;
  const texts = await Promise.all(files.map((file) => readFile(join(root, folder, file), 'utf8')));
  return `== ${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}
