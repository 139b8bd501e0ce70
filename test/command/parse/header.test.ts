import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHeader, parseHeaders } from '../../../src/command/values/header.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const refused = (text: string) => refusal(() => parseHeader(text, '-H'));

test('a header is a name and a value', () => {
  expect(parseHeader('Idempotency-Key: abc', '-H')).toEqual({ name: 'Idempotency-Key', value: 'abc' });
  expect(parseHeader('X-Url:https://x/?a:b', '-H')).toEqual({ name: 'X-Url', value: 'https://x/?a:b' });
  expect(parseHeader('X-Space: \t a  b \t', '-H')).toEqual({ name: 'X-Space', value: 'a  b' });
});

test('headers that svc keeps to itself are refused with the way out, in any case', () => {
  const names = [
    'Authorization',
    'COOKIE',
    'host',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Upgrade',
    'TE',
  ];
  for (const name of [...names, 'Proxy-Authorization', 'Keep-Alive', 'Trailer', 'Expect', 'Accept-Encoding']) {
    expect(refused(`${name}: x`)).toContain(`-H cannot set ${name}. Try: `);
  }
  expect(refused('Authorization: Bearer svc_CANARY_1')).not.toContain('CANARY');
});

test('what could add another header is refused, and the value never repeated', () => {
  for (const text of ['X: a\r\nY: b', 'X: a\nY: b', 'X: \u00e9', 'X: a\0', 'X: svc_CANARY_1\u2028']) {
    expect(refused(text)).toBe(
      '-H "X" has a value with characters other than printable ASCII. Try: -H \'Name: value\'',
    );
  }
  for (const text of [': x', 'X Y: x', 'X : x', '\nX: x', 'X(1): x', 'é: x']) {
    expect(refused(text)).toContain('is not the name of a header');
  }
  expect(refused('svc_CANARY_1')).toBe("-H takes a name and a value with a colon between them. Try: -H 'Name: value'");
  expect(refused('X:  ')).toContain('-H "X" has no value');
});

test('several headers keep their names, and none is given twice', () => {
  expect(JSON.stringify(parseHeaders(['A: 1', '__proto__: 2', 'constructor: 3'], '-H'))).toBe(
    '{"A":"1","__proto__":"2","constructor":"3"}',
  );
  expect(refusal(() => parseHeaders(['X-A: 1', 'x-a: 2'], '-H'))).toContain('-H "x-a" is given twice');
});

test('any text is a header that is one line, or a usage error', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Za-z-]{1,10}: ?[ -~\r\n]{0,10}$/));
  const isOneLine = (input: string) => {
    const header = acceptedBy(() => parseHeader(input, '-H'));
    return (
      header === undefined ||
      /^[\x21-\x7e]+: [\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(`${header.name}: ${header.value}`)
    );
  };
  fc.assert(fc.property(text, isOneLine), tries(2_000, 171));
});
