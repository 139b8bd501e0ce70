import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/values.ts';
import { testService } from './service.ts';
import { runUse, USES, type Use, wellAnswered } from './uses.ts';

const SECRET = 'CANARY-undocumented-secret';
/** Fields that the API document does not show: one to read, and one to hide. */
const BEYOND = { carrier: { remark: 'seen-by-people', apiSecret: SECRET } };

/** Logins print only what a person needs, and metrics draw a chart. */
const SHOWN = USES.filter(
  ({ operation: { name } }) => !/DeviceLogin$|^getMetricsHistory$/.test(name),
);

const cases = SHOWN.flatMap((use) => [
  [use.operation.name, 'beside its own fields', { ...use.good, ...BEYOND }, use] as const,
  [use.operation.name, 'beside its wrapper', { data: use.good, ...BEYOND }, use] as const,
]);

test.each(cases)(
  'people see what an answer of %s says %s, with its secret hidden',
  async (_name, _where, answer, use) => {
    const run = await answerWith(answer, use);

    expect(
      run.stdout + run.stderr,
      'show it in `human`: screen.unknownFields(unreadFields(answer, createFieldReaders(…)))',
    ).toContain('seen-by-people');
    expect(run.stdout + run.stderr).not.toContain(SECRET);
  },
);

async function answerWith(answer: JsonObject, use: Use) {
  const service = await testService();
  service.expect(wellAnswered({ ...use, good: answer }));
  return runUse(use, service);
}
