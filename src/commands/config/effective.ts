import type { Context } from '../../command/context.ts';
import type { Origin, Setting } from '../../command/settings.ts';
import { ASSUMPTIONS } from '../../spec/assumptions.ts';

/** A setting as it is in effect here. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string | null;
  readonly origin: Origin | 'none';
  /** The flag, variable or file that gave it. */
  readonly where: string;
}

/** Every setting in effect, with what gave it. The token itself is not among them, only its source. */
export function effectiveSettings({ settings, env }: Context): readonly EffectiveSetting[] {
  const profile = settings.profileName() ?? currentProfile(settings.profile()?.profile);
  return [
    effective('api-url', settings.findApiUrl()),
    effective('profile', profile),
    effective('org', settings.org()),
    effective('service', settings.service()),
    signIn(settings.credential()?.source, env),
    ...ASSUMPTIONS.map(({ name, value }) => assumption(name, value, settings.assumptions(), env)),
  ];
}

function effective(name: string, setting: Setting | undefined): EffectiveSetting {
  if (setting === undefined) return { name, value: null, origin: 'none', where: '' };
  return { name, ...setting };
}

function currentProfile(profile: string | undefined): Setting | undefined {
  return profile === undefined ? undefined : { value: profile, origin: 'profile', where: 'the last login' };
}

function signIn(source: string | undefined, env: Context['env']): EffectiveSetting {
  if (source === undefined) return { name: 'token', value: null, origin: 'none', where: '' };
  const fromEnvironment = env[source] !== undefined;
  return { name: 'token', value: '(secret)', origin: fromEnvironment ? 'environment' : 'profile', where: source };
}

function assumption(
  name: string,
  standard: string,
  overrides: ReadonlyMap<string, string>,
  env: Context['env'],
): EffectiveSetting {
  const value = overrides.get(name);
  if (value === undefined) return { name: `assume.${name}`, value: standard, origin: 'default', where: 'default' };
  const fromEnvironment = env['SVC_ASSUME']?.includes(`${name}=`) === true;
  return fromEnvironment
    ? { name: `assume.${name}`, value, origin: 'environment', where: 'SVC_ASSUME' }
    : { name: `assume.${name}`, value, origin: 'config', where: 'svc config' };
}
