import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/values.ts';
import { against } from '../support/against.ts';

// Plausible answers, and what must come of each: a list that people wrote, because a generator knows only what its author
// calls harmless. What it knows is in verdicts.test.ts.

const A = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 3600 };
const MX = { subdomain: '', type: 'MX', value: 'mail.example.net', ttl: 3600, priority: 10 };
const NS = { subdomain: '', type: 'NS', value: 'ns1.new.example', ttl: 3600 };
const SOA = { subdomain: '', type: 'SOA', value: 'ns1.new.example. hostmaster.new.example. 1 2 3 4 5', ttl: 3600 };
const NAMESERVERS = ['ns1.new.example', 'ns2.new.example'];

/** A line, its request, what the document shows of the answer (a row is laid over it), and stdin. */
type Request = readonly [line: string, request: string, rest: JsonObject, stdin?: readonly object[] | object];

const ORDER = 'buy --plan plan_1 --network mtn --phone +237670000042 --yes';
const ORDERED = { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' };
const STAGING = 'domains add example.com --service s1 --import --records - --yes';
const STAGED = { nameservers: NAMESERVERS, stagedRecords: [A, MX] };
const SCANNED = { apex: 'example.com', currentNameservers: NAMESERVERS, records: [A, MX], warnings: [] };
const ACTIONS = '/v1/services/s1/actions';
const DEPLOYMENT = 'GET /v1/services/s1/deployments/latest';
const INSPECT = 'deployments inspect latest --service s1';
const POSTING = 'api -X POST --input -';

const REQUESTS = {
  order: [ORDER, 'POST /v1/checkout', ORDERED],
  'order without an id': [ORDER, 'POST /v1/checkout', {}],
  'order of svc api': [`${POSTING} --yes /v1/checkout`, 'POST /v1/checkout', {}, { items: [{ planId: 'plan_1' }] }],
  'change of svc api': [`${POSTING} /v1/things`, 'POST /v1/things', { id: 'thing_1' }, { items: [{ a: 1 }] }],
  staging: [STAGING, 'POST /v1/services/s1/domains/example.com/import', STAGED, [A, MX]],
  'wp run': ['wp run backup --service s1', `POST ${ACTIONS}`, { jobId: 'j1' }],
  'wp run --wait': ['wp run backup --service s1 --wait-timeout 2s', `GET ${ACTIONS}/j1`, { jobId: 'j1' }],
  'wp status': ['wp status j1 --service s1', `GET ${ACTIONS}/j1`, {}],
  'wp status --wait': ['wp status j1 --service s1 --wait-timeout 2s', `GET ${ACTIONS}/j1`, {}],
  restart: ['restart s1', 'POST /v1/services/s1/restart', { success: true }],
  deployment: [INSPECT, DEPLOYMENT, {}],
  'deployment --fail-if-not-live': [`${INSPECT} --fail-if-not-live`, DEPLOYMENT, {}],
  scan: ['domains import example.com', 'POST /v1/domains/import/scan', SCANNED],
  'scan --audit': ['domains import example.com --audit', 'POST /v1/domains/import/scan', SCANNED],
  user: ['whoami', 'GET /v1/user', { user: { email: 'marie@example.com' } }],
  database: ['db inspect db_1', 'GET /v1/databases/db_1', {}],
  'database --env': ['db inspect db_1 --env', 'GET /v1/databases/db_1', {}],
  autopay: ['billing autopay', 'GET /v1/billing/autopay', {}],
} as const satisfies Record<string, Request>;

interface Wanted {
  readonly exit: number;
  /** Undefined where the screen of the command has none in any case. */
  readonly tick?: boolean;
  /** Codes of warnings on stderr with `--json`. */
  readonly warns?: readonly string[];
  /** What people read, on either stream. */
  readonly says?: readonly string[];
  readonly outcome?: 'unknown';
  /** HTTP status; 200 unless given. */
  readonly status?: number;
}

type Row = readonly [of: keyof typeof REQUESTS, answer: JsonObject, wanted: Wanted];

const DONE: Wanted = { exit: 0, tick: true };
const OPEN: Wanted = { exit: 0, tick: false };
const FAILED: Wanted = { exit: 9, tick: false };
const DOUBT: Wanted = { exit: 8, tick: false, outcome: 'unknown' };

/* biome-ignore format: a row a line */
const ROWS: readonly Row[] = [
  ['order', { paid: false }, OPEN],
  ['order', { payment: { status: 'prompt_sent' } }, { ...OPEN, warns: ['unknown_status'] }],
  ['order', { payment: { status: 'failed' } }, { ...FAILED, says: ['ord_1'] }],
  ['order', { items: [{ status: 'provisioned' }, { status: 'registering' }] }, { ...OPEN, warns: ['unknown_status'] }],
  ['order', { plan: { cancelAtPeriodEnd: true, refundable: false } }, DONE],
  ['order', { accepted: true, completed: false }, OPEN],
  ['order', { payment: 'failed' }, { ...FAILED, says: ['ord_1'] }],
  ['order', { checks: { fraud: { status: 'failed' } } }, { ...DOUBT, says: ['ord_1', 'checks.fraud.status'] }],
  ['order without an id', { error: 'declined' }, { ...DOUBT, status: 202, says: ['declined'] }],
  ['order', { message: 'Payment failed: insufficient funds' }, { ...DONE, says: ['Payment failed: insufficient funds'] }],
  ['staging', { stagedRecords: [A, MX].map((one) => ({ ...one, valid: false, verified: false, status: 'pending_nameservers' })) }, OPEN],
  ['staging', { failedRecords: [MX] }, { ...FAILED, says: ['MX'] }],
  ['staging', { stagedRecords: [A] }, { ...FAILED, says: ['MX', 'mail.example.net'] }],
  ['staging', { stagedRecords: ['rec_1', 'rec_2'] }, { ...OPEN, warns: ['staged_not_compared'] }],
  ['staging', { stagedRecords: undefined }, DOUBT],
  ['staging', { stagedRecords: [A, MX, NS, SOA] }, { ...DONE, says: ['NS', 'SOA'] }],
  ['staging', { skipped: [MX] }, { ...FAILED, says: ['MX'] }],
  ['staging', { skipped: [{ type: 'SOA' }] }, { ...DONE, says: ['SOA'] }],
  ['wp run', { status: 'queued', completed: false, cancellable: true }, { exit: 0 }],
  ['wp run --wait', { status: 'queued', completed: false, cancellable: true }, { exit: 10, tick: false }],
  ['wp run --wait', { status: 'completed', steps: [{ name: 'x', status: 'failed' }] }, { ...DOUBT, says: ['steps[0].status'] }],
  ['wp run --wait', { jobId: 42, uuid: 'j1', status: 'completed' }, DONE],
  ['wp run --wait', { items: [{ status: 'completed' }] }, DONE],
  ['restart', { volumes: [{ state: 'failed' }] }, { ...DOUBT, says: ['volumes[0].state'] }],
  ['deployment', { deployment: { id: 'latest', status: 'failed', error: 'build' } }, { exit: 0 }],
  ['deployment', { deployment: { id: 'dep_9' } }, { exit: 0, warns: ['other_thing'] }],
  ['scan', { missing: ['AAAA'], skippedTypes: ['CAA'] }, { exit: 0, says: ['AAAA', 'CAA'] }],
  ['scan', { records: undefined, data: { records: [A, MX] } }, { exit: 0, says: ['192.0.2.1', 'mail.example.net'] }],
  ['scan --audit', { missing: ['AAAA'], skippedTypes: ['CAA'] }, { exit: 9 }],
  ['user', { organization: { id: 'org_1', subscription: { status: 'cancelled' } } }, { exit: 0 }],
  ['database', { database: { name: 'bookings' } }, { exit: 0, warns: [] }],
  ['database', { database: { id: 'db_1' }, ssl: { rejectUnauthorized: true }, missingIndexes: ['x'] }, { exit: 0, warns: [] }],
  ['autopay', { enabled: false, failedAttempts: 2 }, { exit: 0 }],
  // Rule 3, where the table has no row.
  ['wp status', { jobId: 'j2', status: 'completed' }, { exit: 8, says: ['j1', 'j2'] }],
  ['wp status --wait', { jobId: 'j2', status: 'completed' }, { exit: 10, says: ['j1'] }],
  ['wp run --wait', { jobId: 'j2', status: 'completed' }, { exit: 10, says: ['j1', 'j2'] }],
  ['deployment --fail-if-not-live', { deployment: { id: 'dep_9', isLive: true } }, { exit: 8, says: ['latest', 'dep_9'] }],
  ['database --env', { database: { id: 'db_2' }, connectionUrl: 'postgres://u:p@h/d' }, { exit: 8, says: ['db_1', 'db_2'] }],
  ['deployment --fail-if-not-live', { deployment: { id: 'latest', isLive: true, checks: { smoke: { status: 'failed' } } } }, { exit: 12, says: ['checks.smoke.status'] }],
  // Harmless.
  ['wp run --wait', { status: 'completed', skipped: 2, lostLinks: 3 }, DONE],
  // Troubled.
  ['order', { items: [{ planId: 'p', status: 'skipped' }] }, FAILED],
  ['staging', { stagedRecords: [A, { ...MX, staged: false }] }, { ...FAILED, says: ['MX'] }],
  ['staging', { stagedCount: 1 }, OPEN],
  // What payment providers, DNS services, job runners and deployment platforms answer: harmless.
  ['order', { payment: { status: 'PENDING', financialTransactionId: '23503452', reason: null }, externalId: '947354' }, { ...OPEN, warns: [] }],
  ['order', { code: '201', description: 'Transaction created', data: { payment_token: 'f57', payment_url: 'https://pay.example/f57' } }, DONE],
  ['order', { transaction: { status: 'processing', last_payment_error: null, canceled_at: null, failure_code: null, paid: false } }, { ...OPEN, warns: [] }],
  ['order', { warnings: ['The phone number has not been verified'], notices: [] }, DONE],
  ['staging', { stagedRecords: [{ name: 'example.com.', type: 'A', value: '192.0.2.1' }, { name: '@', type: 'mx', value: '10 MAIL.example.net.' }] }, DONE],
  ['staging', { stagedRecords: [{ ...A, ttl: 300, error: '' }, { ...MX, conflict: null, rejectedAt: null }], unsupported: ['DNSKEY'] }, DONE],
  ['staging', { status: 'pending_verification', verified: false }, { ...OPEN, warns: [] }],
  ['wp run --wait', { status: 'completed', output: 'Error: 1 plugin failed to update', stderr: 'PHP Fatal error' }, DONE],
  ['wp run --wait', { state: 'completed', failedReason: null, attemptsMade: 1, stacktrace: [], opts: { removeOnFail: true } }, DONE],
  ['change of svc api', { status: 'on ice', checks: { error: 'x' } }, { exit: 0 }],
  ['restart', { conditions: [{ type: 'Progressing', status: 'True' }, { type: 'ReplicaFailure', status: 'False' }] }, DONE],
  ['restart', { hosts: Array.from({ length: 200_000 }, () => ({})) }, DONE],
  ['deployment --fail-if-not-live', { deployment: { id: 'latest', status: 'live', previousStatus: 'failed', build: { warnings: 3 } }, isLive: true }, { exit: 0 }],
  // The same: troubled.
  ['order', { items: [{ planId: 'p', applied: false }] }, FAILED],
  ['order', { skippedItems: [{ planId: 'p' }] }, FAILED],
  ['order', { missing: ['label'] }, FAILED],
  ['order', { provision: 'error' }, FAILED],
  ['order without an id', { payment: { status: 'failed' } }, DOUBT],
  ['staging', { stagedRecords: [A, { ...MX, status: 'invalid' }] }, { ...FAILED, says: ['MX'] }],
  ['staging', { stagedRecords: [A, { ...MX, value: 'mail.example.org' }] }, { ...FAILED, says: ['MX', 'mail.example.net'] }],
  ['staging', { zone: { errors: ['serial mismatch'] } }, { ...DOUBT, says: ['zone.errors'] }],
  ['staging', { conflicts: [{ ...A, with: '192.0.2.9' }] }, { ...FAILED, says: ['A'] }],
  ['wp run --wait', { status: 'failed', error: 'disk full' }, { ...FAILED, says: ['did not succeed'] }],
  ['order of svc api', { error: 'declined' }, DOUBT],
  ['change of svc api', { items: [{ a: 1, error: 'no such thing' }] }, { exit: 9 }],
  ['order of svc api', { order: { orderId: 'ord_1', status: 'declined' } }, FAILED],
  ['wp run', { status: 'failed', error: 'disk full' }, { ...FAILED, says: ['did not succeed'] }],
  ['wp run', { queue: { error: 'worker offline' } }, { ...DOUBT, says: ['j1', 'queue.error'] }],
  ['restart', { status: 'failed' }, FAILED],
  ['restart', { success: 'false', message: 'The image is gone' }, FAILED],
  ['deployment --fail-if-not-live', { deployment: { id: 'latest', status: 'failed' }, isLive: false }, { exit: 9 }],
  ['deployment --fail-if-not-live', { deployment: { id: 'latest', errorMessage: 'Build failed' }, isLive: true }, { exit: 9 }],
  ['deployment --fail-if-not-live', { deployment: { id: 'latest', status: 'superseded' } }, { exit: 12 }],
  ['deployment --fail-if-not-live', { deployment: { id: 'latest', status: 'building' }, isLive: false }, { exit: 10 }],
  ['deployment --fail-if-not-live', { deployment: { id: 'latest', isLive: true }, isLive: false }, { exit: 12 }],
];

function run(of: keyof typeof REQUESTS, answer: JsonObject, status: number, flags: string) {
  const [line, request, rest, stdin]: Request = REQUESTS[of];
  const queued = { [`POST ${ACTIONS}`]: [[202, { jobId: 'j1', status: 'queued' }] as const] };
  const answers = { ...(of === 'wp run --wait' && queued), [request]: [[status, { ...rest, ...answer }] as const] };
  return against(line + flags, answers, stdin === undefined ? {} : { stdin: JSON.stringify(stdin) });
}

const nameOf = ([of, answer]: Row) => `${of} ${JSON.stringify(answer).slice(0, 200)}`;
test.each(ROWS.map((row) => [nameOf(row), ...row] as const))('%s', async (_name, of, answer, wanted) => {
  const person = await run(of, answer, wanted.status ?? 200, '');
  expect(person.exitCode, person.shown).toBe(wanted.exit);
  if (wanted.tick !== undefined) expect(person.stdout.includes('✓'), person.shown).toBe(wanted.tick);
  const read = `${person.stdout}\n${person.stderr}`.replaceAll(/\s+/g, ' ');
  for (const text of wanted.says ?? []) expect(read).toContain(text);
  if (of === 'database --env') return;
  const script = await run(of, answer, wanted.status ?? 200, ' --json');
  expect(script.exitCode, script.stderr).toBe(wanted.exit);
  const lines = script.stderr.split('\n').filter((line) => line.startsWith('{'));
  const printed = lines.map((line): JsonObject => JSON.parse(line));
  if (wanted.outcome !== undefined) expect(printed.at(-1)).toMatchObject({ outcome: wanted.outcome });
  const warned = printed.flatMap(({ warning, code }) => (warning === undefined ? [] : [code]));
  if (wanted.warns !== undefined) expect(warned).toEqual(wanted.warns);
});
