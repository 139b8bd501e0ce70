import { CliError, stepOf } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import { defineCommand } from '../kit/define.ts';
import { asCliError } from '../kit/report.ts';
import { document } from '../kit/result.ts';
import type { DocumentOf } from '../spec/fields/documents.ts';
import { tableOf } from '../terminal/csv.ts';
import { day, filePath, type Styled } from '../terminal/screen.ts';
import {
  bad,
  type CheckState,
  checkAddress,
  checkCompletion,
  checkFolder,
  checkLink,
  checkProxy,
  checkReachable,
  checkSignInWorks,
  checkToken,
  type Finding,
  note,
  type Probe,
  type Seen,
} from './doctor/checks.ts';
import { buildOf } from './shared/build.ts';

const COLUMNS = ['name', 'state', 'found', 'fix'] as const;

export default defineCommand({
  path: 'doctor',
  summary: 'Check your setup and suggest fixes',
  effect: 'reads',
  args: {},
  options: {},
  tool: {
    title: 'What is set up',
    says: 'Checks address, network, sign-in and settings. Call it if other tools fail and their errors do not say why. About 300 tokens.',
    takes: {},
  },
  examples: [
    ['svc doctor', 'check the address, the sign-in, the network and the files'],
    ['svc doctor --json', 'the same as JSON, for a bug report'],
  ],
  exitCodes: [[9, 'something needs fixing']],

  async run(context) {
    const checks = await context.io.during('Checking...', () => runChecks(context));
    const broken = checks.filter((check) => check.state === 'bad');
    return document('doctor', { ...buildOf(context.system), checks }, failureOf(broken));
  },

  human(screen, { version, commit, built, node, runtime, checks }) {
    const from = commit === null ? [] : [`, commit ${commit}`];
    const age = built === null ? [] : [', built ', day(built)];
    const engine = node === null ? runtime.replace('bun/', 'Bun ') : `Node ${node}`;
    screen.heading([`svc ${version}`, ...from, ...age, `, ${engine}`]);
    screen.line();
    screen.table({
      head: ['Check', 'State', { name: 'Found', below: true }],
      rows: checks.map(({ name, state, found }) => [name, word(state), filePath(found)]),
    });
    const fixes = checks.filter((check) => check.fix !== null);
    if (fixes.length === 0) return;
    screen.line();
    screen.heading(fixes.some(({ state }) => state === 'bad') ? 'To fix' : 'Suggested');
    screen.fields(fixes.map(({ name, fix }) => [name, fix ?? undefined]));
  },

  csv: { what: 'the checks', columns: COLUMNS, table: ({ checks }) => tableOf(checks, COLUMNS) },
});

function word(state: CheckState): Styled {
  const words = { good: 'ok', bad: 'failed', note: 'note' } as const;
  const tones = { good: 'good', bad: 'bad', note: 'warn' } as const;
  return { text: words[state], tone: tones[state] };
}

function failureOf(broken: readonly Check[]): CliError | undefined {
  if (broken.length === 0) return undefined;
  return new CliError('failed', `Needs fixing: ${broken.map(({ name }) => name).join(', ')}.`);
}

type Check = DocumentOf<'doctor'>['checks'][number];

/** In this order, a fault that breaks several checks is reported by the first of them. */
const PROBES: ReadonlyArray<readonly [name: string, probe: Probe]> = [
  ['files', checkFolder],
  ['address', checkAddress],
  ['proxy', checkProxy],
  ['network', checkReachable],
  ['sign-in', checkSignInWorks],
  ['token', checkToken],
  ['folder link', checkLink],
  ['completion', checkCompletion],
];

async function runChecks(context: Context): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const seen: Seen = {};
  for (const [name, probe] of PROBES) {
    context.system.signal.throwIfAborted();
    const broken = checks.filter(({ state }) => state === 'bad');
    const needed = name === 'sign-in' ? broken.find((check) => check.name === 'network') : undefined;
    const finding = needed ?? (await safely(probe, context, seen));
    const cause = broken.find(({ found }) => found === finding.found);
    checks.push({ name, ...(cause === undefined ? finding : note(`not checked; see ${cause.name}`)) });
  }
  return checks;
}

async function safely(probe: Probe, context: Context, seen: Seen): Promise<Finding> {
  try {
    return await probe(context, seen);
  } catch (thrown) {
    const { message, details } = asCliError(thrown);
    const { say, run } = stepOf(details.hint);
    // The user is running svc doctor already.
    return bad(message, run[0] === 'svc doctor' ? null : (run[0] ?? say ?? null));
  }
}
