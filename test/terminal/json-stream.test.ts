import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonTextError, jsonStream } from '../../src/terminal/json-stream.ts';
import type { JsonTextOptions } from '../../src/terminal/json-text.ts';
import { anyCharacter, tries } from '../support/property.ts';

/** Passes bytes on in chunks of the given sizes, repeated, and returns the output without its last newline. */
async function passOn(bytes: Uint8Array, sizes: readonly number[], options: JsonTextOptions = {}): Promise<Buffer> {
  const passed: Uint8Array[] = [];
  const json = jsonStream({ write: async (chunk) => void passed.push(Buffer.from(chunk)) }, options);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    await json.write(bytes.subarray(at, at + size));
    at += size;
  }
  await json.end();
  return Buffer.concat(passed).subarray(0, -1);
}

function isAccepted(bytes: Uint8Array, sizes: readonly number[]): Promise<boolean> {
  return passOn(bytes, sizes).then(
    () => true,
    (error: unknown) => (error instanceof JsonTextError ? false : Promise.reject(error)),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
const layouts = fc.constantFrom(undefined, 1, 2, '\t', '\r\n ');
const values = fc.jsonValue({ maxDepth: 6, stringUnit: anyCharacter });
const harmful = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\p{Cf}\p{Zl}\p{Zp}]/u;

test('any value stays the same however it is cut, without harmful characters in the text', async () => {
  await fc.assert(
    fc.asyncProperty(values, layouts, cuts, async (value, layout, sizes) => {
      const text = JSON.stringify(value, null, layout);
      const passed = (await passOn(Buffer.from(text), sizes)).toString();
      expect(JSON.parse(passed)).toEqual(JSON.parse(text));
      expect(passed).not.toMatch(harmful);
    }),
    tries(1_500, 11),
  );
});

test('text without anything harmful keeps every byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 6 }), cuts, async (text, sizes) => {
      fc.pre(!harmful.test(text));
      expect((await passOn(Buffer.from(text), sizes)).toString()).toBe(text);
    }),
    tries(1_500, 12),
  );
});

test('an indented value looks like the output of JSON.stringify', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), layouts, cuts, async (value, layout, sizes) => {
      const text = JSON.stringify(value, null, layout);
      const laidOut = (await passOn(Buffer.from(text), sizes, { indent: true })).toString();
      expect(laidOut).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
    tries(1_500, 13),
  );
});

test('accepts exactly what JSON.parse accepts', async () => {
  const mutated = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.nat(2),
      fc.constantFrom(...'{}[]",:\\ntfe-+.0123456789 u\u0001\u00a0\ufeff'.split('')),
    )
    .map(([text, place, removed, added]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + added + text.slice(at + removed);
    });
  await fc.assert(
    fc.asyncProperty(mutated, cuts, async (text, sizes) => {
      fc.pre(!/\p{Cs}/u.test(text));
      expect(await isAccepted(Buffer.from(text), sizes)).toBe(isJson(text));
    }),
    tries(10_000, 14),
  );
});

test('bytes that are not UTF-8 are refused wherever they are cut', async () => {
  const spoiled = fc.tuple(
    fc.json({ maxDepth: 3, stringUnit: anyCharacter }),
    fc.nat(),
    fc.integer({ min: 0x80, max: 0xff }),
  );
  await fc.assert(
    fc.asyncProperty(spoiled, cuts, async ([text, place, byte], sizes) => {
      const bytes = Buffer.from(text);
      bytes[place % bytes.length] = byte;
      expect(await isAccepted(bytes, sizes)).toBe(isUtf8(bytes) && isJson(bytes.toString()));
    }),
    tries(3_000, 15),
  );
});

test.each([
  ['', 'it ends too early', 0],
  ['{"a":1', 'it ends too early', 6],
  ['{"a":1}}', 'a bracket that closes nothing', 7],
  ['[1}', 'a bracket that closes nothing', 2],
  ['[1,]', 'unexpected "]"', 3],
  ['{"a":1,}', 'unexpected "}"', 7],
  ['{} {}', 'unexpected "{"', 3],
  ['1,2', 'more than one value', 1],
  ['<html>', 'unexpected "<"', 0],
  ['"a\nb"', 'unexpected byte 0x0a', 2],
  ['01', 'unexpected "1"', 1],
  ['tru', 'it ends too early', 3],
  ['nul!', 'unexpected "!"', 3],
  ['\ufeff{}', 'unexpected byte 0xef', 0],
])('%j is refused with its reason and offset', async (text, reason, offset) => {
  await expect(passOn(Buffer.from(text), [64])).rejects.toThrow(
    expect.objectContaining({ offset, message: `The answer is not valid JSON: ${reason} at byte ${offset}.` }),
  );
});

test('the offset of an error counts from the start of the text', async () => {
  await expect(passOn(Buffer.from('{"name": "é", "other": nope}'), [3])).rejects.toMatchObject({ offset: 25 });
  await expect(passOn(Buffer.from([0x22, 0x61, 0xff, 0x22]), [64])).rejects.toMatchObject({ offset: 2 });
});

test('200 levels are read and 201 are not', async () => {
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  expect(await passOn(nested(200), [64])).toEqual(nested(200));
  await expect(passOn(nested(201), [512])).rejects.toThrow('more than 200 levels at byte 200');
});

test('half a character at the end is refused', async () => {
  await expect(passOn(Buffer.from('"é').subarray(0, 2), [64])).rejects.toThrow('not UTF-8');
});
