import type { Context } from '../command/context.ts';
import { defineCommand } from '../command/define.ts';
import { asCliError } from '../command/report.ts';
import { document } from '../command/result.ts';
import { CliError } from '../errors.ts';
import { tableOf } from '../terminal/csv.ts';
import type { Styled } from '../terminal/screen.ts';
import type { Check, CheckState, Look } from './doctor/checks.ts';
import {
  checkAddress,
  checkCompletion,
  checkFolder,
  checkLink,
  checkProxy,
  checkReachable,
  checkSignIn,
  checkToken,
} from './doctor/checks.ts';
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

/** In the order in which a fault is best told: one that spoils several checks belongs to the first. */
const LOOKS: ReadonlyArray<readonly [name: string, look: Look]> = [
  ['files', checkFolder],
  ['address', checkAddress],
  ['proxy', checkProxy],
  ['network', checkReachable],
  ['sign-in', checkSignIn],
  ['token', checkToken],
  ['folder link', checkLink],
  ['completion', checkCompletion],
];

/** What a check needs another one for: it says nothing of its own where that one failed. */
const NEEDS: Readonly<Record<string, string>> = { 'sign-in': 'network' };

/** Looks at everything, in the order in which one thing needs the other. */
async function runChecks(context: Context): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const [name, look] of LOOKS) {
    context.system.signal.throwIfAborted();
    const broken = checks.filter(({ state }) => state === 'bad');
    const needed = broken.find((check) => check.name === NEEDS[name]);
    const check = needed === undefined ? await safely(name, look, context) : undefined;
    const cause = needed ?? broken.find(({ found }) => found === check?.found);
    checks.push(check === undefined || cause !== undefined ? notChecked(name, cause) : check);
  }
  return checks;
}

function notChecked(name: string, cause: Check | undefined): Check {
  return { name, state: 'note', found: `not checked; see ${cause?.name}`, fix: null };
}

async function safely(name: string, look: Look, context: Context): Promise<Check> {
  try {
    return { ...(await look(context)), name };
  } catch (thrown) {
    const error = asCliError(thrown);
    const { hint = null } = error.details;
    // This is the doctor.
    return { name, state: 'bad', found: error.message, fix: hint?.startsWith('svc doctor') ? null : hint };
  }
}
