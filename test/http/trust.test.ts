import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ENGINES, faultOf, requestTo } from '../support/engines.ts';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

// Which authorities both engines trust: test/e2e/runtime.test.ts.
test.each(ENGINES)('%s checks certificates even with NODE_TLS_REJECT_UNAUTHORIZED=0', async (_, make) => {
  const wire = await testWire({ tls: LOCALHOST_TLS });
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const fault = await faultOf(make()(requestTo(`${wire.url}/v1/user`)));
  expect(fault).toMatchObject({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(wire.requests).toEqual([]);
});

test.each(['whoami --json', 'whoami'])(
  'with NODE_TLS_REJECT_UNAUTHORIZED=0, svc %s checks the certificate, and stderr has its error alone',
  async (line) => {
    const wire = await testWire({ tls: LOCALHOST_TLS });
    const [node, script] = (await builtProgram()).command;
    const env = {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      SVC_API_URL: wire.url,
      SVC_TOKEN: 'svc_test',
      SVC_NO_RETRY: '1',
      HOME: await temporaryFolder(),
    };
    const run = promisify(execFile)(node, [script, ...line.split(' ')], { env });
    const { code, stderr } = await run.catch((error) => error);
    expect(code).toBe(8);
    expect(stderr).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(stderr).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED');
    if (line.endsWith('--json')) expect(JSON.parse(stderr)).toMatchObject({ code: 'unavailable' });
    expect(wire.requests).toEqual([]);
  },
);
