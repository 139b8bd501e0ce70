import { ORIGINS, type Origin, type Setting } from '../../cli/settings/settings.ts';
import type { RecordOf } from '../../contract/fields/field.ts';
import type { OVERRIDE } from '../../contract/fields/machine.ts';
import { filePath, type Screen } from '../../terminal/screen.ts';

/** A setting that takes precedence over the one that was just saved. */
export type Override = RecordOf<typeof OVERRIDE>;

/**
 * Returns the setting that takes precedence over one saved as `savedAs`. A flag does not count: it
 * ends with this command.
 */
export function findOverride(inEffect: Setting | undefined, savedAs: Origin): Override | null {
  if (inEffect === undefined || inEffect.origin === 'flag') return null;
  const { origin, value, where } = inEffect;
  return ORIGINS.indexOf(origin) < ORIGINS.indexOf(savedAs) ? { value, where } : null;
}

export function showOverride(screen: Screen, override: Override | null): void {
  if (override === null) return;
  screen.warning([filePath(override.where), ` overrides it here: ${override.value}`]);
}
