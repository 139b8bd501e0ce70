import type { Context } from '../../command/context.ts';

/** How a check ended: as it should, worth knowing, or to be mended. */
export type CheckState = 'good' | 'note' | 'bad';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly state: CheckState;
  /** What was found, in words. */
  readonly found: string;
  /** What to do about it; a command where there is one. */
  readonly fix: string | null;
}

/** Looks at one thing; what it throws becomes a failed check. */
export type Look = (context: Context) => Promise<Check> | Check;
