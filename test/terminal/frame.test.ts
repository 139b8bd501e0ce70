import { expect, test } from 'vitest';
import { createFrame } from '../../src/terminal/frame.ts';

function frameOn(rows: number) {
  const written: string[] = [];
  return { written, frame: createFrame({ rows, write: async (text) => void written.push(String(text)) }) };
}

test('a drawing replaces the previous one of any height', async () => {
  const { frame, written } = frameOn(24);
  await frame.draw('one\ntwo\n');
  await frame.draw('1\n');
  await frame.draw('a\nb\nc\n');
  expect(written).toEqual([
    'one\u001B[K\ntwo\u001B[K\n\u001B[J',
    '\u001B[2A1\u001B[K\n\u001B[J',
    '\u001B[1Aa\u001B[K\nb\u001B[K\nc\u001B[K\n\u001B[J',
  ]);
});

test('lines that do not fit on the terminal are left out', async () => {
  const { frame, written } = frameOn(3);
  await frame.draw('1\n2\n3\n4\n');
  await frame.draw('5\n6\n7\n8\n');
  expect(written).toEqual(['1\u001B[K\n2\u001B[K\n\u001B[J', '\u001B[2A5\u001B[K\n6\u001B[K\n\u001B[J']);
});
