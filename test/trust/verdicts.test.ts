import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/values.ts';
import { fakeClock } from '../support/clock.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { type Run, svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** A command that changes something, and an answer that says that all is well. */
interface Change {
  readonly name: string;
  readonly argv: readonly string[];
  readonly stdin?: string;
  readonly post: string;
  readonly good: JsonObject;
  /** The list of what was sent, whose elements are judged. */
  readonly collection?: string;
  /** Where the job is looked up; then the answer under test comes from there. */
  readonly job?: string;
}

const RECORDS = [
  { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 3600 },
  { subdomain: '', type: 'MX', value: 'mail.example.net', ttl: 3600, priority: 10 },
];

const CHANGES: readonly Change[] = [
  {
    name: 'an order',
    argv: [
      'buy',
      '--plan',
      'plan_1',
      '--network',
      'mtn',
      '--phone',
      '+237670000042',
      '--yes',
      '--idempotency-key',
      'k1',
    ],
    post: '/v1/checkout',
    good: { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' },
    collection: 'items',
  },
  {
    name: 'a staging',
    argv: ['domains', 'add', 'example.com', '--service', 's1', '--import', '--records', '-', '--yes'],
    stdin: JSON.stringify(RECORDS),
    post: '/v1/services/s1/domains/example.com/import',
    good: { nameservers: ['ns1.new.example', 'ns2.new.example'], stagedRecords: RECORDS },
    collection: 'stagedRecords',
  },
  {
    name: 'an action',
    argv: ['wp', 'run', 'backup', '--service', 's1'],
    post: '/v1/services/s1/actions',
    good: { jobId: 'job_1', action: 'backup' },
  },
  {
    name: 'a job that is waited for',
    argv: ['wp', 'run', 'backup', '--service', 's1', '--wait-timeout', '2s'],
    post: '/v1/services/s1/actions',
    good: { jobId: 'job_1', action: 'backup', status: 'completed' },
    job: '/v1/services/s1/actions/job_1',
  },
  { name: 'a restart', argv: ['restart', 's1'], post: '/v1/services/s1/restart', good: { success: true } },
  {
    name: 'a request of svc api',
    argv: ['api', '/v1/things', '-X', 'POST', '--input', '-'],
    stdin: '{"items":[{"a":1}]}',
    post: '/v1/things',
    good: { id: 'thing_1' },
    collection: 'items',
  },
];

/* The words and signs are written down here a second time: what src/service/verdict.ts must make of them. */

const FAILING =
  'failed failure error refused rejected declined denied cancelled canceled aborted killed dead expired timeout void insufficient'.split(
    ' ',
  );
const COMBINED = [
  'payment_failed',
  'finished with errors',
  'partial',
  'partially completed',
  'timed out',
  'done but failed',
];
const UNKNOWN = ['skipped', 'on ice', 'not failed', 'nonsense', 'unsuccessful', '42', 'étrange'];

const spelled = fc.constantFrom<(word: string) => string>(
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.replaceAll(/[_ ]/g, '-'),
  (word) => word.replaceAll(/[_ ]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (word) => `order_${word}`,
);

type Sign = { readonly kind: 'failing' | 'unknown' | 'harmless'; readonly fields: JsonObject };

const words = (list: readonly string[]) =>
  fc.tuple(fc.constantFrom(...list), spelled).map(([word, spell]) => spell(word));
const statusName = fc.constantFrom('status', 'state', 'paymentStatus');

const anySign: fc.Arbitrary<Sign> = fc.oneof(
  fc
    .tuple(statusName, words([...FAILING, ...COMBINED]))
    .map(([name, word]) => ({ kind: 'failing' as const, fields: { [name]: word } })),
  fc
    .constantFrom('success', 'ok')
    .chain((name) =>
      fc.constantFrom(false, 'false', 'no').map((no) => ({ kind: 'failing' as const, fields: { [name]: no } })),
    ),
  fc
    .tuple(
      fc.constantFrom('error', 'errors', 'failed', 'rejected'),
      fc.constantFrom('disk full', ['no'], { field: ['is wrong'] }, true, 3),
    )
    .map(([name, complaint]) => ({ kind: 'failing' as const, fields: { [name]: complaint } })),
  fc
    .tuple(fc.constantFrom('status', 'state'), fc.constantFrom(...UNKNOWN))
    .map(([name, word]) => ({ kind: 'unknown' as const, fields: { [name]: word } })),
  fc
    .tuple(
      fc.constantFrom('error', 'errors', 'failed', 'rejected'),
      fc.constantFrom(null, false, 0, '', [], {}, 'none'),
    )
    .map(([name, nothing]) => ({ kind: 'harmless' as const, fields: { [name]: nothing } })),
  fc.constant({ kind: 'harmless' as const, fields: { history: [{ status: 'failed' }], previousStatus: 'failed' } }),
);

type Place = 'top' | 'data' | 'element';

/** Puts a sign into an answer: at its top, into what wraps it, or into an element of what was sent. */
function signed({ good, collection }: Change, sign: Sign, place: Place): JsonObject {
  if (place === 'data') return { ...good, data: { ...sign.fields } };
  if (place === 'top' || collection === undefined) return { ...good, ...sign.fields };
  const elements = Array.isArray(good[collection]) ? good[collection] : [{ planId: 'plan_1' }];
  return {
    ...good,
    [collection]: elements.map((element, index) =>
      index === elements.length - 1 ? { ...element, ...sign.fields } : element,
    ),
  };
}

async function run(change: Change, answer: JsonObject, flags: readonly string[]): Promise<Run> {
  const wire = await testWire();
  wire.on('POST', change.post).always(200, change.job === undefined ? answer : { jobId: 'job_1', status: 'queued' });
  if (change.job !== undefined) wire.on('GET', change.job).always(200, answer);
  const stdin = change.stdin === undefined ? {} : { stdin: change.stdin };
  return svc([...change.argv, ...flags], { url: wire.url, clock: fakeClock(), ...stdin });
}

test.each(CHANGES)('$name: what an answer says of itself decides, wherever it says it', async (change) => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anySign, fc.constantFrom<Place>('top', 'data', 'element'), async (sign, place) => {
      const answer = signed(change, sign, place);
      const [person, script] = [await run(change, answer, []), await run(change, answer, ['--json'])];
      count += 1;
      expect(script.json, 'the answer reaches the script').toEqual(answer);
      expect(script.exitCode).toBe(person.exitCode);
      if (sign.kind === 'failing') expect(person.exitCode, 'the answer says failed').toBe(9);
      // A restart says `success: true` besides: that is documented, and decides.
      const isSure = sign.kind === 'harmless' || change.good['success'] === true || change.name.includes('api');
      if (!isSure) expect(person.stdout, 'a tick only for what the answer says').not.toContain('✓');
      if (sign.kind === 'harmless') expect(person.exitCode, person.stderr).toBe(0);
    }),
    tries(600, 71001 + CHANGES.indexOf(change)),
  );
  figure('Verdicts', count);
});
