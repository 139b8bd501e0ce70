import { expect, test } from 'vitest';
import { parseFault, type Sandbox } from '../../../sandbox/server.ts';
import { svc } from '../../support/svc.ts';
import { visitSandbox } from '../visit.ts';

const BUY = [
  'buy',
  '--plan',
  'plan_wp_pro',
  '--network',
  'mtn',
  '--phone',
  '+237670000042',
  '--yes',
];
const RUN = ['wp', 'run', 'cache.flush', '--wait'];
const ADD = ['domains', 'add', 'kola-studio.example', '--import', '--yes'];
const AUDIT = ['domains', 'import', 'baobab-travel.example', '--audit'];

test.each<
  [
    fault: string,
    argv: readonly string[],
    exitCode: number,
    done?: keyof ReturnType<Sandbox['snapshot']>,
  ]
>([
  ['buy:status=payment_failed', BUY, 9, 'orders'],
  ['wp-run:status=failed', RUN, 9],
  ['getJob:jobId=job_other', RUN, 10, 'jobs'],
  ['restart:success=false', ['restart', '--yes'], 9, 'restarts'],
  ['domains-add:failed-record=MX', ADD, 9, 'staged'],
  ['domains-add:no-nameservers', ADD, 0, 'staged'],
  ['domains-import:missing=AAAA', AUDIT, 9],
])(
  'of %s svc makes %j exit with %i; the work is done all the same',
  async (fault, argv, exitCode, done) => {
    const { sandbox, clock } = await visitSandbox({ faults: [parseFault(fault)] });
    const { url, token, listing } = sandbox;
    const SVC_SERVICE = listing.services.find(({ kind }) => kind === 'wordpress')?.id;
    const run = await svc([...argv, '--json'], { url, token, clock, env: { SVC_SERVICE } });
    expect(run.exitCode, run.stderr).toBe(exitCode);
    if (done) expect(sandbox.snapshot()[done]).toHaveLength(1);
  },
);

const A = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };
const MX1 = { subdomain: '', type: 'MX', value: 'mx1.example.net', ttl: 300, priority: 10 };
const MX2 = { ...MX1, value: 'mx2.example.net' };
const FAILED = { status: 'failed', error: 'The record could not be staged.' };

test.each([
  ['domains-add:failed-record=mx', [A, { ...MX1, ...FAILED }, MX2]],
  ['domains-add:missing-record=MX', [A, MX2]],
])('an answer to %s is about one record', async (fault, stagedRecords) => {
  const { signedIn } = await visitSandbox({ faults: [parseFault(fault)] });
  const body = { records: [A, MX1, MX2] };
  const { status, json } = await signedIn(
    'POST',
    '/v1/services/svc_wp_7k2m9qx4/domains/a.example/import',
    body,
  );
  expect([status, json.stagedRecords, json.nameservers.length]).toEqual([200, stagedRecords, 2]);
});
