import { expect, test } from 'vitest';
import { waysToTrust } from '../../src/service/failures.ts';

const SYSTEM = /^set NODE_USE_SYSTEM_CA=1 if your system trusts it; otherwise set NODE_EXTRA_CA_CERTS=<file>$/;
const FILE = /^set NODE_EXTRA_CA_CERTS=<file>$/;

test.each([
  ['node', '20.19.0', FILE],
  ['node', '22.9.0', FILE],
  ['node', '22.18.0', FILE],
  ['node', '22.19.0', SYSTEM],
  ['node', '22.23.3', SYSTEM],
  ['node', '23.11.1', FILE],
  ['node', '24.5.0', FILE],
  ['node', '24.6.0', SYSTEM],
  ['node', '24.21.0', SYSTEM],
  ['node', '25.0.0', SYSTEM],
  ['node', '26.10.0', SYSTEM],
  ['bun', '1.4.5', /^add it to those of your system, or set NODE_EXTRA_CA_CERTS=<file>$/],
] as const)('%s %s is told how to trust an authority', (name, version, said) => {
  expect(waysToTrust({ name, version })).toMatch(said);
});
