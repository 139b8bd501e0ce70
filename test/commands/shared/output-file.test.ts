import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { builtProgram, type Program } from '../../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const prlimit = needs('prlimit', 'util-linux');

describe.skipIf(prlimit.missing)(prlimit.title('where files may not grow beyond a limit'), () => {
  let program: Program;
  beforeAll(async () => {
    program = await builtProgram();
  });

  test('a new file that could only be written in part is not left there', async () => {
    const wire = await testWire();
    const records = Array.from({ length: 200 }, (_, index) => ({
      subdomain: `h${index}`,
      type: 'A',
      value: '192.0.2.1',
    }));
    const scan = { apex: 'example.com', currentNameservers: [], records, warnings: [] };
    wire.on('POST', '/v1/domains/import/scan').always(200, scan);
    const [folder, configDir] = [await temporaryFolder(), await temporaryFolder()];
    const argv = ['domains', 'import', 'example.com', '--output', 'plan.json'];
    const run = (limit: string) =>
      new Promise<{ code: number; stderr: string }>((resolve) => {
        const env = { SVC_API_URL: wire.url, SVC_TOKEN: CANARY_TOKEN, SVC_CONFIG_DIR: configDir };
        const words = [`--fsize=${limit}`, ...program.command, ...argv];
        const child = execFile(prlimit.path, words, { cwd: folder, env }, (_error, _stdout, stderr) =>
          resolve({ code: child.exitCode ?? -1, stderr }),
        );
      });
    const failed = await run('1000');
    expect(failed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the file size limit is reached (EFBIG)'),
    });
    expect(readdirSync(folder)).toEqual([]);
    expect((await run('1000000')).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['plan.json']);
  });
});
