import {
  anyItems,
  anyObject,
  boolean,
  integer,
  number,
  objectOrNull,
  oneOf,
  orNull,
  parts,
  rows,
  string,
  stringOrAbsent,
  stringOrNull,
  strings,
  time,
  timeOrNull,
  unit,
  uri,
} from './field.ts';

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

/** A change that svc sent from this machine. */
export const CHANGE = {
  at: time(
    'when the answer came, or the wait for it ended; when it was sent, if svc was killed before',
  ),
  who: string('the account, if svc knows it, and the profile or variable of its token'),
  address: uri('address of the platform'),
  organization: stringOrNull('the organization that was named, or null'),
  command: string('the command, without its options; `api` for a request of `svc api`'),
  what: stringOrNull(
    'the action, the domain, the order, or the method and path of `svc api`; null for a restart',
  ),
  service: stringOrNull('id of the service, or null'),
  result: oneOf(
    '`accepted` if the answer does not say that it is done, `refused` if nothing was changed, `unknown` if it may have been',
    ['done', 'pending', 'accepted', 'failed', 'refused', 'unknown'],
  ),
  status: orNull(integer('HTTP status of the answer, or null without one')),
  requestId: stringOrNull("the platform's id for the request, or null"),
};

const ORDER_ENTRY = {
  createdAt: time('when it was first sent'),
  orderId: stringOrNull('its id, or null while no answer names one'),
  amount: stringOrNull('the price as the API wrote it in its answer, or null'),
  currency: stringOrNull('the currency of that price, or null'),
  status: stringOrNull('its status in that answer, in the words of the platform. Null without one'),
  state: oneOf(
    '`sending` while a process sends it; `unknown` if no answer settled whether it was placed, or its answer contradicts itself; `placed`',
    ['sending', 'unknown', 'placed'],
  ),
  items: string('what was ordered'),
  label: stringOrNull('the labels of its items, or null'),
  organization: stringOrNull('the organization that was named, or null'),
  idempotencyKey: string('the key of its requests'),
  apiUrl: uri('address of the platform'),
  account: string('the profile, or the last characters of the token'),
  resume: stringOrNull(
    'in doubt: the command that sends it again with its key; for a token, set `SVC_TOKEN` to it first. Null for an order that exists, and once the platform may have forgotten the key',
  ),
  placed: stringOrNull(
    'in doubt: the command once you have found it; fill in an `<orderId>`. Else null',
  ),
  notPlaced: stringOrNull('in doubt: the command once you know that there is none. Else null'),
};

const SHELL = oneOf('the shell', ['bash', 'zsh', 'fish', 'powershell']);

const VERSION = {
  version: string('version of svc'),
  commit: stringOrNull(
    'its commit, with `-dirty` if files had changed; `null` if it was built without git',
  ),
  built: timeOrNull('the time of that commit'),
  node: stringOrNull('version of Node; `null` for the executable, which has none'),
  runtime: string('what runs svc, with its version: `node/…` or `bun/…`'),
};

/** Documents about svc on this machine: what it keeps, what it sent, and how it is set up. */
export const MACHINE_DOCUMENTS = {
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
  'orders list': { orders: rows(ORDER_ENTRY) },
  'orders settle': {
    idempotencyKey: string('the key of the order'),
    placed: boolean('whether there is an order'),
    orderId: stringOrNull('its id, or null'),
    createdAt: time('when it was first sent'),
    summary: string('what was ordered'),
  },
  changes: { changes: rows(CHANGE) },
  /** A part that could not be read is null or empty, and is listed in `missing`. */
  status: {
    address: uri('address of the platform'),
    account: objectOrNull('who is signed in; `null` if the platform did not say', {
      email: stringOrNull('their address'),
      name: stringOrNull('their name'),
    }),
    organization: objectOrNull('the organization in use; `null` if the platform did not say', {
      id: stringOrNull('its id'),
      slug: stringOrNull('its slug'),
      name: stringOrNull('its name'),
      role: stringOrNull('your role in it'),
    }),
    token: parts({
      source: string('the variable or profile that the token comes from'),
      expiresAt: timeOrNull('when the token expires'),
      daysLeft: orNull(unit('days', integer('whole days until then, negative afterwards'))),
    }),
    renewals: objectOrNull('how renewals are paid; `null` if the platform did not say', {
      automatic: orNull(boolean('whether they are paid automatically')),
      phone: stringOrNull('the number they are charged to, masked by the platform'),
    }),
    service: objectOrNull('the service in use; `null` without one', {
      id: string('its id'),
      where: string('the flag, variable or file that chose it'),
    }),
    usage: rows({
      series: string('name of a series of the last hour'),
      unit: string('`%`, `bytes`, `ms`, `s` or `count`'),
      at: time('time of its latest value'),
      value: number('that value'),
    }),
    deployment: objectOrNull('the deployment that this machine saw last; `null` without one', {
      id: stringOrNull('its id'),
      status: stringOrNull('its status'),
      createdAt: timeOrNull('when it was created'),
      live: orNull(boolean('whether it is live; null if the platform does not say')),
    }),
    missing: rows({
      part: oneOf('a part that could not be read', ['account', 'renewals', 'usage', 'deployment']),
      code: string('the `code` of its error'),
      error: string('what went wrong'),
    }),
  },
  open: {
    url: uri('address of the page'),
    opened: boolean('whether a browser was started; with `--json` none is'),
  },
  mcp: {
    command: string('the program'),
    args: strings('its arguments'),
  },
  link: {
    path: string('the link file'),
    service: stringOrAbsent('id of the service; absent if none is linked'),
    org: stringOrAbsent('organization; absent if none is linked'),
    changed: boolean('whether this command changed the file'),
  },
  unlink: {
    path: string('the link file of this folder'),
    removed: boolean('whether there was one'),
    inherited: stringOrAbsent('the link file of a folder above that still applies'),
  },
  doctor: {
    ...VERSION,
    checks: rows({
      name: string('what was checked'),
      state: oneOf('whether it is in order', ['good', 'note', 'bad']),
      found: string('what was found'),
      fix: stringOrNull('the command that fixes it, or advice'),
    }),
  },
  version: VERSION,
  completion: { shell: SHELL, script: string('the script') },
  'completion install': {
    shell: SHELL,
    path: string('where the script was put'),
    setup: objectOrNull('what else the shell needs, or `null`', {
      file: string('the start-up file of the shell'),
      lines: strings('the lines to add to it, unless they are there'),
    }),
  },
};
