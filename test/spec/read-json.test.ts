import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault, readUserJson } from '../../src/json/user-json.ts';
import { tries } from '../support/property.ts';
import { refusal } from '../support/refusal.ts';

test('a fault is named with its line and column', () => {
  const cases: Array<[text: string, says: string]> = [
    ['', 'it ends early; a value is expected (line 1, column 1)'],
    ['{\n  "a": 1,\n}', 'a name in double quotes is expected (line 3, column 1)'],
    ['[1, 2,]', 'a value is expected (line 1, column 7)'],
    ['[1 2]', 'a comma or the closing bracket is expected (line 1, column 4)'],
    ['[1}', 'a comma or the closing bracket is expected (line 1, column 3)'],
    ['{"a" 1}', 'a colon is expected (line 1, column 6)'],
    ["{'a': 1}", `"'" is not JSON (line 1, column 2)`],
    ['{} {}', 'nothing more is expected (line 1, column 4)'],
    ['{"a": "b', 'a string is not closed (line 1, column 7)'],
    ['["a\nb"]', 'a string contains a line break or another control character (line 1, column 4)'],
    ['["\\x"]', 'a string contains an escape that JSON does not have (line 1, column 3)'],
    ['[01]', '"0" is not JSON (line 1, column 2)'],
    ['[nul]', '"n" is not JSON (line 1, column 2)'],
    ['{"a": 1, "b": {"a": 1}, "a": 2}', 'the name "a" is there twice (line 1, column 25)'],
    ['[{"a": 1}, {"a": 1,\n"\\u0061": 2}]', 'the name "\\u0061" is there twice (line 2, column 1)'],
    ['[😀]', '"😀" is not JSON (line 1, column 2)'],
  ];
  for (const [text, says] of cases) {
    expect(refusal(() => readUserJson(text, 'The plan'))).toContain(`The plan cannot be read as JSON: ${says}`);
  }
});

test('objects side by side and within each other may have the same names', () => {
  const text = '{"a":{"a":1,"__proto__":2},"b":[{"a":1},{"a":2}],"__proto__":3}';
  expect(findJsonFault(text)).toBeUndefined();
});

test('too deep nesting is refused before recursive code runs', () => {
  expect(readUserJson(`${'['.repeat(200)}${']'.repeat(200)}`, 'x')).toHaveLength(1);
  expect(refusal(() => readUserJson('['.repeat(1_000_000), 'x'))).toContain('it nests deeper than 200 levels');
});

test('a string of megabytes is read', () => {
  const long = 'ä"\\\n'.repeat(500_000);
  expect(readUserJson(JSON.stringify([long]), 'x')).toEqual([long]);
});

test('numbers that cannot be sent exactly are faults with exactNumbers', () => {
  for (const text of ['9007199254740993', '1e400', '-1e400', '12345678901234567891']) {
    expect(findJsonFault(text)).toBeUndefined();
    expect(findJsonFault(text, true)?.reason).toBe('the number cannot be sent exactly');
  }
  for (const text of ['9007199254740992', '0.1', '1e21', '1000000000000000000000', '-0', '5e-324']) {
    expect(findJsonFault(text, true)).toBeUndefined();
  }
});

test('svc and JSON.parse agree on every text', () => {
  const broken = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '\\', '{', ']', '0', '.', 'e', '\n', '\u00a0', '-', ':', 'tru'),
    )
    .map(
      ([text, at, piece]) =>
        text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + (at % 3)),
    );
  const agree = (text: string) => {
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    const fault = findJsonFault(text);
    return fault?.reason.endsWith('is there twice') || isJson === (fault === undefined);
  };
  fc.assert(fc.property(fc.oneof(fc.json(), broken, fc.string()), agree), tries(3_000, 301));
});
