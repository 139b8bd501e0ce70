import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonText, JsonTextError } from '../../src/terminal/json-stream.ts';
import type { JsonTextOptions } from '../../src/terminal/json-text.ts';
import { tries } from '../support/property.ts';

/** Whether something is taken; what refuses must say that the text is wrong, and nothing else. */
function accepts(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    expect(error).toSatisfy((known) => known instanceof JsonTextError || known instanceof SyntaxError);
    return false;
  }
}

/** Passes bytes on in pieces of the given sizes, again and again, as a network would. */
function passOn(bytes: Uint8Array, sizes: readonly number[], options: JsonTextOptions = {}): Buffer {
  const json = createJsonText(options);
  const passed: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    passed.push(json.write(bytes.subarray(at, at + size)));
    at += size;
  }
  json.end();
  return Buffer.concat(passed);
}

const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
const layouts = fc.constantFrom(undefined, 1, 2, '\t', '\r\n ');
const values = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });
const harmful = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\p{Cf}\p{Zl}\p{Zp}]/u;

test('any value comes through any cutting unchanged, with nothing harmful in the text', () => {
  fc.assert(
    fc.property(values, layouts, cuts, (value, layout, sizes) => {
      const text = JSON.stringify(value, null, layout);
      const passed = passOn(Buffer.from(text), sizes).toString();
      expect(JSON.parse(passed)).toEqual(JSON.parse(text));
      expect(passed).not.toMatch(harmful);
    }),
    tries(1_500, 11),
  );
});

test('text without anything harmful keeps every byte', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), cuts, (text, sizes) => {
      fc.pre(!harmful.test(text));
      expect(passOn(Buffer.from(text), sizes).toString()).toBe(text);
    }),
    tries(1_500, 12),
  );
});

test('laid out for a terminal, a value stays the same and looks as JSON.stringify would have it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), layouts, cuts, (value, layout, sizes) => {
      const text = JSON.stringify(value, null, layout);
      const laidOut = passOn(Buffer.from(text), sizes, { indent: true }).toString();
      expect(laidOut).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
    tries(1_500, 13),
  );
});

test('whatever JSON.parse refuses is refused, and whatever it takes is taken', () => {
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
  fc.assert(
    fc.property(mutated, cuts, (text, sizes) => {
      fc.pre(!/\p{Cs}/u.test(text));
      const accepted = accepts(() => passOn(Buffer.from(text), sizes));
      expect(accepted).toBe(accepts(() => JSON.parse(text)));
    }),
    tries(10_000, 14),
  );
});

test('bytes that are not UTF-8 are refused wherever they are cut', () => {
  const spoiled = fc.tuple(
    fc.json({ maxDepth: 3, stringUnit: 'binary' }),
    fc.nat(),
    fc.integer({ min: 0x80, max: 0xff }),
  );
  fc.assert(
    fc.property(spoiled, cuts, ([text, place, byte], sizes) => {
      const bytes = Buffer.from(text);
      bytes[place % bytes.length] = byte;
      expect(accepts(() => passOn(bytes, sizes))).toBe(isUtf8(bytes) && accepts(() => JSON.parse(bytes.toString())));
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
])('%j is refused with its reason and place', (text, reason, offset) => {
  expect(() => passOn(Buffer.from(text), [64])).toThrow(
    expect.objectContaining({ offset, message: `The answer is not valid JSON: ${reason} at byte ${offset}.` }),
  );
});

test('the place of an error counts what came before the cut', () => {
  expect(() => passOn(Buffer.from('{"name": "é", "other": nope}'), [3])).toThrow(
    expect.objectContaining({ offset: 25 }),
  );
  expect(() => passOn(Buffer.from([0x22, 0x61, 0xff, 0x22]), [64])).toThrow(expect.objectContaining({ offset: 2 }));
});

test('200 levels are read and 201 are not', () => {
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  expect(passOn(nested(200), [64])).toEqual(nested(200));
  expect(() => passOn(nested(201), [512])).toThrow('more than 200 levels at byte 200');
});

test('half a character at the end is refused', () => {
  const json = createJsonText();
  json.write(Buffer.from('"é').subarray(0, 2));
  expect(() => json.end()).toThrow('not UTF-8');
});
