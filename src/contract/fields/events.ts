import {
  boolean,
  number,
  oneOf,
  parts,
  rows,
  secret,
  string,
  stringOrNull,
  strings,
  timeOrNull,
  unit,
  uri,
} from './make.ts';

/** The lines that svc prints while a command runs on. */
export const EVENTS = {
  /** The first event of `svc login`: somebody has to approve a code. */
  login_pending: {
    event: oneOf('what happened', ['login_pending']),
    userCode: stringOrNull('the code to compare'),
    verificationUri: stringOrNull('the page to open'),
    verificationUriComplete: stringOrNull('the same page with the code in its address'),
    expiresAt: timeOrNull('when the code expires'),
    interval: unit('s', number('time between two polls')),
    clientName: string('the name of this machine, as the page shows it'),
    apiUrl: uri('address of the platform'),
  },
  /** The last event of `svc login`: the token is saved. */
  login_succeeded: {
    event: oneOf('what happened', ['login_succeeded']),
    user: parts({
      email: stringOrNull('who signed in'),
    }),
    organizationId: stringOrNull('organization of the sign-in'),
    tokenId: stringOrNull('id of the token'),
    expiresAt: timeOrNull('when the token expires'),
    apiUrl: uri('address of the platform'),
    path: stringOrNull('the file that the token was saved in'),
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
