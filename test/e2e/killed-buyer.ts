import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
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

type Known = { key: string; state: string; summary: string; account: { profile?: string } };

/** What the journal of a folder has while processes write it. */
export function readJournal(configDir: string): readonly Known[] {
  try {
    return JSON.parse(readFileSync(join(configDir, 'orders.json'), 'utf8')).orders;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The order of somebody who goes on until there is an answer. */
export function orderOf(label: string): readonly string[] {
  const payer = ['--network', 'mtn', '--phone', '+237670000042'];
  return ['buy', '--plan', 'plan_wp_pro', '--label', label, ...payer, '--yes', '--json'];
}
