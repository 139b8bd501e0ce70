import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { inject } from 'vitest';

/**
 * The names of the calls of the file system in `traced-program.ts`, from the first write on;
 * of a folder, from where it is made.
 */
export function diskCallsOf(
  work: 'write' | 'journal' | 'lines' | 'folder',
  folder: string,
  given: string,
): string[] {
  const scratch = mkdtempSync(join(inject('scratch'), 'traced-'));
  const outfile = join(scratch, 'program.mjs');
  const entry = join(import.meta.dirname, 'traced-program.ts');
  buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    external: ['conf'],
  });
  const trace = join(scratch, 'trace.json');
  const categories = '--trace-event-categories=node.fs.sync,node.fs.async';
  const options = [categories, `--trace-event-file-pattern=${trace}`];
  execFileSync(process.execPath, [...options, outfile, work, folder, given]);
  const { traceEvents }: { traceEvents: { name: string; ph: string }[] } = JSON.parse(
    readFileSync(trace, 'utf8'),
  );
  const calls = traceEvents
    .filter(({ ph }) => ph === 'B' || ph === 'b')
    .map(({ name }) => name.replace('fs.sync.', ''));
  return calls.slice(calls.indexOf(work === 'folder' ? 'mkdir' : 'write'));
}
