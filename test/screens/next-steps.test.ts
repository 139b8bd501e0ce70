import { describe, expect, test } from 'vitest';
import { TREE } from '../../src/commands/tree.ts';
import { SCREENS } from './screens.ts';
import { type Line, onStage } from './stage.ts';

/** Wide enough for every command line. */
const COLUMNS = 300;

/** A command line at the start of a row, or behind a label or a number. */
const STEP = /(?:^|^Try: | {2,}|: )(?:unset (\w+); )?svc ([a-z][^<>(…\n]*?)(?= {2}|$)/gm;

/** Sentences begin with the name of the program as well. */
const COMMANDS = new Set(TREE.map(({ name }) => name));

/** Finds the command lines that a screen tells people to run. */
function stepsOn(screen: string): Line[] {
  const rows = screen.replaceAll(/^Usage: .*$/gm, '');
  const found = [...rows.matchAll(STEP)].filter(([, , line = '']) =>
    COMMANDS.has(line.split(' ')[0] ?? ''),
  );
  const steps = found.map(([, unset, line = '']) =>
    unset === 'SVC_TOKEN' ? { line, signedOut: true } : { line },
  );
  return [...new Map(steps.map((step) => [step.line, step])).values()];
}

/** What a person does when the command asks, or types in place of it. */
const ANSWERS: ReadonlyArray<readonly [line: RegExp, answer: Partial<Line>]> = [
  [/^login/, { decide: 'approve' }],
  [/^link$/, { typed: 'svc_wp_7k2m9qx4\n' }],
  [/^orgs use$/, { typed: '1\n' }],
  [/^domains add/, { typed: 'yes\n' }],
  [/^buy --resume \S+ --org \S+$/, { typed: 'yes\n' }],
  // Its own port may be in use on this machine.
  [/^sandbox$/, { line: 'sandbox --port 0', until: 'demo.slow' }],
];

/**
 * The screens whose lines are run where they are printed: in the tests of the sandbox and of the
 * examples.
 */
const ELSEWHERE = new Set(['help', 'sandbox start']);

const SHOTS = Object.entries(SCREENS).filter(([path]) => !ELSEWHERE.has(path));

describe.each(SHOTS)('what the screens of svc %s tell people to run', (_path, shots) => {
  test.each(shots.map((shot) => [shot.line, shot] as const))(
    'works after svc %s',
    async (_line, shot) => {
      await onStage(shot, async (run) => {
        for (const step of stepsOn((await run(shot, COLUMNS)).shown)) {
          // It asks for an address; the tests of svc login give one.
          if (step.line.startsWith('login') && shot.env !== undefined && 'SVC_API_URL' in shot.env)
            continue;
          const answer = ANSWERS.find(([pattern]) => pattern.test(step.line))?.[1];
          const { env, signedOut = false } = shot;
          const { shown, exitCode } = await run({ env, signedOut, ...step, ...answer }, COLUMNS);
          // A job that was just queued may be running still.
          const good = /^wp (?:status|wait) /.test(step.line) ? [0, 10] : [0];
          expect(good, `${step.line}\n${shown}`).toContain(exitCode);
        }
      });
    },
  );
});
