import {
  boolean,
  number,
  oneOf,
  orNull,
  parts,
  rows,
  secret,
  string,
  strings,
  time,
  unit,
  uri,
} from './make.ts';

/** What svc prints while a command runs on. */
export const EVENTS = {
  /** The first event of `svc login`: somebody has to approve a code. */
  login_pending: {
    event: oneOf('what happened', ['login_pending']),
    userCode: orNull(string('the code to compare')),
    verificationUri: orNull(string('the page to open')),
    verificationUriComplete: orNull(string('the same page with the code in its address')),
    expiresAt: orNull(time('when the code expires')),
    interval: unit('s', number('time between two polls')),
    clientName: string('the name of this machine, as the page shows it'),
    apiUrl: uri('address of the platform'),
  },
  /** The last event of `svc login`: the token is saved. */
  login_succeeded: {
    event: oneOf('what happened', ['login_succeeded']),
    user: parts({
      email: orNull(string('who signed in')),
    }),
    organizationId: orNull(string('organization of the sign-in')),
    tokenId: orNull(string('id of the token')),
    expiresAt: orNull(time('when the token expires')),
    apiUrl: uri('address of the platform'),
    path: orNull(string('the file that the token was saved in')),
  },
  /** The one event of `svc sandbox start`: the address, a token, and ids to try. */
  'sandbox start': {
    url: uri('its address'),
    token: secret(string('a token for it')),
    services: rows({
      id: string('a service'),
      kind: oneOf('what it is', ['wordpress', 'app', 'vps']),
      name: string('its name'),
    }),
    deployments: rows({
      id: string('a deployment'),
      service: string('id of its service'),
    }),
    databases: rows({
      id: string('a database'),
      engine: oneOf('its engine', ['postgres', 'mysql', 'redis']),
    }),
    plans: rows({
      id: string('a plan'),
      free: boolean('whether it costs nothing'),
    }),
    domains: strings('domains that can be scanned'),
    dnsServer: string('its DNS server, for SVC_DNS_SERVER'),
  },
};
