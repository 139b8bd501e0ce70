import { expect, test } from 'vitest';
import { onTerminal, testScript } from './script.ts';

test('Ctrl-C reaches all processes of the job, as the terminal sends it', async () => {
  const run = onTerminal(
    await testScript(async ({ newIo, job, spawn }) => {
      const careful = newIo({ job });
      const beside = 'trap "echo heard; exit" INT; echo begun; while :; do sleep 0.1; done';
      spawn('sh', ['-c', beside], { stdio: 'inherit' });
      process.once('SIGINT', () => {
        careful.restoreTerminal();
        process.exitCode = 130;
      });
      await careful.onKey((key) => console.log(`key ${key}`));
      console.log('listening');
    }),
  );
  await run.shows('begun');
  await run.shows('listening');
  run.type('a');
  await run.shows('key a');
  run.type('\u0003');
  await run.shows('heard');
  expect(await run.ended()).toBe(130);
});

test.each([
  ['foreground', true],
  ['background', 'background'],
] as const)('the job in the %s is told from /proc as from ps', async (where, jobs) => {
  const script = await testScript(async ({ createJob }) => {
    const { pid } = process;
    for (const platform of ['linux', 'darwin'] as const) {
      const asked = createJob({
        pid,
        platform,
        kill: process.kill,
        on: process.on,
        off: process.off,
      });
      console.log(`${platform}: ${(await asked.isForeground()) ? 'foreground' : 'background'}.`);
    }
  });
  const run = onTerminal(script, { jobs });
  for (const platform of ['linux', 'darwin']) await run.shows(`${platform}: ${where}.`);
});
