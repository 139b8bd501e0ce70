import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseFault } from '../../sandbox/faults.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { fakeClock } from '../support/clock.ts';
import { wordsOf } from '../support/command-line.ts';
import { IN_MEMORY, type Run, type RunOptions, svc } from '../support/svc.ts';
import type { Shot } from './screens.ts';

/** A command line, and what to change of the shot's surroundings for it. */
export type Line = Pick<Shot, 'line' | 'env' | 'typed' | 'until' | 'decide' | 'signedOut'>;

/** Runs a command line on a terminal of this width. */
type RunLine = (line: Line, columns: number) => Promise<Run>;

/**
 * The start of the folder's name. The whole name is as long in memory as on disk, because screens
 * show it.
 */
const PLACE = IN_MEMORY === '/dev/shm' ? '/dev/shm/svc-scr-' : '/tmp/svc-screens-';

/**
 * Starts a fresh sandbox with a clock that stands still, and does in it what comes before a shot.
 * svc writes below `place`.
 */
export async function onStage<T>(
  shot: Shot,
  work: (run: RunLine, place: string) => Promise<T>,
): Promise<T> {
  const place = await mkdtemp(PLACE);
  const clock = fakeClock('2026-11-20T14:03:00.000Z');
  const faults = shot.fault === undefined ? [] : [parseFault(shot.fault)];
  const sandbox = await startSandbox({ port: 0, clock, faults });
  try {
    const cwd = join(place, 'blog');
    await mkdir(cwd);
    const decide = { approve: sandbox.approve, deny: sandbox.deny };
    let decision: Shot['decide'];
    clock.onSleep(() => {
      for (const code of decision === undefined ? [] : sandbox.pendingLogins())
        decide[decision ?? 'deny'](code);
    });
    const run: RunLine = async ({ line, typed, until, ...how }, columns) => {
      decision = how.decide;
      return svc(wordsOf(line), {
        url: sandbox.url,
        token: shot.stored || how.signedOut ? null : sandbox.token,
        configDir: join(place, 'config'),
        cwd,
        clock,
        terminal: { columns, rows: 40 },
        stdin: typed ?? '',
        onStart: until === undefined ? undefined : stopAt(until),
        env: {
          HOME: place,
          SHELL: '/bin/bash',
          TERM: typed === undefined ? 'xterm' : 'dumb',
          NO_COLOR: '1',
          SVC_SERVICE: sandbox.listing.services[0]?.id,
          SVC_ORG: sandbox.organization,
          SVC_DNS_SERVER: sandbox.dnsServer,
          ...how.env,
        },
      });
    };
    const signIns = shot.stored ? ['home', 'work'] : [];
    for (const profile of signIns)
      await run(
        { line: `login --with-token --profile ${profile}`, typed: `${sandbox.token}\n` },
        80,
      );
    for (const line of shot.after ?? []) await run({ line }, 80);
    clock.advance((shot.later ?? 0) * 1_000);
    return await work(run, place);
  } finally {
    await sandbox.close();
    await rm(place, { recursive: true, force: true });
  }
}

/** Presses Ctrl-C once a text is on the screen. */
function stopAt(text: string): RunOptions['onStart'] {
  return (send, shown) => {
    const timer = setInterval(() => {
      if (!shown().includes(text)) return;
      clearInterval(timer);
      send('SIGINT');
    }, 5);
  };
}
