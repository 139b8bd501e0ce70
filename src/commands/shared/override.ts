import type { Origin, Setting } from '../../command/target.ts';
import type { Screen } from '../../terminal/screen.ts';

/** What wins, here and now, over a value that was just saved. */
export interface Override {
  readonly value: string;
  /** The variable, file or profile that gives it. */
  readonly where: string;
}

/** Strongest first. */
const ORIGINS: readonly Origin[] = ['flag', 'environment', 'link', 'profile', 'config', 'default'];

/**
 * The setting in effect, where it is stronger than one that was saved as `savedAs`. A flag does not count: it is gone
 * with this command.
 */
export function overrideOf(inEffect: Setting | undefined, savedAs: Origin): Override | null {
  if (inEffect === undefined || inEffect.origin === 'flag') return null;
  const { origin, value, where } = inEffect;
  return ORIGINS.indexOf(origin) < ORIGINS.indexOf(savedAs) ? { value, where } : null;
}

/** Says what wins over what was just saved. */
export function showOverride(screen: Screen, override: Override | null): void {
  if (override !== null) screen.warning(`Here, ${override.where} wins: it says ${override.value}.`);
}
