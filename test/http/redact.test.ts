import { expect, test } from 'vitest';
import { createRedactor, hideIn, REDACTED } from '../../src/service/redact.ts';

test('a known secret is hidden wherever it stands', () => {
  const redactor = createRedactor();
  redactor.add('hunter2');
  expect(redactor.redact('postgres://app:hunter2@db/x (hunter2)')).toBe(
    `postgres://app:${REDACTED}@db/x (${REDACTED})`,
  );
});

test('a secret is hidden in the spellings of URLs and JSON as well', () => {
  const redactor = createRedactor();
  redactor.add('p"ss w/rd');
  expect(redactor.redact('p"ss w/rd {"a":"p\\"ss w/rd"} ?p=p%22ss%20w%2Frd')).toBe(
    `${REDACTED} {"a":"${REDACTED}"} ?p=${REDACTED}`,
  );
});

test('everything that looks like a token is hidden, known or not', () => {
  expect(createRedactor().redact('Bearer svc_0123456789_CANARY_-ab, svc_sandbox_9.')).toBe(
    `Bearer ${REDACTED}, ${REDACTED}.`,
  );
  expect(createRedactor().redact('service svc_12 (svc_wordpress)')).toBe('service svc_12 (svc_wordpress)');
});

test('a secret within a longer secret leaves nothing of the longer one', () => {
  const redactor = createRedactor();
  redactor.add('abcd');
  redactor.add('abcdefgh');
  expect(redactor.redact('abcdefgh')).toBe(REDACTED);
});

test('too short or broken secrets change no text', () => {
  const redactor = createRedactor();
  redactor.add(undefined);
  redactor.add('');
  redactor.add('abc');
  redactor.add('\uD800broken');
  expect(redactor.redact('an abc of plain words')).toBe('an abc of plain words');
  expect(redactor.redact('x\uD800brokenx')).toBe(`x${REDACTED}x`);
});

test('a secret is hidden in every URL and form encoding', () => {
  const redactor = createRedactor();
  redactor.add('p/ss w+rd');
  for (const spelling of ['p%2Fss%20w%2Brd', 'p%2fss%20w%2brd', 'p%2Fss+w%2Brd', 'p%2fss+w%2brd']) {
    expect(redactor.redact(`?a=${spelling}&b`)).toBe(`?a=${REDACTED}&b`);
  }
});

test('in a value, texts, names and numbers are hidden, and it stays JSON', () => {
  const redactor = createRedactor();
  redactor.add('237670000042');
  redactor.add('":"tru');
  const value = {
    phone: 237670000042,
    of: ['+237670000042', 1, null, true],
    '237670000042': { a: '":"true' },
    b: 'true',
  };
  expect(hideIn(value, redactor.redact)).toEqual({
    phone: REDACTED,
    of: [`+${REDACTED}`, 1, null, true],
    [REDACTED]: { a: `${REDACTED}e` },
    b: 'true',
  });
});

test('the beginning of a secret before a cut is hidden too', () => {
  const redactor = createRedactor();
  redactor.add('DEVICE-CODE-0123456789');
  for (const cut of ['DEVICE-C…', 'x DEVICE-CODE-0123… (HTTP 400) DEVICE-CODE-0…', '…DEVICE-CODE-012345678…']) {
    expect(redactor.redact(cut)).not.toContain('DEVICE');
    expect(redactor.redact(cut)).toBe(cut.replaceAll(/DEVICE[\w-]+/g, REDACTED));
  }
  for (const whole of ['DEVICE-…', 'DEVICE-CODEX…', 'DEVICE-CODE']) expect(redactor.redact(whole)).toBe(whole);
});

test('a text of a million ellipses is redacted quickly', () => {
  const redactor = createRedactor();
  redactor.add('x'.repeat(4_000));
  const text = `${'x'.repeat(20)}y…`.repeat(40_000);
  expect(redactor.redact(text)).toBe(text);
});
