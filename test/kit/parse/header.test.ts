import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHeaders } from '../../../src/kit/values/header.ts';
import { anyCharacter, tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const refused = (text: string) => refusal(() => parseHeaders([text], '-H'));

test('a header is a name and a value', () => {
  const headers = ['Idempotency-Key: abc', 'X-Url:https://x/?a:b', 'X-Space: \t a  b \t'];
  expect(Object.entries(parseHeaders(headers, '-H'))).toEqual([
    ['Idempotency-Key', 'abc'],
    ['X-Url', 'https://x/?a:b'],
    ['X-Space', 'a  b'],
  ]);
});

test('reserved headers are refused with a hint, in any case', () => {
  const names = [
    'Authorization',
    'COOKIE',
    'host',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Upgrade',
    'TE',
    'X-HTTP-Method',
    'X-HTTP-Method-Override',
    'x-method-override',
  ];
  for (const name of [...names, 'Proxy-Authorization', 'Keep-Alive', 'Trailer', 'Expect', 'Accept-Encoding']) {
    expect(refused(`${name}: x`)).toContain(`-H cannot set ${name}. `);
  }
  expect(refused('Authorization: Bearer svc_CANARY_1')).not.toContain('CANARY');
  expect(refused('Authorization: x')).not.toContain('Try:');
});

test('a header that could add another is refused, and its value is never repeated', () => {
  for (const text of ['X: a\r\nY: b', 'X: a\nY: b', 'X: \u00e9', 'X: a\0', 'X: svc_CANARY_1\u2028']) {
    expect(refused(text)).toBe(
      '-H "X" has a value with characters other than printable ASCII. For example: -H \'Name: value\'',
    );
  }
  for (const text of [': x', 'X Y: x', 'X : x', '\nX: x', 'X(1): x', 'é: x']) {
    expect(refused(text)).toContain('is not the name of a header');
  }
  expect(refused('svc_CANARY_1')).toBe(
    "-H needs a name and a value with a colon between them. For example: -H 'Name: value'",
  );
  expect(refused('X:  ')).toContain('-H "X" has no value');
});

test('several headers keep their names, and none is given twice', () => {
  expect(JSON.stringify(parseHeaders(['A: 1', '__proto__: 2', 'constructor: 3'], '-H'))).toBe(
    '{"A":"1","__proto__":"2","constructor":"3"}',
  );
  expect(refusal(() => parseHeaders(['X-A: 1', 'x-a: 2'], '-H'))).toContain('-H "x-a" is given twice');
});

test('any text is a header that is one line, or a usage error', () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[A-Za-z-]{1,10}: ?[ -~\r\n]{0,10}$/));
  const isOneLine = (input: string) => {
    const [header] = Object.entries(acceptedBy(() => parseHeaders([input], '-H')) ?? {});
    return header === undefined || /^[\x21-\x7e]+: [\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(header.join(': '));
  };
  fc.assert(fc.property(text, isOneLine), tries(2_000, 171));
});
