import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';

test('no option of any command takes a secret: other users of a machine see command lines', async () => {
  // The value of an option stands behind it, as in `--org <slug>`.
  const { stdout } = await svc(['help', '--json']);
  const taking = [...stdout.matchAll(/"flags":"([^"]* <[^"]*)"/g)].map(([, flags = '']) => flags);
  expect(taking.length).toBeGreaterThan(50);
  expect(
    taking.filter((flags) => /token|password|passwd|secret|cookie|session|credential/i.test(flags)),
  ).toEqual([]);
});

test.each([
  ...[
    'link s1',
    'buy --items items.json --yes',
    'metrics s1 --output x.svg',
    'sandbox --port 0 --data sandbox.json',
  ],
])('in a folder that was removed, svc %s reads and writes no other one', async (line) => {
  const configDir = await temporaryFolder();
  const run = await svc(line.split(' '), { cwd: null, configDir, url: 'http://127.0.0.1:9' });
  expect(run).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('The current folder was removed.'),
  });
});
