import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { mcpbEntries } from '../../scripts/release/build.mjs';
import { zip } from '../../scripts/release/zip.mjs';
import { temporaryFolder } from '../support/svc.ts';
import { toolFolder } from '../support/tool-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the official tool finds the bundle of a release valid, and unpacks it', async () => {
  const mcpb = join(await toolFolder('mcpb-2.1.2', ['@anthropic-ai/mcpb@2.1.2']), 'node_modules/.bin/mcpb');
  const words = ['pack', '--json', '--dry-run', '--ignore-scripts', '--loglevel=error'];
  const { stdout } = await execa('npm', words, { cwd: ROOT });
  const paths = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
  const read = (path: string) => readFileSync(join(ROOT, path));
  const folder = await temporaryFolder();
  const file = join(folder, 'svc.mcpb');
  writeFileSync(file, zip(mcpbEntries(JSON.parse(read('package.json').toString()), paths, read), 1_700_000_000));
  const unpacked = join(folder, 'unpacked');
  await execa(mcpb, ['unpack', file, unpacked]);
  const { stdout: said } = await execa(mcpb, ['validate', join(unpacked, 'manifest.json')]);
  expect(said).toContain('Manifest schema validation passes!');
  expect((await execa(process.execPath, [join(unpacked, 'bin/svc.cjs'), '--version'])).stdout).toMatch(
    /^\d+\.\d+\.\d+/,
  );
});
