// The figures that the soak measures: how many tries each needs, and the tests that make them.

/**
 * @typedef {object} Figure
 * @property {string} name as the tests report it
 * @property {string} counts the unit, and the promise
 * @property {number} goal the least number of tries, without one loss
 * @property {number} [goalWithoutRoot] the same on machines that may not mount disks
 * @property {number} times what the soak multiplies the number of tries by
 * @property {readonly string[]} files
 * @property {string} [only] selects tests by a part of their title
 * @property {string} [reported] the name in the reports, if it differs
 */

/** The longest first, which keeps both lanes busy. @type {readonly Figure[]} */
export const FIGURES = [
  {
    name: 'Hostile answers',
    counts: 'malicious answers, through whole commands: no unsafe byte, no crash, no false success',
    goal: 100_000,
    times: 112,
    files: ['test/trust/responses.test.ts'],
  },
  {
    name: 'Verdicts',
    counts:
      'answers to changes that say failed, or a word that svc does not know: no success, no tick, every answer on stdout',
    goal: 3_000,
    times: 1,
    files: ['test/trust/verdicts.test.ts'],
  },
  {
    name: 'CI runners',
    counts:
      'malicious answers, through whole commands: no line that GitHub Actions, Azure Pipelines or TeamCity takes for a command',
    goal: 10_000,
    times: 10,
    files: ['test/trust/runners.test.ts'],
  },
  {
    name: 'Keys',
    counts:
      'pastes and keys at every question that spends, moves DNS or restarts, on a real terminal: no consent but the typed word',
    goal: 500,
    times: 1,
    files: ['test/e2e/consent.test.ts'],
  },
  {
    name: 'Purchases killed',
    counts: 'purchases whose process was killed at any moment, then resumed: one order each',
    goal: 500,
    times: 7,
    files: ['test/e2e/buy-kill.test.ts'],
  },
  {
    name: 'Purchases of several accounts',
    counts: 'purchases of three accounts in one folder, lost, refused, killed, resumed twice at once: one order each',
    goal: 1_000,
    times: 7,
    files: ['test/e2e/buy-accounts.test.ts'],
  },
  {
    name: 'Signals',
    counts:
      'signals at random moments during the twelve operations, and while a lock is waited for: the right exit code, nothing left behind',
    goal: 600,
    times: 50,
    files: ['test/trust/signals.test.ts'],
  },
  {
    name: 'Faulted requests',
    counts: 'requests of the twelve operations that met a fault: exit codes and retries as the tables say',
    goal: 5_000,
    times: 11,
    files: ['test/trust/faulted.test.ts', 'test/trust/refusals.test.ts'],
  },
  {
    name: 'Jobs killed or stopped',
    counts:
      'runs that wait for jobs, killed, interrupted or out of time at any moment, then resumed: no service has two jobs',
    goal: 300,
    times: 1,
    files: ['test/each/jobs-killed.test.ts'],
  },
  {
    name: 'Two svc on one log',
    counts: 'svc started at any time on a log that another writes, asked or killed: nothing done twice',
    goal: 300,
    times: 1,
    files: ['test/each/shared-log.test.ts'],
  },
  {
    name: 'Purchases under fault',
    counts: 'purchases over a bad connection: exactly as many orders as intended',
    goal: 2_000,
    times: 10,
    files: ['test/commands/buy/faults.test.ts'],
  },
  {
    name: 'Doubt under another name',
    counts:
      'repeats of an order in doubt with another token, profile, language, phone, spelling, clock, host name: no second order unasked',
    goal: 1_000,
    times: 1,
    files: ['test/trust/doubt.test.ts'],
  },
  {
    name: 'Odd inputs',
    counts: 'values and whole command lines: accepted or refused, never a crash',
    goal: 200_000,
    times: 10,
    files: ['test/trust/inputs.test.ts', 'test/kit/parse', 'test/http/retry-after.test.ts', 'test/zone'],
    reported: 'tries',
  },
  {
    name: 'Properties',
    counts:
      'random texts, answers and faults for the parts that draw, mask, read and send: each rule holds for all of them',
    goal: 70_000,
    times: 1,
    files: [
      ...['test/line', 'test/dns', 'test/terminal', 'test/metrics', 'test/spec'],
      ...['test/http/transport-error.test.ts', 'test/http/faulted.test.ts', 'test/sign-in/poll-life.test.ts'],
    ],
    reported: 'tries',
  },
  {
    name: 'Concurrent writers',
    counts: 'sign-ins by up to 16 processes at once: none lost',
    goal: 4_000,
    times: 48,
    files: ['test/sign-in/processes.test.ts'],
    only: 'processes at once',
  },
  {
    name: 'Kill -9 on the credentials',
    counts: 'processes killed while they sign in: no torn file, no lost token, nothing left behind',
    goal: 1_000,
    times: 5,
    files: ['test/sign-in/processes.test.ts'],
    only: 'kill -9',
  },
  {
    name: 'Pipes',
    counts: 'readers of 2 MB that are slow or leave: every byte, or a quiet end',
    goal: 100,
    times: 17,
    files: ['test/trust/pipes.test.ts'],
  },
  {
    name: 'Full disk',
    counts: 'amounts of free space and file size limits: the old file intact, the token reported',
    goal: 137,
    goalWithoutRoot: 8,
    times: 1,
    files: ['test/sign-in/space.test.ts'],
  },
  {
    name: 'Redirects',
    counts: 'redirects of the twelve operations: no target contacted',
    goal: 360,
    times: 1,
    files: ['test/trust/redirects.test.ts'],
  },
  {
    name: 'Secret canaries',
    counts: 'places that a session with every command writes or sends to: no secret where it does not belong',
    goal: 1_000,
    times: 1,
    files: ['test/trust/canaries.test.ts'],
  },
  {
    name: 'Files of others',
    counts:
      'configurations, sign-ins and links that others own or may change: no token to another address, nothing chosen unseen',
    goal: 40,
    goalWithoutRoot: 18,
    times: 1,
    files: ['test/trust/files-of-others.test.ts', 'test/trust/links-of-others.test.ts', 'test/trust/tokens.test.ts'],
  },
  {
    name: 'Waits as asked',
    counts: 'waits for a Retry-After under wrong clocks: no retry too early',
    goal: 300,
    times: 1,
    files: ['test/http/retry-after.test.ts'],
  },
  {
    name: 'Complete moves',
    counts:
      'mixes of answers, failures, silence and foreign names for the records of a move: never complete unless every nameserver has all',
    goal: 300,
    times: 1,
    files: ['test/dns/complete-move.test.ts'],
    reported: 'tries',
  },
  {
    name: 'Sandbox attacks',
    counts: 'forged requests to the sandbox: nothing changed',
    goal: 200,
    times: 1,
    files: ['test/sandbox/guard.test.ts'],
  },
];

/** Shown for a figure that was not measured yet. */
const NOT_YET = '–';

/**
 * Updates the table of figures in a page; a figure that is not in `tried` keeps its number.
 * @param {string} page @param {ReadonlyMap<string, string>} tried the number of tries by name
 */
export function withFigures(page, tried) {
  const rows = FIGURES.map(({ name, goal, counts }) => {
    const [, before = NOT_YET] = page.match(new RegExp(`^\\| ${name} \\| [\\d,]+ \\| (\\S+) \\|`, 'm')) ?? [];
    return `| ${name} | ${goal.toLocaleString('en-US')} | ${tried.get(name) ?? before} | ${counts} |`;
  });
  const table = ['| Figure | At least | Tried | What |', '| --- | ---: | ---: | --- |', ...rows];
  const [start, end] = ['<!-- figures -->', '<!-- /figures -->'];
  const [before, after] = [page.slice(0, page.indexOf(start)), page.slice(page.indexOf(end))];
  return `${before}${start}\n${table.join('\n')}\n\nA number is recorded here only if nothing was lost.\n${after}`;
}
