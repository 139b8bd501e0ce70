// Writes to the disk in a process of its own; bundled by `disk-calls.ts`, because Node 20 runs no
// TypeScript.
import { join } from 'node:path';
import { Journal } from '../../src/sign-in/journal.ts';
import { makeFolder } from '../../src/store/files.ts';
import { openLines } from '../../src/store/lines.ts';
import { createMachine } from '../../src/store/machine.ts';
import { writeDurably } from '../../src/store/write.ts';

const [work, folder = '', given = ''] = process.argv.slice(2);
if (work === 'write') writeDurably(join(folder, 'file'), given);
else if (work === 'folder') makeFolder(join(folder, 'inner'), 0o700);
else if (work === 'lines') {
  const lines = openLines(join(folder, 'lines'));
  for (const n of [1, 2]) {
    lines.add({ n });
    await lines.flush();
  }
  lines.close();
} else {
  const journal = new Journal(folder, createMachine(process, 'here'));
  journal.fill(JSON.parse(given));
  journal.close();
}
