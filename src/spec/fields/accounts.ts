import type { Fields } from './field.ts';

/** A sign-in that was removed from this machine. */
export const FORGOTTEN = {
  profile: { type: 'string', meaning: 'name of the profile that was forgotten' },
  baseUrl: { type: 'string', format: 'uri', meaning: 'address of the platform' },
  tokenId: { type: 'string', nullable: true, meaning: 'id of its token, which the platform still accepts' },
  expiresAt: { type: 'time', nullable: true, meaning: 'when that token expires' },
} as const satisfies Fields;

/** What `svc logout` removed, and what still signs in. */
export const LOGOUT = {
  removed: { type: 'array', items: { type: 'object', fields: FORGOTTEN } },
  removedFiles: {
    type: 'array',
    items: { type: 'string' },
    meaning: 'with `--all`: other files that were removed because a token or device code may have been in them',
  },
  stored: { type: 'array', items: { type: 'string' }, meaning: 'profiles that are still signed in' },
  stillInEffect: {
    type: 'array',
    items: { type: 'string' },
    meaning: 'variables that still sign in, such as `SVC_TOKEN`',
  },
} as const satisfies Fields;

/** What takes precedence over a value that was just saved. */
export const OVERRIDE = {
  value: { type: 'string', meaning: 'that value' },
  where: { type: 'string', meaning: 'the variable, file or profile that sets it' },
} as const satisfies Fields;

const OVERRIDDEN_BY = {
  type: 'object',
  nullable: true,
  meaning: 'what takes precedence over it here; `null` if nothing does',
  fields: OVERRIDE,
} as const;

/** What chose a value that is in effect. */
const CHOICE = {
  value: { type: 'string', meaning: 'what was chosen' },
  origin: {
    type: 'string',
    enum: ['flag', 'environment', 'link', 'profile', 'config', 'default'],
    meaning: 'where the choice comes from',
  },
  where: { type: 'string', meaning: 'the flag, variable or file' },
} as const satisfies Fields;

/** `svc profiles list`: the stored sign-ins, without their tokens. */
export const PROFILES_LIST = {
  profiles: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        profile: { type: 'string', meaning: 'its name' },
        current: { type: 'boolean', meaning: 'whether commands use it by default' },
        baseUrl: { type: 'string', format: 'uri', meaning: 'address of the platform' },
        email: { type: 'string', nullable: true, meaning: 'who signed in' },
        organizationId: { type: 'string', nullable: true, meaning: 'organization of the sign-in' },
        org: { type: 'string', nullable: true, meaning: 'organization that commands use, if one was chosen' },
        tokenId: { type: 'string', nullable: true, meaning: 'id of the token; never the token' },
        expiresAt: { type: 'time', nullable: true, meaning: 'when the token expires' },
      },
    },
  },
} as const satisfies Fields;

/** `svc profiles use`: the sign-in that commands use from now on. */
export const PROFILES_USE = {
  profile: { type: 'string', meaning: 'the current profile' },
  baseUrl: { type: 'string', format: 'uri', meaning: 'its address' },
  overriddenBy: OVERRIDDEN_BY,
} as const satisfies Fields;

/** `svc orgs list`: the organizations in the API's own form. */
export const ORGS_LIST = {
  organizations: { type: 'array', items: { type: 'unknown' }, meaning: 'as the API sent them' },
  active: {
    type: 'object',
    nullable: true,
    meaning: 'as the API sent it: the organization that commands use; `null` if the chosen one is not among them',
  },
  chosenBy: {
    type: 'object',
    nullable: true,
    meaning: 'what chose it; `null` if nothing did, and the platform uses the first',
    fields: CHOICE,
  },
} as const satisfies Fields;

/** `svc orgs use`: the choice, and where it is kept. */
export const ORGS_USE = {
  organization: { type: 'string', meaning: 'id or slug' },
  savedIn: { type: 'string', meaning: 'the profile that the choice was saved in' },
  overriddenBy: OVERRIDDEN_BY,
} as const satisfies Fields;

const WHERE = { type: 'string', meaning: 'the flag, variable or file' } as const;

/** A setting in effect. */
export const SETTING = {
  name: { type: 'string', meaning: 'its name, as `svc config get` accepts it' },
  value: { type: 'string', nullable: true, meaning: 'the value in effect; secrets are not shown' },
  origin: { type: 'string', enum: [...CHOICE.origin.enum, 'none'], meaning: 'where the value comes from' },
  where: WHERE,
} as const satisfies Fields;

/** `svc config list`: every setting with its source; `config get` prints one. */
export const CONFIG_LIST = {
  folder: { type: 'string', optional: true, meaning: 'the configuration folder' },
  settings: { type: 'array', items: { type: 'object', fields: SETTING } },
} as const satisfies Fields;

/** `svc config set`: the saved value. */
export const CONFIG_SET = {
  name: { type: 'string', meaning: 'the setting' },
  value: { type: 'string', meaning: 'its new value' },
  path: { type: 'string', meaning: 'the file it was saved in' },
  overriddenBy: OVERRIDDEN_BY,
} as const satisfies Fields;

/** `svc config unset`: the removed setting. */
export const CONFIG_UNSET = {
  name: { type: 'string', meaning: 'the setting' },
  path: { type: 'string', meaning: 'the file it was removed from' },
  overriddenBy: { ...OVERRIDDEN_BY, meaning: 'what takes precedence over the default here; `null` if nothing does' },
} as const satisfies Fields;
