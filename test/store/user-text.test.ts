import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeUserText } from '../../src/store/named-file.ts';
import { refusal } from '../support/refusal.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const TEXT = 'Zo\u00eb\n\u{1F600}';
const littleEndian = (text: string) => Buffer.from(text, 'utf16le');
const bigEndian = (text: string) => littleEndian(text).swap16();

test.each<[what: string, bytes: Buffer]>([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16 with a mark', littleEndian(`\uFEFF${TEXT}`)],
  ['UTF-16 with a mark, the high byte first', bigEndian(`\uFEFF${TEXT}`)],
])('%s is text', (_what, bytes) => {
  expect(decodeUserText(bytes, 'a.txt')).toBe(TEXT);
});

test.each<[what: string, bytes: Buffer, message: string]>([
  ['Latin 1', Buffer.from('a\nb\nCaf\u00e9\n', 'latin1'), 'a.txt is not UTF-8 text, from line 3'],
  ['Latin 1 in its last line', Buffer.from('a\nCaf\u00e9', 'latin1'), 'from line 2 on'],
  ['UTF-8 that was cut', Buffer.from('Caf\u00e9').subarray(0, -1), 'from line 1 on'],
  ['half a pair as UTF-8', Buffer.from([0xed, 0xa0, 0x80]), 'from line 1 on'],
  ['UTF-16 without a mark', littleEndian('svc_1\n'), 'UTF-16 without a mark'],
  ['UTF-16 with half a character', Buffer.from([0xff, 0xfe, 0x61]), 'begins as UTF-16'],
  ['UTF-16 with half a pair', Buffer.from([0xfe, 0xff, 0xd8, 0x3d]), 'begins as UTF-16'],
])('%s is no text', (_what, bytes, message) => {
  expect(refusal(() => decodeUserText(bytes, 'a.txt'))).toContain(message);
});

/** Runs a line whose FILE is a file of these bytes, against a platform that must not be asked. */
async function runWith(bytes: Buffer, line: string) {
  const file = join(await temporaryFolder(), 'file.txt');
  await writeFile(file, bytes);
  const wire = await testWire();
  const words = line.split(' ').map((word) => (word === 'FILE' ? file : word));
  return await svc([...words, '--yes'], { url: wire.url });
}

describe('bytes that are not UTF-8', () => {
  const label = Buffer.from('[{"planId":"p1","label":"Caf\u00e9"}]', 'latin1');

  test.each([
    ['order items', 'buy --network mtn --phone +22501020304 --items FILE', label],
    ['a body', 'api /v1/services/svc_1/restart -X POST --input FILE', label],
    ['a list of services', 'restart --services FILE', Buffer.from('caf\u00e9\n', 'latin1')],
    ['a list of services to a read', 'metrics --services FILE', Buffer.from([0x61, 0xe9, 0x0a])],
    [
      'a zone file',
      'domains add ex.com --service s --import --records FILE',
      Buffer.from('@ TXT "\u00e9"', 'latin1'),
    ],
  ])('in a file of %s are exit 2, and nothing is sent', async (_what, line, bytes) => {
    const run = await runWith(bytes, line);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('is not UTF-8 text, from line 1 on');
  });

  test.each<[argv: readonly string[], what: string]>([
    [['wp', 'run', 'x', '--service', 's', '--param', 't=Caf\uFFFD'], 'The value of --param'],
    [['buy', '--plan', 'p1', '--label=Caf\uFFFD'], 'The value of --label'],
    [['api', '/v1/x', '-f', 'a=\uFFFD'], 'The value of -f'],
    [['restart', 'caf\uFFFD'], 'Word 2 behind svc'],
    [['db', 'connect', 'db_1', '--', 'select \uFFFD'], 'Word 5 behind svc'],
  ])('in the line %j are exit 2, and nothing is sent', async (argv, what) => {
    const wire = await testWire();

    const run = await svc([...argv], { url: wire.url });

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`Error: ${what} is not UTF-8 text`);
    expect(run.stderr).not.toContain('Caf');
  });
});

test('items in UTF-16, as PowerShell writes them, are sent as UTF-8', async () => {
  const file = join(await temporaryFolder(), 'body.json');
  await writeFile(file, bigEndian('\uFEFF{"t":"Caf\u00e9"}'));
  const wire = await testWire();
  wire.on('POST', '/v1/things').reply(200, {});

  await svc(['api', '/v1/things', '-X', 'POST', '--input', file], { url: wire.url });

  expect(wire.requests[0]?.json).toEqual({ t: 'Caf\u00e9' });
});
