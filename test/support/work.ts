import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { inject } from 'vitest';

/**
 * How much code runs for each of the inputs: how often a block of it is entered, which is the same
 * on every machine. What Node does by itself, such as a search in a list or a regular expression,
 * is not counted.
 * @param file a module whose `work` takes an input
 */
export async function stepsOf(file: string, inputs: readonly unknown[]): Promise<number[]> {
  const folder = await mkdtemp(join(inject('scratch'), 'work-'));
  const outfile = join(folder, 'work.mjs');
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  // Optimized code does not count.
  const flags = ['--no-opt', '--no-maglev', '--no-sparkplug'];
  const counter = join(import.meta.dirname, 'count-steps.mjs');
  const words = [...flags, counter, outfile, JSON.stringify(inputs)];
  return JSON.parse((await promisify(execFile)(process.execPath, words)).stdout);
}
