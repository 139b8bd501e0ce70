import { ORIGINS, type Origin, type Setting } from '../../kit/setting.ts';
import type { OVERRIDE } from '../../spec/fields/accounts.ts';
import type { RecordOf } from '../../spec/fields/field.ts';
import { filePath, type Screen } from '../../terminal/screen.ts';

/** A setting that takes precedence over a value that was just saved. */
export type Override = RecordOf<typeof OVERRIDE>;

/** Returns the setting in effect if it takes precedence over `savedAs`. A flag does not count: it ends with this command. */
export function overrideOf(inEffect: Setting | undefined, savedAs: Origin): Override | null {
  if (inEffect === undefined || inEffect.origin === 'flag') return null;
  const { origin, value, where } = inEffect;
  return ORIGINS.indexOf(origin) < ORIGINS.indexOf(savedAs) ? { value, where } : null;
}

/** Warns of a setting that overrides what was saved. */
export function showOverride(screen: Screen, override: Override | null): void {
  if (override !== null) screen.warning([filePath(override.where), ` overrides it here: ${override.value}`]);
}
