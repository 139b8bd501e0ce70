import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJsonText } from '../../../src/json/raw-json.ts';
import { parseFields } from '../../../src/kit/values/key-value.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const json = (list: string[], nested = false) => JSON.stringify(parseFields(list, '--field', { nested }));

test('the first equals sign splits, and the value is kept to the character', () => {
  expect(json(['a=b=c', 'empty=', 'space=  x ', 'n=5', 'quote="'])).toBe(
    '{"a":"b=c","empty":"","space":"  x ","n":"5","quote":"\\""}',
  );
  expect(json(['a=b:=c', 'url=https://x/?a:=1'])).toBe('{"a":"b:=c","url":"https://x/?a:=1"}');
});

test(':= takes any JSON value', () => {
  expect(json(['n:=5', 'f:=-1.5e3', 'b:=true', 'z:=null', 'a:=[1,"x"]', 'o:={"k":{}}', 's:="5"', 'w:= 1 '])).toBe(
    '{"n":5,"f":-1500,"b":true,"z":null,"a":[1,"x"],"o":{"k":{}},"s":"5","w":1}',
  );
});

test('__proto__ and constructor are ordinary keys', () => {
  const list = ['__proto__=a', 'constructor=b', 'toString=c', 'hasOwnProperty=d', 'data:={"__proto__":{"x":1}}'];
  const fields = parseFields(list, '--param');
  expect(Object.getPrototypeOf(fields)).toBeNull();
  expect(JSON.stringify(fields)).toBe(
    '{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d","data":{"__proto__":{"x":1}}}',
  );
  expect(json(['__proto__.polluted=1'], true)).toBe('{"__proto__":{"polluted":"1"}}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a dot opens an object only with the nested option', () => {
  expect(json(['a.b=c', 'a.d:=1', 'e=f'])).toBe('{"a.b":"c","a.d":1,"e":"f"}');
  expect(json(['a.b=c', 'a.d:=1', 'e=f', 'a.g.h=i'], true)).toBe('{"a":{"b":"c","d":1,"g":{"h":"i"}},"e":"f"}');
});

test('a key given twice is refused', () => {
  const twice = '--field "a" is given twice. Give every key once.';
  expect(refusal(() => json(['a=1', 'a=1']))).toBe(twice);
  expect(refusal(() => json(['a=1', 'a:=1']))).toBe(twice);
  expect(refusal(() => json(['__proto__=1', '__proto__=2']))).toContain('is given twice');
  expect(refusal(() => json(['a.b=1', 'a.b=2'], true))).toContain('"a.b" is given twice');
});

test('keys that contradict each other are refused in either order', () => {
  expect(refusal(() => json(['a=1', 'a.b=2'], true))).toContain('"a.b" is both a value and an object with fields');
  expect(refusal(() => json(['a.b=2', 'a=1'], true))).toContain('"a" is both a value and an object with fields');
  expect(refusal(() => json(['a:={"x":1}', 'a.b=2'], true))).toContain('is both a value and an object');
});

test('empty keys and keys within white space are refused', () => {
  expect(refusal(() => json(['=x']))).toBe('--field has an empty key. For example: --field key=value (or key:=json)');
  expect(refusal(() => json([':=1']))).toContain('has an empty key');
  expect(refusal(() => json([' a=1']))).toContain('has white space around the key " a"');
  for (const key of ['a..b', '.a', 'a.']) {
    expect(refusal(() => json([`${key}=1`], true))).toContain(`"${key}" has an empty part between its dots`);
  }
});

test('a value is never repeated, since it may be a secret', () => {
  const secret = 'svc_CANARY_0123456789';
  expect(refusal(() => json([secret]))).toBe(
    '--field needs key=value, and there is no equals sign. For example: --field key=value (or key:=json)',
  );
  for (const list of [[`a:=${secret}`], [`a:="${secret}`], [`a=${secret}`, `a=${secret}`], [`=${secret}`]]) {
    expect(refusal(() => json(list))).not.toContain('CANARY');
  }
});

test('numbers that JavaScript would change are refused', () => {
  expect(refusal(() => json(['n:=12345678901234567891']))).toBe(
    'The value of --field "n" cannot be read as JSON: the number cannot be sent exactly. To send it as text: --field n=…',
  );
  expect(refusal(() => json(['n:={"deep":[1e999]}']))).toContain('the number cannot be sent exactly');
  expect(refusal(() => json([`n:=${'['.repeat(5_000)}`]))).toContain('nests deeper than 200 levels');
});

test('raw values stay unchanged, and must be valid JSON', () => {
  const raw = (list: string[]) => toJsonText(parseFields(list, '--field', { nested: true, raw: true }));
  expect(raw(['n:=12345678901234567890', 'a.f:=1.10', 'a.t=1.10', 'o:={"x": 1e999}', 's:="\\u0041"'])).toBe(
    '{"n":12345678901234567890,"a":{"f":1.10,"t":"1.10"},"o":{"x": 1e999},"s":"\\u0041"}',
  );
  expect(refusal(() => raw(['n:=01']))).toContain('cannot be read as JSON');
  expect(refusal(() => raw([`n:=${'['.repeat(5_000)}`]))).toContain('nests deeper than 200 levels');
});

test('fields of any keys and values come back as they were given', () => {
  const key = fc
    .string({ minLength: 1 })
    .filter((text) => text.trim() === text && !text.includes('=') && !text.endsWith(':'));
  const fields = fc.uniqueArray(fc.tuple(key, fc.string()), { selector: ([name]) => name });
  const comeBack = (list: Array<[string, string]>) => {
    const parsed = parseFields(
      list.map(([name, value]) => `${name}=${value}`),
      '--field',
    );
    return list.every(([name, value]) => parsed[name] === value) && Object.keys(parsed).length === list.length;
  };
  fc.assert(fc.property(fields, comeBack), tries(1_000, 121));
});

test('any JSON value comes back from :=', () => {
  const comesBack = (value: unknown) => {
    const text = JSON.stringify(value);
    return JSON.stringify(parseFields([`key:=${text}`], '--field')['key']) === text;
  };
  fc.assert(fc.property(fc.jsonValue(), comesBack), tries(1_000, 122));
});

test('any list of texts is fields or a usage error', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[a-c.]{0,5}:?=[0-9a-z"{}[\]]{0,6}$/));
  const isUsable = (list: string[]) => {
    const fields = acceptedBy(() => parseFields(list, '--field', { nested: true }));
    return fields === undefined || JSON.stringify(fields).startsWith('{');
  };
  fc.assert(fc.property(fc.array(text, { maxLength: 4 }), isUsable), tries(2_000, 123));
});
