import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/values.ts';
import { against } from '../support/against.ts';

// Plausible answers, and what each command makes of them. Which words mean what, and
// where: test/api/verdict.test.ts. Many more answers: imagined.test.ts.

const A = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 3600 };
const MX = { subdomain: '', type: 'MX', value: 'mail.example.net', ttl: 3600, priority: 10 };
const NS = { subdomain: '', type: 'NS', value: 'ns1.new.example', ttl: 3600 };
const NAMESERVERS = ['ns1.new.example', 'ns2.new.example'];
const SCANNED = {
  apex: 'example.com',
  currentNameservers: NAMESERVERS,
  records: [A, MX],
  warnings: [],
};
const JOB = '/v1/services/s1/actions';
const DEPLOYMENT = 'GET /v1/services/s1/deployments/latest';
const INSPECT = 'deployments inspect latest --service s1';
const NOT_LIVE = `${INSPECT} --fail-if-not-live`;

/**
 * A line, its request, what the document shows of the answer (a row is laid over it), and stdin.
 */
const REQUESTS = {
  order: [
    'buy --plan plan_1 --network mtn --phone +237670000042 --yes',
    'POST /v1/checkout',
    { orderId: 'ord_1' },
  ],
  'change of svc api': [
    'api -X POST --input - /v1/things',
    'POST /v1/things',
    { id: 'thing_1' },
    { items: [{ a: 1 }] },
  ],
  staging: [
    'domains add example.com --service s1 --import --records - --yes',
    'POST /v1/services/s1/domains/example.com/import',
    { nameservers: NAMESERVERS, stagedRecords: [A, MX] },
    [A, MX],
  ],
  'wp run': ['wp run backup --service s1', `POST ${JOB}`, { jobId: 'j1' }],
  'wp run --wait': [
    'wp run backup --service s1 --wait-timeout 2s',
    `GET ${JOB}/j1`,
    { jobId: 'j1' },
  ],
  'wp status': ['wp status j1 --service s1', `GET ${JOB}/j1`, {}],
  restart: ['restart s1', 'POST /v1/services/s1/restart', { success: true }],
  deployment: [INSPECT, DEPLOYMENT, {}],
  'is it live': [NOT_LIVE, DEPLOYMENT, {}],
  scan: ['domains import example.com', 'POST /v1/domains/import/scan', SCANNED],
} as const;

/** The exit code, and whether people see a tick where the screen may have one. */
const ENDS = {
  done: { exit: 0, tick: true },
  open: { exit: 0, tick: false },
  failed: { exit: 9, tick: false },
  doubt: { exit: 8, tick: false },
} as const;
type Row = [
  of: keyof typeof REQUESTS,
  answer: JsonObject,
  end: keyof typeof ENDS | number,
  ...says: string[],
];

const ROWS: readonly Row[] = [
  ['order', { payment: { status: 'failed' } }, 'failed', 'ord_1'],
  [
    'order',
    { checks: { fraud: { status: 'failed' } } },
    'open',
    'ord_1',
    'Checks fraud status failed',
  ],
  ['order', { items: [{ planId: 'p', status: 'skipped' }] }, 'open', 'skipped'],
  ['order', { provision: 'error' }, 'open', 'Provision error'],
  ['order', { error: 'no funds' }, 'doubt', 'error is "no funds", but orderId is ord_1'],
  ['order', { orderId: undefined, payment: { status: 'failed' } }, 'doubt'],
  ['change of svc api', { status: 'on ice', checks: { error: 'x' } }, 0],
  ['change of svc api', { items: [{ a: 1, error: 'no such thing' }] }, 0],
  ['change of svc api', { success: false }, 9],
  ['staging', { stagedRecords: [A] }, 'failed', 'MX', 'mail.example.net'],
  ['staging', { stagedRecords: undefined }, 'doubt'],
  ['staging', { stagedRecords: [A, MX, NS] }, 'done', 'NS'],
  [
    'staging',
    { stagedRecords: [A, { ...MX, staged: false }] },
    'done',
    'staged is no: MX at example.com',
  ],
  ['staging', { stagedRecords: [A, { ...MX, status: 'failed' }] }, 'failed', 'MX'],
  [
    'staging',
    {
      stagedRecords: [
        { name: 'example.com.', type: 'A', value: '192.0.2.1' },
        { name: '@', type: 'mx', value: '10 MAIL.example.net.' },
      ],
    },
    'done',
  ],
  ['staging', { skipped: [MX] }, 'done', 'Skipped', 'The answer lists all 2 as sent.'],
  ['staging', { skipped: [{ type: 'SOA' }] }, 'done', 'SOA'],
  ['wp run', { status: 'queued', queue: { error: 'worker offline' } }, 0, 'j1', 'worker offline'],
  ['wp run --wait', { status: 'queued', completed: false, cancellable: true }, 10],
  [
    'wp run --wait',
    { status: 'completed', steps: [{ name: 'x', status: 'failed' }] },
    'done',
    'Steps',
  ],
  [
    'wp run --wait',
    { status: 'completed', skipped: 2, output: 'Error: 1 plugin failed to update' },
    'done',
  ],
  ['wp run --wait', { items: [{ status: 'completed' }] }, 10],
  ['wp run --wait', { status: 'completed', error: 'disk full' }, 'doubt', 'status is completed'],
  ['wp run --wait', { jobId: 'j2', status: 'completed' }, 10, 'j1', 'j2'],
  ['wp status', { jobId: 'j2', status: 'completed' }, 8, 'j1', 'j2'],
  ['restart', { volumes: [{ state: 'failed' }] }, 'done', 'Volumes'],
  ['restart', { success: 'false', message: 'The image is gone' }, 'failed'],
  ['restart', { hosts: Array.from({ length: 200_000 }, () => ({})) }, 'done'],
  ['deployment', { deployment: { id: 'dep_9' } }, 0, '"other_thing"'],
  [
    'is it live',
    { deployment: { id: 'latest', status: 'live', previousStatus: 'failed' }, isLive: true },
    0,
  ],
  ['is it live', { deployment: { id: 'latest', status: 'failed' }, isLive: false }, 9],
  ['is it live', { deployment: { id: 'latest', status: 'building' }, isLive: false }, 10],
  [
    'is it live',
    { deployment: { id: 'latest', isLive: true, checks: { smoke: { status: 'failed' } } } },
    0,
    'Checks smoke status failed',
  ],
  ['is it live', { deployment: { id: 'dep_9', isLive: true } }, 8, 'latest', 'dep_9'],
  ['scan', { missing: ['AAAA'], skippedTypes: ['CAA'] }, 0, 'AAAA', 'CAA'],
];

const nameOf = ([of, answer]: Row) => `${of} ${JSON.stringify(answer).slice(0, 200)}`;
test.each(ROWS.map((row) => [nameOf(row), ...row] as const))(
  '%s',
  async (_name, of, answer, end, ...says) => {
    const [line, request, good, stdin] = REQUESTS[of] as readonly [
      string,
      string,
      JsonObject,
      unknown?,
    ];
    const queued = { [`POST ${JOB}`]: [{ jobId: 'j1', status: 'queued' }] };
    const answers = { ...(of === 'wp run --wait' && queued), [request]: [{ ...good, ...answer }] };
    const run = (flags: string) =>
      against(line + flags, answers, stdin ? { stdin: JSON.stringify(stdin) } : {});
    const { exit, tick } = typeof end === 'number' ? { exit: end, tick: undefined } : ENDS[end];
    const person = await run('');
    expect(person.exitCode, person.shown).toBe(exit);
    if (tick !== undefined) expect(person.stdout.includes('✓'), person.shown).toBe(tick);
    const script = await run(' --json');
    expect(script.exitCode, script.stderr).toBe(exit);
    if (end === 'doubt') expect(script.error['outcome']).toBe('unknown');
    const read = (person.shown + script.stderr).replaceAll(/\s+/g, ' ');
    for (const text of says) expect(read).toContain(text);
  },
);
