import type { Redactor } from '../../api/redact.ts';
import { tryOr } from '../../errors.ts';
import { once } from '../../lazy.ts';
import { readEnvironmentToken } from '../../sign-in/token.ts';
import type { createIo } from '../../terminal/io.ts';
import type { World } from '../../world.ts';
import type { Needs } from '../define/context.ts';

/** A run of svc before its line is read, and what ends with it. */
export interface Started {
  readonly world: World;
  readonly io: ReturnType<typeof createIo>;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** Aborted by a second signal. */
  readonly forceQuitSignal: AbortSignal;
  readonly main: (world: World, redactor: Redactor) => Promise<number>;
  readonly environmentToken: () => ReturnType<typeof readEnvironmentToken>;
  /** Another program has Ctrl-C now. */
  isTerminalLent: boolean;
  readonly closers: Array<() => Promise<void>>;
}

/** A run whose line is read. */
export type RunWithSettings = Started & Needs<'globals' | 'settings' | 'store'>;

/** Begins a run. From now on the tokens of the environment are redacted. */
export function beginRun(
  parts: Pick<Started, 'world' | 'io' | 'redactor' | 'signal' | 'forceQuitSignal' | 'main'>,
): Started {
  const { world, redactor } = parts;
  const environmentToken = once(() => readEnvironmentToken(world.env, world.cwd));
  for (const name of ['SVC_TOKEN', 'SVC_SESSION_TOKEN']) redactor.add(world.env[name]?.trim());
  // One that cannot be read is reported when a command needs it.
  redactor.add(tryOr(() => environmentToken()?.token, undefined));
  return { ...parts, environmentToken, isTerminalLent: false, closers: [] };
}
