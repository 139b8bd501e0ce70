import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { builtProgram, preloading } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { testService } from './service.ts';
import { SECRETS, USES, wellAnswered } from './uses.ts';

/** Loaded before svc: writes down every connection and name lookup. */
const PROBE = `
  const { appendFileSync } = require('node:fs');
  const watch = (object, name, tell) => {
    const original = object[name];
    object[name] = function (...args) {
      appendFileSync(process.env.PROBE_FILE, tell(...args) + '\\n');
      return original.apply(this, args);
    };
  };
  watch(require('node:net').Socket.prototype, 'connect', (first) => {
    const [options] = Array.isArray(first) ? first : [first];
    return typeof options === 'object' ? (options.host ?? 'localhost') + ':' + options.port : String(options);
  });
  watch(require('node:dns'), 'lookup', (name) => 'lookup ' + name);
`;

/** Runs svc as a process of its own, and tells where it connected and what it looked up. */
async function seenOf(argv: readonly string[], env: Readonly<Record<string, string>>, stdin = '') {
  const folder = await temporaryFolder();
  const [probe, file] = [join(folder, 'probe.cjs'), join(folder, 'probe.txt')];
  writeFileSync(probe, PROBE);
  const [runner, script] = (await builtProgram()).command;
  const own = {
    LANG: 'C.UTF-8',
    SVC_CONFIG_DIR: join(folder, 'config'),
    PROBE_FILE: file,
    ...preloading(probe),
  };
  const running = promisify(execFile)(runner, [script, ...argv], {
    env: { ...own, ...env },
    cwd: folder,
  });
  // It may end before it has read anything.
  running.child.stdin?.on('error', () => {}).end(stdin);
  const { stderr } = await running;
  // Of Node; svc may have something to say itself.
  expect(stderr).not.toMatch(/\(node:\d+\)|\wWarning/);
  return existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trimEnd().split('\n'))] : [];
}

test.each([
  ...[
    '--version',
    '--help',
    'config set service s1',
    'logout',
    'link s1',
    'buy --plan p --dry-run',
  ],
])('svc %s needs no service, connects to nothing, and looks up no name', async (line) => {
  expect(await seenOf(line.split(' '), { SVC_API_URL: 'https://api.example.test' })).toEqual([]);
});

test.each(USES)('$operation.name connects to the platform alone', async (use) => {
  const service = await testService();
  service.expect(wellAnswered(use));
  const token = use.operation.credentials === 'none' ? {} : { SVC_TOKEN: SECRETS.token };
  const seen = await seenOf(use.argv, { SVC_API_URL: service.url, ...token }, use.stdin);
  // Of a domain that is staged, svc asks the DNS itself.
  expect(seen.filter((one) => !one.startsWith('lookup '))).toEqual([`127.0.0.1:${service.port}`]);
});
