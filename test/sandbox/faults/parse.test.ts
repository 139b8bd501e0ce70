import { expect, test } from 'vitest';
import { parseFault, planFaults } from '../../../sandbox/faults.ts';
import { FAULT_EXAMPLES } from '../../../src/commands/help/topics.ts';

const STATUS = { kind: 'status', afterWork: false, error: undefined, retryAfterSeconds: undefined };
const answer = (change: object) => ({ kind: 'answer', change });
const ALWAYS = { skip: 0, times: Number.POSITIVE_INFINITY };

test.each([
  [
    'restart:503*2,retry-after=1',
    ['restartService'],
    { ...STATUS, status: 503, retryAfterSeconds: 1 },
    { times: 2 },
  ],
  ['buy:drop', ['createOrder'], { kind: 'drop', afterWork: false }, {}],
  ['wp-run:delay=1500ms', ['runAction'], { kind: 'delay', ms: 1_500 }, {}],
  ['whoami:garbage,skip=3', ['getUser'], { kind: 'garbage' }, { skip: 3 }],
  [
    'restart:success=false',
    ['restartService'],
    answer({ kind: 'field', name: 'success', value: false }),
    {},
  ],
  [
    'domains-add:failed-record=mx',
    ['stageDomain'],
    answer({ kind: 'record', fate: 'failed', type: 'MX' }),
    {},
  ],
  [
    'login:400,error=slow_down',
    ['startDeviceLogin', 'pollDeviceLogin'],
    { ...STATUS, status: 400, error: 'slow_down' },
    {},
  ],
])('%s', (text, operations, effect, counts) => {
  expect(parseFault(text)).toEqual({ text, operations, effect, ...ALWAYS, ...counts });
});

test.each([
  ['', 'is not of the form'],
  ['restrat:503', '"restrat"'],
  ['restart:200', '"200"'],
  ['restart:503,retry-after=soon', '"soon"'],
  ['restart:drop,retry-after=1', 'only 400 to 599 take'],
])('%j is refused, and the message says why and what would be right', (text, why) => {
  const refused = {
    code: 'usage',
    message: expect.stringContaining(why),
    details: { hint: expect.anything() },
  };
  expect(() => parseFault(text)).toThrow(expect.objectContaining(refused));
});

test('rules strike in the order given, each as often as it says', () => {
  const plan = planFaults(['restart:503*2', 'restart:drop*1', 'buy:500*1'].map(parseFault));
  const next = () => plan('restartService')?.text;
  expect([next(), next(), next(), next()]).toEqual([
    'restart:503*2',
    'restart:503*2',
    'restart:drop*1',
    undefined,
  ]);
  expect(plan('createOrder')?.text).toBe('buy:500*1');
});

test('the examples of svc help faults are faults', () => {
  for (const text of FAULT_EXAMPLES) expect(parseFault(text).text).toBe(text);
});
