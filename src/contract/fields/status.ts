import {
  boolean,
  integer,
  number,
  objectOrNull,
  oneOf,
  orNull,
  parts,
  rows,
  string,
  stringOrNull,
  time,
  timeOrNull,
  unit,
  uri,
} from './make.ts';

/** `svc status`. A part that could not be read is null or empty, and is listed in `missing`. */
export const STATUS = {
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
};
