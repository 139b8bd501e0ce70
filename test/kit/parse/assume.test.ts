import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAssume } from '../../../src/kit/config-file.ts';
import { ASSUMPTIONS } from '../../../src/spec/assumptions.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const assume = (text: string) => Object.fromEntries(parseAssume(text));

test('names and values are read, in any order', () => {
  expect(assume('metrics.start=from,metrics.end=to')).toEqual({ 'metrics.start': 'from', 'metrics.end': 'to' });
  expect(assume(' metrics.step = bucket , job.done=ok done')).toEqual({
    'metrics.step': 'bucket',
    'job.done': 'ok done',
  });
  expect(assume('job.path=/v1/jobs/{jobId}')).toEqual({ 'job.path': '/v1/jobs/{jobId}' });
  expect(assume('metrics.points=a=b')).toEqual({ 'metrics.points': 'a=b' });
  expect(assume(String.raw`metrics.points=a\,b`)).toEqual({ 'metrics.points': 'a,b' });
});

test('blank text assumes nothing else', () => {
  expect(assume('')).toEqual({});
  expect(assume('  ')).toEqual({});
});

test('the error for an unknown name lists all names and suggests one', () => {
  const names = ASSUMPTIONS.map(({ name }) => name).join(', ');
  expect(refusal(() => assume('metrics.stat=x'))).toBe(
    `SVC_ASSUME "metrics.stat" is not something svc assumes: ${names}. Did you mean metrics.start?`,
  );
  expect(refusal(() => assume('weather=x'))).toContain('Try: svc help assumptions');
  expect(refusal(() => assume('__proto__=x'))).toContain('is not something svc assumes');
});

test('an invalid value is refused', () => {
  expect(refusal(() => assume('metrics.start'))).toContain('"metrics.start" has no equals sign');
  expect(refusal(() => assume('metrics.start='))).toBe(
    'SVC_ASSUME has no value for metrics.start. For example: metrics.start=start',
  );
  expect(assume('metrics.points=')).toEqual({ 'metrics.points': '' });
  expect(refusal(() => assume('job.path=v1/jobs'))).toContain('is not a path');
  expect(refusal(() => assume('job.path=https://evil.example/{jobId}'))).toContain('is not a path');
  expect(refusal(() => assume('metrics.end=a\nb'))).toContain('has a control character');
  expect(refusal(() => assume('metrics.end=a,metrics.end=a'))).toContain('has metrics.end twice');
  expect(refusal(() => assume('metrics.end=a,'))).toContain('"" has no equals sign');
});

test('any text is a set of known names or a usage error', () => {
  const name = fc.constantFrom(...ASSUMPTIONS.map((assumption) => assumption.name), 'x', '');
  const near = fc
    .array(fc.tuple(name, fc.stringMatching(/^[a-z/,\\ ]{0,6}$/)))
    .map((pairs) => pairs.map((pair) => pair.join('=')).join(','));
  const isUsable = (input: string) => acceptedBy(() => parseAssume(input))?.size !== -1;
  fc.assert(fc.property(fc.oneof(fc.string(), near), isUsable), tries(1_000, 181));
});
