import { expect, test } from 'vitest';
import { createRedactor, REDACTED } from '../../src/http/redact.ts';

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

test('text that is too short to be a secret, or broken, does no harm', () => {
  const redactor = createRedactor();
  redactor.add(undefined);
  redactor.add('');
  redactor.add('abc');
  redactor.add('\uD800broken');
  expect(redactor.redact('an abc of plain words')).toBe('an abc of plain words');
  expect(redactor.redact('x\uD800brokenx')).toBe(`x${REDACTED}x`);
});
