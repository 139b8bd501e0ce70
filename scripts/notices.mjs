// Collects the licences of the packages in the built program.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The text of THIRD-PARTY-NOTICES for an esbuild metafile.
 * @param {{ inputs: Record<string, unknown> }} metafile
 * @param {string} root the project's folder
 */
export async function noticesOf(metafile, root) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const folder = input.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];
    if (folder) folders.add(folder);
  }
  const notices = await Promise.all([...folders].sort().map((folder) => noticeOf(join(root, folder))));
  const inWebAssembly = await readFile(join(root, 'scripts/webassembly.txt'), 'utf8');
  return `svc carries the following packages.\n\n${[...notices, inWebAssembly].join('\n')}`;
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort();
  if (files.length === 0) return `== ${name} ${version} (${license})\n\nIts package holds no licence text.\n`;
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return `== ${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}
