import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { builtProgram, type Program, preloading } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { testService } from './service.ts';
import { SECRETS, USES, wellAnswered } from './uses.ts';

/** Loaded before svc: writes down every connection and name lookup, and who listens for what in the process. */
const PROBE = `
  const { appendFileSync } = require('node:fs');
  const say = (kind, value) => appendFileSync(process.env.PROBE_FILE, JSON.stringify([kind, value]) + '\\n');
  const watch = (object, name, tell) => {
    const original = object[name];
    object[name] = function (...args) {
      const result = original.apply(this, args);
      tell(...args);
      return result;
    };
  };
  watch(require('node:net').Socket.prototype, 'connect', (first) => {
    const [options] = Array.isArray(first) ? first : [first];
    say('connect', typeof options === 'object' ? (options.host ?? 'localhost') + ':' + options.port : String(options));
  });
  watch(require('node:dns'), 'lookup', (name) => say('lookup', name));
  for (const on of ['on', 'addListener']) {
    watch(process, on, (event) => say('listener', event + ' ' + process.listenerCount(event)));
  }
`;

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** Runs svc as a process of its own, and tells what it did beside its work. */
async function probed(argv: readonly string[], env: Readonly<Record<string, string>>, stdin = '') {
  const folder = await temporaryFolder();
  const [probe, file] = [join(folder, 'probe.cjs'), join(folder, 'probe.txt')];
  writeFileSync(probe, PROBE);
  const [runner, script] = program.command;
  const running = promisify(execFile)(runner, [script, ...argv], {
    env: { LANG: 'C.UTF-8', SVC_CONFIG_DIR: join(folder, 'config'), PROBE_FILE: file, ...preloading(probe), ...env },
    cwd: folder,
  });
  // It may end before it has read anything.
  running.child.stdin?.on('error', () => {}).end(stdin);
  const { stderr } = await running;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const seen = lines.filter(Boolean).map((line) => JSON.parse(line) as [kind: string, value: string]);
  const all = (kind: string) => [...new Set(seen.filter(([one]) => one === kind).map(([, value]) => value))];
  return { stderr, connections: all('connect'), lookups: all('lookup'), listeners: all('listener') };
}

/** The three signals that end svc, one listener each. */
const SIGNALS = ['SIGINT 1', 'SIGTERM 1', 'SIGHUP 1'];

test('what needs no service connects to nothing, and looks up no name', async () => {
  const lines = [
    ...['--version', '--help', 'help assumptions', 'domains --help', 'config list', 'config set service s1'],
    ...['profiles list', 'logout', 'link s1', 'buy --plan p --dry-run'],
  ];
  const env = { SVC_API_URL: 'https://api.example.test' };
  for (const line of lines) {
    const { connections, lookups, stderr } = await probed(line.split(' '), env);
    expect([line, connections, lookups]).toEqual([line, [], []]);
    expect(stderr).not.toMatch(/warning/i);
  }
});

test('every operation connects to the platform alone, and only svc listens to signals', async () => {
  const service = await testService();
  for (const use of USES) {
    service.expect(wellAnswered(use));
    const token = use.operation.credentials === 'none' ? {} : { SVC_TOKEN: SECRETS.token };
    const env = { SVC_API_URL: service.url, ...token };
    const { connections, listeners, stderr } = await probed(use.argv, env, use.stdin);
    expect([use.operation.name, connections]).toEqual([use.operation.name, [`127.0.0.1:${service.port}`]]);
    const ofSignals = listeners.filter((name) => name.startsWith('SIG'));
    expect([use.operation.name, ofSignals]).toEqual([use.operation.name, SIGNALS]);
    // Of Node; svc may have something to say about the answer.
    expect(stderr).not.toMatch(/\(node:\d+\)|\wWarning/);
  }
});
