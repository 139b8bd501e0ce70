import { expect, test } from 'vitest';
import { classifyNext, LOOKS } from '../../../src/cli/define/next-kind.ts';
import { allCommands } from '../../support/commands.ts';

test('every command that only reads is a look, and none that changes something', async () => {
  const commands = [...(await allCommands()).values()];
  const reads = commands.filter(({ effect }) => effect === 'reads').map(({ path }) => path);
  const changes = commands.filter(({ effect }) => effect !== 'reads' && effect !== 'local');

  expect(reads.filter((path) => !LOOKS.includes(path))).toEqual([]);
  expect(changes.filter(({ path }) => LOOKS.includes(path))).toEqual([]);
  expect(
    commands.filter(
      ({ isDestructiveLocally, path }) => isDestructiveLocally && LOOKS.includes(path),
    ),
  ).toEqual([]);
  expect(LOOKS.filter((look) => !commands.some(({ path }) => path === look))).toEqual([]);
});

test.each([
  [['svc login'], 'sign_in'],
  [['unset SVC_TOKEN; svc login --profile work'], 'sign_in'],
  [['svc login', 'svc restart svc_1 --yes'], 'sign_in'],
  [['svc wp status job_1 --service svc_1 --wait'], 'look'],
  [['svc orgs'], 'look'],
  [['svc api --help'], 'look'],
  [['svc metrics', 'svc restart svc_1'], 'other'],
  [['svc restart svc_1 --yes'], 'other'],
  [['svc api /v1/user'], 'other'],
  [['svc domains import a.example --output a.zone'], 'other'],
  [['svc metrics; rm -r x'], 'other'],
  [['svc orders settle key'], 'other'],
] as const)('the lines %j are for: %s', (lines, kind) => {
  expect(classifyNext(lines)).toBe(kind);
});
