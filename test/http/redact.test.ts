import { expect, test } from 'vitest';
import { createRedactor, redactIn, REDACTED as X } from '../../src/api/redact.ts';

function knowing(...secrets: readonly (string | undefined)[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

test.each([
  [
    'a known secret, wherever it stands',
    ['hunter2'],
    'postgres://app:hunter2@db/x (hunter2)',
    `postgres://app:${X}@db/x (${X})`,
  ],
  [
    'its spellings in JSON, URLs and forms',
    ['p"s w/d'],
    '{"a":"p\\"s w/d"} p%22s%20w%2Fd p%22s%20w%2fd p%22s+w%2Fd',
    `{"a":"${X}"} ${X} ${X} ${X}`,
  ],
  [
    'what looks like a token, known or not',
    [],
    'Bearer svc_0123456789_CANARY_-ab, svc_sandbox_9.',
    `Bearer ${X}, ${X}.`,
  ],
  ['a secret within a longer one', ['abcd', 'abcdefgh'], 'abcdefgh', X],
  [
    'the beginning of a secret before a cut',
    ['DEVICE-CODE-0123456789'],
    'x DEVICE-CODE-0123… (400) DEVICE-C… …DEVICE-CODE-012345678…',
    `x ${X}… (400) ${X}… …${X}…`,
  ],
])('%s is hidden', (_what, secrets, text, expected) => {
  expect(knowing(...secrets).redact(text)).toBe(expected);
});

test.each([
  ['words that hold a secret too short', [undefined, '', 'abc'], 'an abc of plain words'],
  ['a beginning that is too short', ['DEVICE-CODE-0123456789'], 'DEVICE-…'],
  ['a beginning that was not cut', ['DEVICE-CODE-0123456789'], 'DEVICE-CODE'],
])('%s stay as they are', (_what, secrets, text) => {
  expect(knowing(...secrets).redact(text) === text).toBe(true);
});

test('in a value, texts, names and numbers are hidden, and it stays JSON', () => {
  const number = 237670000042;
  const value = {
    phone: number,
    of: [`+${number}`, 1, null, true],
    [number]: { a: '":"true' },
    b: 'true',
  };
  const hidden = { phone: X, of: [`+${X}`, 1, null, true], [X]: { a: `${X}e` }, b: 'true' };
  expect(redactIn(value, knowing(String(number), '":"tru').redact)).toEqual(hidden);
});
