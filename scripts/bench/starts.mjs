// The start: how long a command takes beside an empty program on the same Node.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { portOf } from '../port.mjs';
import { interleaved, medianOf, medianRatio } from './measure.mjs';
import { installed } from './peers.mjs';
import { table } from './table.mjs';

const EMPTY = 'an empty `.cjs`';
const GET = 'one GET with `node:http` and nothing else';
const WHOAMI = '`svc whoami --json`, one GET';
const GH = '`gh api`, one GET';
const BESIDE_GH = '`svc whoami --json` beside `gh api`';
const EXECUTABLE = ', executable';

// What is at most right, in times the empty program.
/** @type {Readonly<Record<string, number>>} */
const TARGETS = {
  '`svc --version`': 1.15,
  '`svc --help`': 1.15,
  '`svc restart`, until it connects': 1.7,
  [WHOAMI]: 2,
  '`svc whoami`': 2.3,
  [`\`svc --version\`${EXECUTABLE}`]: 0.28,
  [`\`svc restart\`, until it connects${EXECUTABLE}`]: 0.5,
  [WHOAMI + EXECUTABLE]: 0.6,
  [`\`svc whoami\`${EXECUTABLE}`]: 0.75,
  [BESIDE_GH + EXECUTABLE]: 0.33,
};

/**
 * @typedef {object} Bench
 * @property {string} root the project's folder
 * @property {string} folder for files that are made on the way
 * @property {{ PATH: string, HOME: string, SVC_TOKEN: string, SVC_API_URL: string }} env
 * @property {string} node
 * @property {string | undefined} binary the executable
 * @property {number} rounds
 */

/** @typedef {{ name: string, ms?: number, ratio: number, target: number | undefined }} Row */
/** @typedef {{ node: string, rows: Row[] }} Starts */

/**
 * Measures one Node; each ratio is the median of the ratios of all rounds, as a round is over before the machine changes.
 * @param {Bench} bench
 * @returns {Promise<Starts>}
 */
export async function measureStarts(bench) {
  const door = createServer((socket) => socket.destroy());
  await once(door.listen(0, '127.0.0.1'), 'listening');
  try {
    const results = await interleaved(runsOf(bench, door), bench.rounds);
    /** @type {Row[]} */
    const rows = [...results].map(([name, runs]) => ({
      name,
      ms: medianOf(runs, 'ms'),
      ratio: medianRatio(runs, results.get(EMPTY) ?? [], 'ms'),
      target: TARGETS[name],
    }));
    for (const which of ['', EXECUTABLE]) {
      const [own, gh] = [results.get(WHOAMI + which), results.get(GH)];
      if (own === undefined || gh === undefined) continue;
      const ratio = medianRatio(own, gh, 'ms');
      rows.push({ name: BESIDE_GH + which, ratio, target: TARGETS[BESIDE_GH + which] });
    }
    return { node: execFileSync(bench.node, ['--version'], { encoding: 'utf8' }).trim(), rows };
  } finally {
    door.close();
  }
}

/**
 * @param {Bench} bench
 * @param {import('node:net').Server} door
 * @returns {import('./measure.mjs').Run[]}
 */
function runsOf({ root, folder, env, node, binary }, door) {
  const url = `${env.SVC_API_URL}/v1/user`;
  const file = (/** @type {string} */ name, /** @type {string} */ text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const get = "require('node:http').get(process.argv[2], (answer) => answer.pipe(process.stdout));";
  const programs = [{ which: '', program: [node, join(root, 'bin/svc.cjs')] }];
  if (binary !== undefined) programs.push({ which: EXECUTABLE, program: [binary] });
  return [
    { name: EMPTY, command: [node, file('empty.cjs', '')], env },
    { name: GET, command: [node, file('get.cjs', get), url], env },
    ...programs.flatMap(({ which, program }) => {
      const svc = (/** @type {string[]} */ ...words) => ({ command: [...program, ...words], env, exitCode: 0 });
      const restart = untilItConnects(svc('restart', 'x', '--no-retry'), door);
      return [
        { name: `\`svc --version\`${which}`, ...svc('--version') },
        { name: `\`svc --help\`${which}`, ...svc('--help') },
        { name: `\`svc restart\`, until it connects${which}`, ...restart },
        { name: WHOAMI + which, ...svc('whoami', '--json') },
        { name: `\`svc whoami\`${which}`, ...svc('whoami') },
      ];
    }),
    ...installed('curl', { name: '`curl`, one GET', words: ['-s', url], env }),
    ...installed('gh', { name: GH, words: ['api', url], env: { ...env, GH_TOKEN: 'x', GH_NO_UPDATE_NOTIFIER: '1' } }),
    ...installed('hcloud', {
      name: '`hcloud server list`, one GET',
      words: ['server', 'list'],
      env: { ...env, HCLOUD_TOKEN: 'x', HCLOUD_ENDPOINT: env.SVC_API_URL },
    }),
  ];
}

/**
 * Measures to the moment at which the request would be sent, at a platform that hangs up as soon as somebody comes.
 * @param {Omit<import('./measure.mjs').Run, 'name'>} run
 * @param {import('node:net').Server} door
 */
function untilItConnects(run, door) {
  return {
    ...run,
    exitCode: undefined,
    env: { ...run.env, SVC_API_URL: `http://127.0.0.1:${portOf(door)}` },
    until: () => once(door, 'connection'),
  };
}

/**
 * One row a program, one column a Node.
 * @param {readonly Starts[]} starts
 */
export function startTable(starts) {
  const [first] = starts;
  const cell = (/** @type {Row | undefined} */ row) => {
    if (row === undefined) return '';
    return `${row.ratio.toFixed(2)}${row.ms === undefined ? '' : ` (${row.ms.toFixed(0)} ms)`}`;
  };
  return table(
    ['× an empty `.cjs` (ms)', 'Target', ...starts.map(({ node }) => `Node ${node}`)],
    (first?.rows ?? []).map(({ name, target }) => [
      name,
      target === undefined ? '' : `≤ ${target.toFixed(2)}`,
      ...starts.map(({ rows }) => cell(rows.find((row) => row.name === name))),
    ]),
  );
}
