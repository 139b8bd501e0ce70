import { ORIGINS, type Origin, type Setting } from '../../cli/settings/setting.ts';
import type { OVERRIDE } from '../../contract/fields/accounts.ts';
import type { RecordOf } from '../../contract/fields/field.ts';
import { filePath, type Screen } from '../../terminal/screen.ts';

/** See {@link overrideOf}. */
export type Override = RecordOf<typeof OVERRIDE>;

/**
 * A setting that takes precedence over `savedAs`. A flag does not count: it ends with this command.
 */
export function overrideOf(inEffect: Setting | undefined, savedAs: Origin): Override | null {
  if (inEffect === undefined || inEffect.origin === 'flag') return null;
  const { origin, value, where } = inEffect;
  return ORIGINS.indexOf(origin) < ORIGINS.indexOf(savedAs) ? { value, where } : null;
}

/** A warning. */
export function showOverride(screen: Screen, override: Override | null): void {
  if (override !== null) {
    screen.warning([filePath(override.where), ` overrides it here: ${override.value}`]);
  }
}
