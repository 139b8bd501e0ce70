import { defineCommand, document } from '../cli/define/define.ts';
import { CliError } from '../errors.ts';
import { createTable } from '../terminal/csv.ts';
import { plural } from '../terminal/format.ts';
import { day, filePath } from '../terminal/screen.ts';
import { runChecks } from './doctor/checks.ts';
import { describeBuild } from './version.ts';

const COLUMNS = { check: 'name', state: 'state', found: 'found', fix: 'fix' } as const;

const WORDS = {
  good: { text: 'ok', tone: 'good' },
  bad: { text: 'failed', tone: 'bad' },
  note: { text: 'note', tone: 'warn' },
} as const;

export default defineCommand({
  summary: 'Check your setup and suggest fixes',
  effect: 'reads',
  tool: {
    title: 'What is set up',
    description:
      'Checks address, network, sign-in and settings. Call it if other tools fail and their errors do not say why. About 300 tokens.',
  },
  examples: [
    ['svc doctor', 'check the address, the sign-in, the network and the files'],
    ['svc doctor --json', 'the same as JSON, for a bug report'],
  ],
  exitCodes: [[9, 'something needs fixing']],

  async run(context) {
    const checks = await context.io.during('Checking...', () => runChecks(context));
    const broken = checks.flatMap(({ state, name }) => (state === 'bad' ? [name] : []));
    const why = `${plural(broken.length, 'check')} failed: ${broken.join(', ')}.`;
    const failure = broken.length === 0 ? undefined : new CliError('failed', why);
    return document('doctor', { ...describeBuild(context), checks }, failure);
  },

  human(screen, { version, commit, built, node, runtime, checks }) {
    const from = commit === null ? [] : [`, commit ${commit}`];
    const age = built === null ? [] : [', built ', day(built)];
    const engine = node === null ? runtime.replace('bun/', 'Bun ') : `Node ${node}`;
    screen.heading([`svc ${version}`, ...from, ...age, `, ${engine}`]);
    screen.line();
    screen.table({
      head: ['Check', 'State', { name: 'Found', wraps: true }],
      rows: checks.map(({ name, state, found }) => [name, WORDS[state], filePath(found)]),
    });
    const fixes = checks.filter((check) => check.fix !== null);
    if (fixes.length === 0) return;
    screen.line();
    screen.heading(fixes.some(({ state }) => state === 'bad') ? 'To fix' : 'Suggested');
    screen.fields(fixes.map(({ name, fix }) => [name, fix ?? undefined]));
  },

  csv: {
    what: 'the checks',
    columns: Object.keys(COLUMNS),
    table: ({ checks }) => createTable(checks, COLUMNS),
  },
});
