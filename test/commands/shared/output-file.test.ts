import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { builtProgram } from '../../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const prlimit = needs('prlimit', 'util-linux');

test.skipIf(prlimit.missing)(
  prlimit.title('a file that could only be written in part is not left there'),
  async () => {
    const { command } = await builtProgram();
    const wire = await testWire();
    const names = Array.from({ length: 200 }, (_, index) => `h${index}`);
    const records = names.map((subdomain) => ({ subdomain, type: 'A', value: '192.0.2.1' }));
    wire
      .on('POST', '/v1/domains/import/scan')
      .reply(200, { apex: 'example.com', currentNameservers: [], records });
    const cwd = await temporaryFolder();
    const env = {
      SVC_API_URL: wire.url,
      SVC_TOKEN: CANARY_TOKEN,
      SVC_CONFIG_DIR: await temporaryFolder(),
    };
    const words = [
      '--fsize=1000',
      ...command,
      'domains',
      'import',
      'example.com',
      '--output',
      'plan.json',
    ];
    const failed = {
      code: 2,
      stderr: expect.stringContaining('the file size limit is reached (EFBIG)'),
    };
    await expect(promisify(execFile)(prlimit.path, words, { cwd, env })).rejects.toMatchObject(
      failed,
    );
    expect(readdirSync(cwd)).toEqual([]);
  },
);
