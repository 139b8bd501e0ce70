import { expect, test } from 'vitest';
import { parseFault, planFaults } from '../../../sandbox/faults.ts';
import { FAULT_EXAMPLES } from '../../../src/commands/help/topics.ts';
import { CliError } from '../../../src/errors.ts';

const STATUS = { kind: 'status', afterWork: false, error: undefined, retryAfterSeconds: undefined };
const answer = (field: object) => ({ kind: 'answer', change: { kind: 'field', ...field } });
const record = (fate: string, type: string | undefined) => ({ kind: 'answer', change: { kind: 'record', fate, type } });
const ALWAYS = { skip: 0, times: Number.POSITIVE_INFINITY };

test.each([
  ['restartService:503', ['restartService'], { ...STATUS, status: 503 }, ALWAYS],
  ['restart:503*2,retry-after=1', ['restartService'], { ...STATUS, status: 503, retryAfterSeconds: 1 }, { times: 2 }],
  ['createOrder:502-after', ['createOrder'], { ...STATUS, status: 502, afterWork: true }, ALWAYS],
  ['buy:drop', ['createOrder'], { kind: 'drop', afterWork: false }, ALWAYS],
  ['createOrder:drop-after*1', ['createOrder'], { kind: 'drop', afterWork: true }, { times: 1 }],
  ['wp-run:delay=1500ms', ['runAction'], { kind: 'delay', ms: 1_500 }, ALWAYS],
  ['wp run:delay=3s*4', ['runAction'], { kind: 'delay', ms: 3_000 }, { times: 4 }],
  ['metrics:delay=10m', ['getMetricsHistory'], { kind: 'delay', ms: 600_000 }, ALWAYS],
  ['whoami:garbage,skip=3', ['getUser'], { kind: 'garbage' }, { skip: 3 }],
  ['getJob:cut', ['getJob'], { kind: 'cut' }, ALWAYS],
  ['buy:status=payment_failed*2', ['createOrder'], answer({ name: 'status', value: 'payment_failed' }), { times: 2 }],
  ['getJob:status=finished with errors', ['getJob'], answer({ name: 'status', value: 'finished with errors' }), ALWAYS],
  ['restart:success=false', ['restartService'], answer({ name: 'success', value: false }), ALWAYS],
  ['domains-add:failed-record=mx', ['stageDomain'], record('failed', 'MX'), ALWAYS],
  ['domains-add:missing-record', ['stageDomain'], record('missing', undefined), ALWAYS],
  ['domains-add:no-nameservers', ['stageDomain'], { kind: 'answer', change: { kind: 'no-nameservers' } }, ALWAYS],
  ['login:429', ['startDeviceLogin', 'pollDeviceLogin'], { ...STATUS, status: 429 }, ALWAYS],
  ['pollDeviceLogin:400,error=slow_down', ['pollDeviceLogin'], { ...STATUS, status: 400, error: 'slow_down' }, ALWAYS],
])('%s', (text, operations, effect, counts) => {
  expect(parseFault(text)).toEqual({ text, operations, effect, ...ALWAYS, ...counts });
});

test.each([
  ['', 'is not of the form'],
  ['503', 'is not of the form'],
  ['restart:', 'is not of the form'],
  ['restrat:503', 'names no operation "restrat"'],
  [':503', 'is not of the form'],
  ['restart:200', 'names no effect "200"'],
  ['restart:600', 'names no effect "600"'],
  ['restart:explode', 'names no effect "explode"'],
  ['restart:503-before', 'names no effect'],
  ['restart:503*', 'the number after *, not ""'],
  ['restart:503*0', 'at least 1'],
  ['restart:503*-1', 'the number after *'],
  ['restart:503*two', 'not "two"'],
  ['restart:503,retry-after', 'has no option "retry-after"'],
  ['restart:503,retry-after=soon', 'not "soon"'],
  ['restart:503,retry=1', 'has no option "retry=1"'],
  ['restart:503,skip=1,skip=2', 'has skip twice'],
  ['restart:drop,retry-after=1', 'only 400 to 599 take'],
  ['restart:garbage,error=x', 'only 400 to 599 take'],
  ['restart:delay', 'names no effect'],
  ['buy:status=', 'names no effect'],
  ['restart:success=maybe', 'names no effect'],
  ['restart:sucess=false', 'names no effect'],
  ['restart:no-nameservers', 'is about records, which only stageDomain answers'],
  ['*:failed-record=MX', 'is about records, which only stageDomain answers'],
  ['buy:status=paid,error=x', 'only 400 to 599 take'],
  ['restart:delay=3', 'names no effect'],
  ['restart:delay=3h', 'names no effect'],
  ['restart:delay=11m', 'longer than 10 minutes'],
])('%j is refused, and the message says why and what would be right', (text, why) => {
  const refuse = () => parseFault(text);
  expect(refuse).toThrow(CliError);
  expect(refuse).toThrow(why);
  try {
    refuse();
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage', details: { hint: expect.anything() } });
  }
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
