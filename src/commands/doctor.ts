import { defineCommand } from '../command/define.ts';
import { document } from '../command/result.ts';
import { CliError } from '../errors.ts';
import { tableOf } from '../io/csv.ts';
import type { Styled } from '../io/screen.ts';
import type { Check, CheckState } from './doctor/check.ts';
import { runChecks } from './doctor/checks.ts';
import { withProgress } from './shared/with-progress.ts';

export default defineCommand({
  path: 'doctor',
  summary: 'Show what is set up, what is not, and how to fix it',
  effect: 'reads',
  args: {},
  options: {},
  examples: [
    ['svc doctor', 'check the address, the sign-in, the network and the files'],
    ['svc doctor --json', 'the same as JSON, for a bug report'],
  ],
  exitCodes: [[9, 'something needs fixing']],

  async run(context) {
    const checks = await withProgress(context.io, 'Checking...', () => runChecks(context));
    const broken = checks.filter((check) => check.state === 'bad');
    return document({ version: context.system.version, node: context.system.nodeVersion, checks }, failureOf(broken));
  },

  human(screen, { version, node, checks }) {
    screen.heading(`svc ${version} on Node ${node}`);
    screen.fields(checks.map(({ name, state, found }) => [name, [word(state), found]]));
    const fixes = checks.filter((check) => check.fix !== null);
    if (fixes.length === 0) return;
    screen.line();
    screen.heading(fixes.some(({ state }) => state === 'bad') ? 'To fix' : 'Suggested');
    screen.fields(fixes.map(({ name, fix }) => [name, fix ?? undefined]));
  },

  csv: { what: 'the checks', table: ({ checks }) => tableOf(checks, ['name', 'state', 'found', 'fix']) },
});

/** What was found stands behind words of one width. */
function word(state: CheckState): Styled {
  const words = { good: 'ok      ', bad: 'failed  ', note: 'note    ' } as const;
  const tones = { good: 'good', bad: 'bad', note: 'warn' } as const;
  return { text: words[state], tone: tones[state] };
}

function failureOf(broken: readonly Check[]): CliError | undefined {
  if (broken.length === 0) return undefined;
  const names = broken.map((check) => check.name).join(', ');
  return new CliError('failed', `To be mended: ${names}.`);
}
