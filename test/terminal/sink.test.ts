import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { PassThrough, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSink, OutputClosed } from '../../src/terminal/sink.ts';
import { type Scope, testScript } from './script.ts';

type Program = (scope: Scope) => unknown;

const FIVE_MB: Program = async ({ io, fail }) => {
  const text = `${'x'.repeat(64 * 1024 - 1)}\n`;
  try {
    for (let turn = 0; turn < 80; turn += 1) await io.out.write(text);
    process.stderr.write('all written\n');
  } catch (error) {
    fail(error);
  }
};
const FIVE_MB_BYTES = 80 * 64 * 1024;

/** Runs a shell line in which `svc` is the script. Returns the exit code of the script. */
async function shell(line: string, script: string): Promise<{ code: number; stderr: string }> {
  const svc = 'svc() { "$NODE" "$SCRIPT"; echo "code $?" >&2; }';
  const { stderr } = await promisify(execFile)('sh', ['-c', `${svc}; ${line}`], {
    env: { PATH: process.env['PATH'], NODE: process.execPath, SCRIPT: script, FILE: `${script}.txt` },
  });
  const [, code] = /code (\d+)/.exec(stderr) ?? [];
  return { code: Number(code), stderr };
}

test('a slow reader gets every byte', async () => {
  const child = spawn(process.execPath, [await testScript(FIVE_MB)], { stdio: ['ignore', 'pipe', 'ignore'] });
  let bytes = 0;
  for await (const chunk of child.stdout) {
    bytes += chunk.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(bytes).toBe(FIVE_MB_BYTES);
});

test('a reader that closes early ends the output quietly', async () => {
  const { code, stderr } = await shell('svc | head -c 1000 >/dev/null', await testScript(FIVE_MB));
  expect(code).toBe(0);
  expect(stderr).toBe('code 0\n');
});

test('a closed stderr does not end the work', async () => {
  const script = await testScript(async ({ io, sleep }) => {
    while (!io.err.closed) {
      await io.err.write('x'.repeat(200_000)).catch(() => {});
      await sleep(5);
    }
    await io.out.write('went on');
  });
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.destroy();
  const [bytes] = await once(child.stdout, 'data');
  expect(String(bytes)).toBe('went on');
});

test('a full device is an error with exit code 1', async () => {
  const { code, stderr } = await shell('svc > /dev/full', await testScript(FIVE_MB));
  expect(code).toBe(1);
  expect(stderr).toContain('Cannot write to standard output: no space is left (ENOSPC)');
});

test.each<[how: string, body: Program]>([
  ['in one piece', ({ io, fail }) => io.out.write('x'.repeat(150 * 1024)).catch(fail)],
  ['in many', FIVE_MB],
])('a file at its size limit is an error, written %s', async (_name, body) => {
  const script = await testScript(body);
  // In blocks of 512 bytes.
  const { code, stderr } = await shell('ulimit -f 200; svc > "$FILE"', script);
  expect((await stat(`${script}.txt`)).size).toBe(100 * 1024);
  expect(stderr).toContain('Cannot write to standard output: no space is left (EFBIG)');
  expect(code).toBe(1);
});

test('a file gets every byte, appended', async () => {
  const script = await testScript(({ io, fail }) =>
    io.out
      .write('two ')
      .then(() => io.out.write(Buffer.from('three')))
      .catch(fail),
  );
  expect((await shell(`printf 'one ' > "$FILE"; svc >> "$FILE"`, script)).code).toBe(0);
  expect(await readFile(`${script}.txt`, 'utf8')).toBe('one two three');
});

test('a write waits until the reader takes it', async () => {
  const taken: Array<() => void> = [];
  const stream = new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) });
  const sink = createSink(stream, 'standard output', () => 0);
  let written = false;
  const writing = sink.write('x').then(() => {
    written = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBe(false);
  taken[0]?.();
  await writing;
  expect(written).toBe(true);
});

test('every write after the reader has gone throws OutputClosed', async () => {
  const stream = new PassThrough();
  const sink = createSink(stream, 'standard output', () => 0);
  stream.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' }));
  await expect(sink.write('x')).rejects.toBeInstanceOf(OutputClosed);
  expect(sink.closed).toBe(true);
  await expect(sink.write('x')).rejects.toBeInstanceOf(OutputClosed);
});

test.each([
  [{ isTTY: true, columns: 132 }, 132, 132],
  [{ isTTY: true, columns: 0 }, 80, 0],
  [{ isTTY: true }, 80, 0],
  [{ columns: 132 }, 80, 0],
  [{}, 80, 0],
])('%j is laid out in %i columns and says %i', (looks, columns, realColumns) => {
  const sink = createSink(Object.assign(new PassThrough(), looks), 'standard output', () => 0);
  expect([sink.columns, sink.realColumns]).toEqual([columns, realColumns]);
});
