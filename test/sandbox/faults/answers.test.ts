import { describe, expect, test } from 'vitest';
import { parseFault } from '../../../sandbox/server.ts';
import { svc } from '../../support/svc.ts';
import { visitSandbox } from '../visit.ts';

const BUY = ['buy', '--plan', 'plan_wp_pro', '--network', 'mtn', '--phone', '+237670000042', '--yes'];
const RUN = ['wp', 'run', 'cache.flush', '--wait'];
const ADD = ['domains', 'add', 'kola-studio.example', '--import', '--yes'];
const AUDIT = ['domains', 'import', 'baobab-travel.example', '--audit'];
const RESTART = ['restart', '--yes'];

/** Runs svc with `--json` against a sandbox with a fault. */
async function rehearse(fault: string, argv: readonly string[]) {
  const { sandbox, clock } = await visitSandbox({ faults: [parseFault(fault)] });
  const { url, token, listing } = sandbox;
  const SVC_SERVICE = listing.services.find(({ kind }) => kind === 'wordpress')?.id;
  const run = await svc([...argv, '--json'], { url, token, clock, env: { SVC_SERVICE } });
  return { run, sandbox };
}

describe('svc is given', () => {
  test.each<[fault: string, argv: readonly string[], exitCode: number, said: string]>([
    ['buy:status=payment_failed', BUY, 9, 'Order ord_'],
    ['buy:status=on_the_moon', BUY, 0, ''],
    ['wp-run:status=failed', RUN, 9, 'failed'],
    ['getJob:status=finished with errors', RUN, 9, 'finished with errors'],
    ['restart:success=false', RESTART, 9, 'restart'],
    ['domains-add:failed-record=MX', ADD, 9, 'MX'],
    ['domains-add:missing-record', ADD, 9, '1'],
    ['buy:payment=failed', BUY, 9, 'Order ord_'],
    ['getJob:jobId=job_other', RUN, 10, 'job_'],
    ['domains-add:failedRecords=MX', ADD, 9, 'MX'],
    ['domains-import:missing=AAAA', AUDIT, 9, 'what the scan left out'],
  ])('%s, and %j ends with %i', async (fault, argv, exitCode, said) => {
    const { run } = await rehearse(fault, argv);
    expect(run.exitCode, run.stderr).toBe(exitCode);
    if (exitCode !== 0) expect(run.error['error']).toContain(said);
  });
});

test('the work is done all the same', async () => {
  const bought = await rehearse('buy:status=payment_failed', BUY);
  expect(bought.sandbox.snapshot().orders).toHaveLength(1);
  const staged = await rehearse('domains-add:no-nameservers', ADD);
  expect(staged.sandbox.snapshot().staged).toHaveLength(1);
  const restarted = await rehearse('restart:success=false', RESTART);
  expect(restarted.sandbox.snapshot().restarts).toHaveLength(1);
});

describe('an answer', () => {
  const RECORDS = [
    { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
    { subdomain: '', type: 'MX', value: 'mx1.example.net', ttl: 300, priority: 10 },
    { subdomain: '', type: 'MX', value: 'mx2.example.net', ttl: 300, priority: 20 },
  ];
  const stage = async (fault: string, records: readonly object[] = RECORDS) => {
    const { signedIn } = await visitSandbox({ faults: [parseFault(fault)] });
    return signedIn('POST', '/v1/services/svc_wp_7k2m9qx4/domains/a.example/import', { records });
  };
  const [a, mx1, mx2] = RECORDS;
  const failed = { status: 'failed', error: 'The record could not be staged.' };

  test.each([
    ['domains-add:failed-record=mx', [a, { ...mx1, ...failed }, mx2]],
    ['domains-add:failed-record', [{ ...a, ...failed }, mx1, mx2]],
    ['domains-add:missing-record=MX', [a, mx2]],
    ['domains-add:failed-record=CAA', RECORDS],
  ])('to %s is about one record', async (fault, stagedRecords) => {
    const { status, json } = await stage(fault);
    expect([status, json.stagedRecords, json.nameservers.length]).toEqual([200, stagedRecords, 2]);
  });
});
