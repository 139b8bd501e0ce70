import {
  anyItems,
  anyObject,
  boolean,
  objectOrNull,
  oneOf,
  orNull,
  rows,
  string,
  stringOrAbsent,
  stringOrNull,
  strings,
  timeOrNull,
  uri,
} from './make.ts';

/** The source that takes precedence over a value that was just saved. */
export const OVERRIDE = {
  value: string('that value'),
  where: string('the variable, file or profile that sets it'),
};

const OVERRIDDEN_BY = objectOrNull(
  'what takes precedence over it here; `null` if nothing does',
  OVERRIDE,
);

const CHOICE = {
  value: string('what was chosen'),
  origin: oneOf('where the choice comes from', [
    'flag',
    'environment',
    'link',
    'profile',
    'config',
    'default',
  ]),
  where: string('the flag, variable or file'),
};

const SETTING = {
  name: string('its name, as `svc config get` accepts it'),
  value: stringOrNull('the value in effect; secrets are not shown'),
  origin: oneOf('where the value comes from', [...CHOICE.origin.enum, 'none']),
  where: CHOICE.where,
};

/** Documents about sign-ins, organizations and settings. */
export const ACCOUNT_DOCUMENTS = {
  logout: {
    removed: rows({
      profile: string('name of the profile that was forgotten'),
      baseUrl: uri('address of the platform'),
      tokenId: stringOrNull('id of its token, which the platform still accepts'),
      expiresAt: timeOrNull('when that token expires'),
    }),
    removedFiles: strings(
      'with `--all`: other files that may have had a token or device code in them',
    ),
    stored: strings('profiles that are still signed in'),
    stillInEffect: strings('variables that still sign in, such as `SVC_TOKEN`'),
  },
  'profiles list': {
    profiles: rows({
      profile: string('its name'),
      current: boolean('whether commands use it by default'),
      baseUrl: uri('address of the platform'),
      email: stringOrNull('who signed in'),
      organizationId: stringOrNull('organization of the sign-in'),
      org: stringOrNull('organization that commands use, if one was chosen'),
      tokenId: stringOrNull('id of the token; never the token'),
      expiresAt: timeOrNull('when the token expires'),
    }),
  },
  'profiles use': {
    profile: string('the current profile'),
    baseUrl: uri('its address'),
    overriddenBy: OVERRIDDEN_BY,
  },
  'orgs list': {
    organizations: anyItems('as the API sent them'),
    active: orNull(
      anyObject('as the API sent it: the one in use; `null` if the chosen one is not among them'),
    ),
    chosenBy: objectOrNull('what chose it; `null` if the platform uses the first', CHOICE),
  },
  'orgs use': {
    organization: string('id or slug'),
    savedIn: string('the profile that the choice was saved in'),
    overriddenBy: OVERRIDDEN_BY,
  },
  'config list': {
    folder: stringOrAbsent('the configuration folder'),
    settings: rows(SETTING),
  },
  'config get': SETTING,
  'config set': {
    name: string('the setting'),
    value: string('its new value'),
    path: string('the file it was saved in'),
    overriddenBy: OVERRIDDEN_BY,
  },
  'config unset': {
    name: string('the setting'),
    path: string('the file it was removed from'),
    overriddenBy: {
      ...OVERRIDDEN_BY,
      meaning: 'what takes precedence over the default here; `null` if nothing does',
    },
  },
};
