import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createOutput, OutputClosed } from '../../src/terminal/output.ts';
import { type Scope, testScript } from './script.ts';

const LARGE = ({ io, fail }: Scope) => io.out.write('x'.repeat(150 * 1024)).catch(fail);

/** Runs a shell line in which `svc` is the script, and returns what the shell says of it. */
async function shell(line: string, script: string): Promise<string> {
  const svc = 'svc() { "$NODE" "$SCRIPT"; echo "code $?" >&2; }';
  const { stderr } = await promisify(execFile)('sh', ['-c', `${svc}; ${line}`], {
    env: {
      PATH: process.env['PATH'],
      NODE: process.execPath,
      SCRIPT: script,
      FILE: `${script}.txt`,
    },
  });
  return stderr;
}

test('a full device is an error with exit code 1', async () => {
  expect(await shell('svc > /dev/full', await testScript(LARGE))).toBe(
    'Cannot write to standard output: no space is left (ENOSPC)\ncode 1\n',
  );
});

test('a file at its size limit is an error, even though a part of the text is written', async () => {
  const script = await testScript(LARGE);
  // In blocks of 512 bytes.
  expect(await shell('ulimit -f 200; svc > "$FILE"', script)).toBe(
    'Cannot write to standard output: no space is left (EFBIG)\ncode 1\n',
  );
  expect((await stat(`${script}.txt`)).size).toBe(100 * 1024);
});

test('a file gets every byte, appended', async () => {
  const script = await testScript(async ({ io }) => {
    await io.out.write('two ');
    await io.out.write(Buffer.from('three'));
  });
  expect(await shell(`printf 'one ' > "$FILE"; svc >> "$FILE"`, script)).toBe('code 0\n');
  expect(await readFile(`${script}.txt`, 'utf8')).toBe('one two three');
});

test.each(['EPIPE', 'EIO'])(
  'every write after the reader has gone (%s) throws OutputClosed',
  async (code) => {
    const stream = new PassThrough();
    const sink = createOutput(stream, 'standard output', () => 0);
    stream.emit('error', Object.assign(new Error('gone'), { code }));
    await expect(sink.write('x')).rejects.toBeInstanceOf(OutputClosed);
    expect(sink.closed).toBe(true);
  },
);

test.each([
  [{ isTTY: true, columns: 132 }, 132, 132],
  [{ isTTY: true, columns: 0 }, 80, 0],
  [{ columns: 132 }, 80, 0],
])('%j is laid out in %i columns and says %i', (looks, columns, realColumns) => {
  const sink = createOutput(Object.assign(new PassThrough(), looks), 'standard output', () => 0);
  expect([sink.columns, sink.realColumns]).toEqual([columns, realColumns]);
});
