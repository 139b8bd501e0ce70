import { expect, test } from 'vitest';
import { svc } from '../support/svc.ts';

// Options that people may know from elsewhere. svc has none of them and keeps no special word for any.
test.each<[argv: string, option: string]>([
  ['restart svc_a --force', '--force'],
  ['metrics --no-pager', '--no-pager'],
  ['buy --pending', '--pending'],
  ['sandbox start --dns-server dns', '--dns-server'],
  ['status --watch', '--watch'],
  ['restart svc_a svc_b --csv --columns item', '--columns'],
  ['wp run cache.flush --no-header', '--no-header'],
  ['metrics --prometheus', '--prometheus'],
  ['metrics --output week.svg --open', '--open'],
  ['metrics --fail-if cpu>80 --any', '--any'],
  ['metrics svc_a svc_b --sort cpu --top 3', '--top'],
  ['restart svc_a --yes --step-summary', '--step-summary'],
  ['restart svc_a svc_b --shard 1/2', '--shard'],
  ['wp run backup --service svc_a --service svc_b --wait --max-running 9', '--max-running'],
])('svc %s is a mistake of the command line', async (argv, option) => {
  const { exitCode, stdout, error } = await svc([...argv.split(' '), '--json']);
  expect({ exitCode, stdout, code: error['code'] }).toEqual({ exitCode: 2, stdout: '', code: 'usage' });
  expect(error['error']).toContain(option);
});
