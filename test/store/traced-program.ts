// Writes to the disk in a process of its own; bundled by `disk-calls.ts`, because Node 20 runs no TypeScript.
import { join } from 'node:path';
import { reserveFile } from '../../src/sign-in/save.ts';
import { machineOf } from '../../src/store/machine.ts';
import { writeDurably } from '../../src/store/write.ts';
import type { TracedWork } from './disk-calls.ts';

const [work = '', folder = '', given = ''] = process.argv.slice(2);
const WORKS: Readonly<Record<TracedWork, () => void>> = {
  write: () => writeDurably(join(folder, 'file'), Buffer.from(given)),
  reserve: () => reserveFile(folder, folder, machineOf(process, 'here')).fill(JSON.parse(given)),
};
WORKS[work as TracedWork]();
