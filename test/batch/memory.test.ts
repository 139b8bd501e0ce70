import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXECUTABLE, preloading } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { countingService, FINE, GONE, idsOf, programOn } from './counting-service.ts';

const COUNT = 2_000;
/** By then, svc and Node have loaded and compiled nearly all that they need for any number. */
const FIRST_COUNT = 400;
/** An item that kept its error, with causes and stacks, would keep 6 KB. */
const MOST_KB = 2;

/**
 * A script that svc loads: at each SIGUSR2 it writes down how many bytes svc keeps. They are
 * counted after a collection, because how much garbage lies there hangs on the machine and on the
 * version of Node.
 */
const PROBE = `
  require('node:v8').setFlagsFromString('--expose-gc');
  const collect = require('node:vm').runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    require('node:fs').appendFileSync(__filename + '.kept', heapUsed + external + '\\n');
  });
`;

// Executables load no file.
test.skipIf(EXECUTABLE !== undefined).each([
  ['was carried out', FINE, 0],
  ['failed', GONE, 6],
])(`a restart that %s keeps at most ${MOST_KB} KB of memory`, async (_how, deed, expectedExit) => {
  const probe = await createProbe();
  let pid = 0;
  let requests = 0;
  let measured = Promise.resolve();
  const service = await countingService(() => {
    requests += 1;
    if (requests === FIRST_COUNT || requests === COUNT) measured = probe.measure(pid);
    // Nothing is answered while svc counts.
    return { ...deed, after: measured };
  });
  const program = await programOn(service, idsOf(COUNT), preloading(probe.script));
  const argv = 'restart --services list.txt --log run.ndjson --yes --json --concurrency 8'.split(
    ' ',
  );

  const { stderr, exitCode } = await program.run(argv, (child) => (pid = child.pid ?? 0));

  expect(exitCode, stderr).toBe(expectedExit);
  expect(service.requests()).toBe(COUNT);
  const [firstBytes = 0, lastBytes = Number.POSITIVE_INFINITY] = probe.readKept();
  expect(firstBytes).toBeGreaterThan(1_000_000);
  expect((lastBytes - firstBytes) / 1000 / (COUNT - FIRST_COUNT)).toBeLessThan(MOST_KB);
});

async function createProbe() {
  const script = join(await temporaryFolder(), 'probe.cjs');
  await writeFile(script, PROBE);
  const output = `${script}.kept`;
  const readKept = () =>
    existsSync(output) ? readFileSync(output, 'utf8').trim().split('\n').map(Number) : [];
  return {
    script,
    /** The bytes that were kept, by measurement. */
    readKept,
    async measure(pid: number): Promise<void> {
      const count = readKept().length + 1;
      process.kill(pid, 'SIGUSR2');
      await until(() => readKept().length === count);
    },
  };
}
