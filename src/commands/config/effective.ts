import type { Context } from '../../command/context.ts';
import type { Origin, Setting } from '../../command/setting.ts';
import type { Settings } from '../../command/settings.ts';
import type { Env } from '../../environment.ts';
import { ASSUMPTIONS } from '../../spec/assumptions.ts';
import { type Override, overrideOf } from '../shared/override.ts';

/** A setting as it is in effect here. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string | null;
  readonly origin: Origin | 'none';
  /** The flag, variable or file that gave it. */
  readonly where: string;
}

/** Every setting in effect, with what gave it. The token itself is not among them, only its source. */
export function effectiveSettings({ settings, system: { env } }: Context): readonly EffectiveSetting[] {
  return [
    effective('api-url', settings.findApiUrl()),
    effective('profile', profileInEffect(settings)),
    effective('org', settings.org()),
    effective('service', settings.service()),
    signIn(settings.credential()?.source, env),
    ...ASSUMPTIONS.map(({ name, value }) => assumption(name, value, settings.assumptions(), env)),
  ];
}

/** What wins over a value in the configuration here; nothing where settings contradict each other. */
export function strongerThanConfig(context: Context, name: string): Override | null {
  try {
    const setting = effectiveSettings(context).find((candidate) => candidate.name === name);
    if (setting === undefined || setting.value === null || setting.origin === 'none') return null;
    return overrideOf({ value: setting.value, origin: setting.origin, where: setting.where }, 'config');
  } catch {
    // The value is saved; whoever uses the settings is told what is wrong with the others.
    return null;
  }
}

function effective(name: string, setting: Setting | undefined): EffectiveSetting {
  if (setting === undefined) return { name, value: null, origin: 'none', where: '' };
  return { name, ...setting };
}

/** The stored sign-in that commands use here, and what chose it. */
function profileInEffect(settings: Settings): Setting | undefined {
  const profile = settings.profile()?.profile;
  if (profile === undefined) return undefined;
  const [named, address] = [settings.profileName(), settings.findApiUrl()];
  if (named?.value === profile) return named;
  if (address === undefined || address.origin === 'profile')
    return { value: profile, origin: 'profile', where: 'the last login' };
  return { value: profile, origin: address.origin, where: `the address of ${address.where}` };
}

function signIn(source: string | undefined, env: Env): EffectiveSetting {
  if (source === undefined) return { name: 'token', value: null, origin: 'none', where: '' };
  const fromEnvironment = env[source] !== undefined;
  return { name: 'token', value: '(secret)', origin: fromEnvironment ? 'environment' : 'profile', where: source };
}

function assumption(
  name: string,
  standard: string,
  overrides: ReadonlyMap<string, string>,
  env: Env,
): EffectiveSetting {
  const value = overrides.get(name);
  if (value === undefined) return { name: `assume.${name}`, value: standard, origin: 'default', where: 'default' };
  const fromEnvironment = env['SVC_ASSUME']?.includes(`${name}=`) === true;
  return fromEnvironment
    ? { name: `assume.${name}`, value, origin: 'environment', where: 'SVC_ASSUME' }
    : { name: `assume.${name}`, value, origin: 'config', where: 'svc config' };
}
