import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { JOURNAL_FILE } from '../../src/orders/journal.ts';
import { lifetimes } from '../support/lifetimes.ts';
import type { Program } from '../support/program.ts';

/** What a process left when it was gone. */
export interface End {
  /** Null if it was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the built program, and may kill it after a part of the shortest life of one that ended by
 * itself.
 */
export function killedBuyers(
  { command: [node, script] }: Program,
  surroundings: Readonly<Record<string, string>>,
) {
  const lives = lifetimes();
  return async (
    argv: readonly string[],
    killAfter?: number,
    more: NodeJS.ProcessEnv = {},
  ): Promise<End> => {
    const killAfterMs = killAfter === undefined ? undefined : killAfter * lives.shortest();
    const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...surroundings, ...more };
    const ended = lives.start();
    const child = spawn(node, [script, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr, exitCode] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      closed,
    ]);
    clearTimeout(timer);
    if (exitCode !== null) ended();
    return { stdout, stderr, exitCode };
  };
}

interface Known {
  readonly key: string;
  readonly state: string;
  readonly summary: string;
  readonly orderId?: string;
  readonly account: { readonly profile?: string };
}

/** More tries than a purchase needs: a loop that turns for ever is a fault. */
export const MAX_TRIES = 200;

/** What the journal of a folder has while processes write it. */
export function readJournal(configDir: string): readonly Known[] {
  const text = readJournalText(configDir);
  return text === '' ? [] : JSON.parse(text).orders;
}

/** The text of the journal while processes write it. */
export function readJournalText(configDir: string): string {
  return existsSync(join(configDir, JOURNAL_FILE))
    ? readFileSync(join(configDir, JOURNAL_FILE), 'utf8')
    : '';
}

/**
 * The id of the order that a command shows, or names because it was placed before: a kill between
 * recording and printing leaves it in the book alone. An answer without an order is printed as
 * well.
 */
export function findOrderId({ exitCode, stdout, stderr }: End): string | undefined {
  if (stdout.endsWith('}\n') && stdout.includes('orderId')) return JSON.parse(stdout).orderId;
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  if (exitCode !== 2 || !last.startsWith('{')) return undefined;
  const { code, orderId } = JSON.parse(last);
  return code === 'already_placed' ? orderId : undefined;
}

/** The order of somebody who goes on until there is an answer. */
export function orderOf(label: string): readonly string[] {
  const payer = ['--network', 'mtn', '--phone', '+237670000042'];
  return ['buy', '--plan', 'plan_wp_pro', '--label', label, ...payer, '--yes', '--json'];
}
