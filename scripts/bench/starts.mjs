// The start: how long a command takes beside an empty program on the same Node.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { interleaved, medianOf, medianRatio } from './measure.mjs';
import { installed } from './peers.mjs';
import { table } from './table.mjs';

const EMPTY = 'an empty `.cjs`';
const GET = 'one GET with `node:http` and nothing else';
const WHOAMI = '`svc whoami --json`, one GET';
const GH = '`gh api`, one GET';
const BESIDE_GH = '`svc whoami --json` beside `gh api`';
const EXECUTABLE = ', executable';

/** What is at most right, in times the empty program. */
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

/** Measures one Node; each ratio is the median of the ratios of all rounds, as a round is over before the machine changes. */
export async function measureStarts(bench) {
  const door = createServer((socket) => socket.destroy());
  await new Promise((resolve) => door.listen(0, '127.0.0.1', resolve));
  try {
    const results = await interleaved(runsOf(bench, door), bench.rounds);
    const rows = [...results].map(([name, runs]) => ({
      name,
      ms: medianOf(runs, 'ms'),
      ratio: medianRatio(runs, results.get(EMPTY), 'ms'),
      target: TARGETS[name],
    }));
    for (const which of ['', EXECUTABLE]) {
      if (!results.has(GH) || !results.has(WHOAMI + which)) continue;
      const ratio = medianRatio(results.get(WHOAMI + which), results.get(GH), 'ms');
      rows.push({ name: BESIDE_GH + which, ratio, target: TARGETS[BESIDE_GH + which] });
    }
    return { node: execFileSync(bench.node, ['--version'], { encoding: 'utf8' }).trim(), rows };
  } finally {
    door.close();
  }
}

function runsOf({ root, folder, env, node, binary }, door) {
  const url = `${env.SVC_API_URL}/v1/user`;
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const get = "require('node:http').get(process.argv[2], (answer) => answer.pipe(process.stdout));";
  const programs = [['', [node, join(root, 'bin/svc.cjs')]], ...(binary === undefined ? [] : [[EXECUTABLE, [binary]]])];
  return [
    { name: EMPTY, command: [node, file('empty.cjs', '')], env },
    { name: GET, command: [node, file('get.cjs', get), url], env },
    ...programs.flatMap(([which, program]) => {
      const svc = (...words) => ({ command: [...program, ...words], env, exitCode: 0 });
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

/** Measures to the moment at which the request would be sent, at a service that hangs up as soon as somebody comes. */
function untilItConnects(run, door) {
  return {
    ...run,
    exitCode: undefined,
    env: { ...run.env, SVC_API_URL: `http://127.0.0.1:${door.address().port}` },
    until: () => new Promise((resolve) => door.once('connection', resolve)),
  };
}

/** One row a program, one column a Node. */
export function startTable(starts) {
  const [first] = starts;
  const cell = ({ ms, ratio }) => `${ratio.toFixed(2)}${ms === undefined ? '' : ` (${ms.toFixed(0)} ms)`}`;
  return table(
    ['× an empty `.cjs` (ms)', 'Target', ...starts.map(({ node }) => `Node ${node}`)],
    first.rows.map(({ name, target }) => [
      name,
      target === undefined ? '' : `≤ ${target.toFixed(2)}`,
      ...starts.map(({ rows }) => cell(rows.find((row) => row.name === name))),
    ]),
  );
}
