import { expect, test } from 'vitest';
import { parseFault, planFaults } from '../../../sandbox/faults.ts';
import { FAULT_EXAMPLES } from '../../../src/commands/help/topics.ts';

const STATUS = { kind: 'status', afterWork: false, error: undefined, retryAfterSeconds: undefined };
const answer = (field: object) => ({ kind: 'answer', change: { kind: 'field', ...field } });
const record = (fate: string, type: string | undefined) => ({ kind: 'answer', change: { kind: 'record', fate, type } });
const ALWAYS = { skip: 0, times: Number.POSITIVE_INFINITY };

test.each([
  ['restartService:503', ['restartService'], { ...STATUS, status: 503 }, ALWAYS],
  ['restart:503*2,retry-after=1', ['restartService'], { ...STATUS, status: 503, retryAfterSeconds: 1 }, { times: 2 }],
  ['buy:drop', ['createOrder'], { kind: 'drop', afterWork: false }, ALWAYS],
  ['wp-run:delay=1500ms', ['runAction'], { kind: 'delay', ms: 1_500 }, ALWAYS],
  ['whoami:garbage,skip=3', ['getUser'], { kind: 'garbage' }, { skip: 3 }],
  ['getJob:cut', ['getJob'], { kind: 'cut' }, ALWAYS],
  ['buy:status=payment_failed*2', ['createOrder'], answer({ name: 'status', value: 'payment_failed' }), { times: 2 }],
  ['restart:success=false', ['restartService'], answer({ name: 'success', value: false }), ALWAYS],
  ['domains-add:failed-record=mx', ['stageDomain'], record('failed', 'MX'), ALWAYS],
  ['domains-add:no-nameservers', ['stageDomain'], { kind: 'answer', change: { kind: 'no-nameservers' } }, ALWAYS],
  ['login:429', ['startDeviceLogin', 'pollDeviceLogin'], { ...STATUS, status: 429 }, ALWAYS],
  ['pollDeviceLogin:400,error=slow_down', ['pollDeviceLogin'], { ...STATUS, status: 400, error: 'slow_down' }, ALWAYS],
])('%s', (text, operations, effect, counts) => {
  expect(parseFault(text)).toEqual({ text, operations, effect, ...ALWAYS, ...counts });
});

test.each([
  ['', 'is not of the form'],
  ['restrat:503', 'names no operation "restrat"'],
  ['restart:200', 'names no effect "200"'],
  ['restart:503*0', 'at least 1'],
  ['restart:503,retry-after', 'has no option "retry-after"'],
  ['restart:503,retry-after=soon', 'not "soon"'],
  ['restart:503,skip=1,skip=2', 'has skip twice'],
  ['restart:drop,retry-after=1', 'only 400 to 599 take'],
  ['restart:success=maybe', 'names no effect'],
  ['*:failed-record=MX', 'is about records, which only stageDomain answers'],
  ['restart:delay=11m', 'longer than 10 minutes'],
])('%j is refused, and the message says why and what would be right', (text, why) => {
  const message = expect.stringContaining(why);
  const refused = { code: 'usage', message, details: { hint: expect.anything() } };
  expect(() => parseFault(text)).toThrow(expect.objectContaining(refused));
});

test('rules strike in the order given, each as often as it says', () => {
  const plan = planFaults(['restart:503*2', 'restart:drop*1', 'buy:500*1'].map(parseFault));
  const next = () => plan('restartService')?.text;
  expect([next(), next(), next(), next()]).toEqual(['restart:503*2', 'restart:503*2', 'restart:drop*1', undefined]);
  expect(plan('createOrder')?.text).toBe('buy:500*1');
});

test('the examples of svc help faults are faults', () => {
  for (const text of FAULT_EXAMPLES) expect(parseFault(text).text).toBe(text);
});
