import { expect, test } from 'vitest';
import { holdBytes } from '../../src/service/body.ts';

test('chunks of any size come back as the same bytes', () => {
  const held = holdBytes(3_000_000);
  const given = Buffer.from(Array.from({ length: 1_000_003 }, (_, index) => index % 251));
  for (let at = 0; at < given.length; at += 65_537) held.push(given.subarray(at, at + 65_537));
  expect(held.length).toBe(given.length);
  expect(Buffer.compare(held.view(), given)).toBe(0);
});

test('the limit fits exactly', () => {
  const held = holdBytes(300_000);
  held.push(new Uint8Array(300_000));
  expect(() => held.push(new Uint8Array(1))).toThrow(RangeError);
});

test('released bytes free their memory although a view still exists', () => {
  const held = holdBytes(100_000_000);
  for (let count = 0; count < 100; count += 1) held.push(new Uint8Array(1_000_000).fill(1));
  const view = held.view();
  const before = process.memoryUsage.rss();
  held.release();
  expect(before - process.memoryUsage.rss()).toBeGreaterThan(50_000_000);
  expect(view).toHaveLength(0);
  expect(held.length).toBe(0);
});
