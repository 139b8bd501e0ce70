import { DOMAIN_SCAN, SCAN_BODY, STAGED_DOMAIN, STAGING_BODY } from './dns.ts';
import {
  any,
  anyObject,
  anyObjects,
  boolean,
  type Fields,
  integer,
  number,
  object,
  objects,
  oneOf,
  orAbsent,
  secret,
  string,
  stringOrAbsent,
  stringOrNull,
  time,
  undocumented,
  unit,
  uri,
  withoutName,
  withoutType,
} from './field.ts';

/** One item of an order. */
export const ORDER_ITEM = {
  planId: stringOrAbsent('plan to order'),
  domain: stringOrAbsent('domain to order'),
  label: stringOrAbsent('name for what is ordered'),
  quantity: orAbsent(integer('how many')),
  renew: orAbsent(boolean('whether to renew an existing plan or domain')),
};

/**
 * Body of operation 3. The API document shows three fields without their names, which `SVC_ASSUME`
 * sets.
 */
export const ORDER_BODY = {
  items: orAbsent(objects('plans, domains or renewals to order', ORDER_ITEM)),
  paymentMethod: {
    ...orAbsent(
      withoutName(
        oneOf('how to pay; credit_card is for free orders only', ['mobile_money', 'credit_card']),
      ),
    ),
    default: 'mobile_money',
  },
  mobileMoneyNetwork: stringOrAbsent('provider code of the mobile money network'),
  mobileMoneyPhone: { ...stringOrAbsent('phone number for mobile money'), secret: 'phone' },
  currency: {
    ...orAbsent(withoutName(oneOf('currency charged', ['local', 'USD']))),
    default: 'local',
  },
  enableAutopay: orAbsent(boolean('whether to save the number for automatic renewals')),
  appliedPromoCodeId: { ...stringOrAbsent('id of a promo code'), format: 'uuid' },
  idempotencyKey: stringOrAbsent('alternative to the Idempotency-Key header'),
  language: orAbsent(withoutName(oneOf('language of the payment page', ['fr', 'en']))),
} as const;

/** Answer to operation 3. */
const ORDER = {
  ...withoutType({
    orderId: string('id of the order'),
    paymentMethod: string('how it is paid'),
    provider: stringOrNull('who collects the payment'),
    payment_url: orAbsent(uri('payment page; present for card payments')),
  }),
  ...undocumented({
    status: string('state of the order'),
    success: boolean('whether it is placed'),
    message: string('a sentence for people'),
    error: any('why it is not placed'),
  }),
};

/** Answer to operation 6, and the assumed lookup of its job. */
export const JOB = {
  ...withoutType({
    jobId: string('id of the job'),
    status: string('state of the job'),
    action: string('name of the action'),
  }),
  ...undocumented({
    id: string('another name of `jobId`'),
    state: string('another name of `status`'),
    serviceId: string('id of its service'),
    message: string('a sentence for people'),
    createdAt: time('when it was queued'),
    startedAt: time('when it was started'),
    finishedAt: time('when it ended'),
    progress: number('how much is done, 0 to 100'),
  }),
};

/** The deployment in the answer to operation 8. */
export const DEPLOYMENT = undocumented({
  id: string('id of the deployment'),
  status: string('state of the deployment'),
  serviceName: string('name of its service'),
  serviceId: string('id of its service'),
  createdAt: time('when it was created'),
  startedAt: time('when it was started'),
  finishedAt: time('when it ended'),
});

/**
 * Answer to operation 8. The API document does not name a second field: whether the deployment is
 * live.
 */
export const DEPLOYMENT_LOOKUP = withoutType({ deployment: object('the deployment', DEPLOYMENT) });

/** A plan or a service beside a database; it may also be its name alone. */
export const REFERENCE = undocumented({
  name: string('name for people'),
  id: string('id'),
});

/** The database in the answer to operation 10. */
export const DATABASE = {
  ...REFERENCE,
  ...undocumented({
    status: string('state of the database'),
    engine: string('such as postgres'),
    version: string('version of the engine'),
  }),
};

/** Answer to operation 10. The credentials are for owners and admins only. */
export const DATABASE_LOOKUP = withoutType({
  database: object('the database', DATABASE),
  plan: object('its plan', REFERENCE),
  service: object('the service that uses it', REFERENCE),
  credentialsIncluded: boolean('whether the credentials are in the answer'),
  connectionUrl: orAbsent(secret(uri('address with the credentials in it'))),
  username: stringOrAbsent('name of the database user'),
  password: orAbsent(secret(string('password of that user'))),
});

/** Fields that name a person or a thing, the most telling first. */
export const NAMES = undocumented({
  email: string('email address'),
  name: string('name for people'),
  slug: string('short name, as --org accepts it'),
  id: string('id'),
});

/** An organization of the user. */
export const ORGANIZATION = {
  ...NAMES,
  ...undocumented({ role: string('role of the user in it') }),
};

/** The token in use, without the token itself. */
export const TOKEN = { ...NAMES, ...undocumented({ expiresAt: time('when it expires') }) };

/** Answer to operation 11. */
export const USER_LOOKUP = withoutType({
  user: object('profile of the user', NAMES),
  organization: object('active organization', ORGANIZATION),
  organizations: objects('organizations in scope', ORGANIZATION),
  authMethod: string('how the request was signed in'),
  token: orAbsent(object('the token in use; present for token requests', TOKEN)),
});

/** Answer to operation 12. */
export const AUTOPAY = withoutType({
  enabled: boolean('whether renewals are paid automatically'),
  phoneMasked: stringOrNull('number that is charged, masked'),
  provider: stringOrNull('who collects the payments'),
  currency: stringOrNull('currency charged'),
});

/** The twelve documented operations, by the names in src/contract/operations.ts. */
export const OPERATION_FIELDS = {
  startDeviceLogin: {
    body: { clientName: string('shown to the user at approval, such as the name of the machine') },
    answer: {
      ...withoutType({
        deviceCode: secret(string('sent when polling')),
        userCode: string('code that the user approves'),
        verificationUri: uri('address where the user approves'),
        verificationUriComplete: uri('the same address with the code in it'),
        expiresIn: unit('s', integer('lifetime of the login attempt')),
      }),
      interval: unit('s', number('time between two polls')),
    },
  },
  pollDeviceLogin: {
    body: { deviceCode: secret(string('from the start of the login')) },
    answer: {
      ...withoutType({
        token: secret(string('API token; returned exactly once')),
        tokenId: string('id of the token'),
        expiresAt: time('when the token expires'),
        organizationId: string('organization that the token belongs to'),
      }),
      user: object('who approved the login', withoutType({ email: string('address of the user') })),
    },
  },
  createOrder: { body: ORDER_BODY, answer: ORDER },
  scanDomain: { body: SCAN_BODY, answer: DOMAIN_SCAN },
  stageDomain: { body: STAGING_BODY, answer: STAGED_DOMAIN },
  runAction: {
    body: { action: string('name of the action'), params: anyObject('parameters of the action') },
    answer: JOB,
  },
  getMetricsHistory: {
    // `SVC_ASSUME` sets the names.
    query: {
      start: withoutName(time('start of the range')),
      end: withoutName(time('end of the range')),
      step: withoutName(unit('s', integer('size of a bucket'))),
    },
    answer: undocumented({
      points: anyObjects('usage points in time buckets; their shape is not documented'),
    }),
  },
  getDeployment: { answer: DEPLOYMENT_LOOKUP },
  restartService: {
    answer: withoutType({
      success: boolean('whether it was restarted'),
      message: string('a sentence for people'),
    }),
  },
  getDatabase: { answer: DATABASE_LOOKUP },
  getUser: { answer: USER_LOOKUP },
  getAutopay: { answer: AUTOPAY },
} as const satisfies Record<
  string,
  { readonly answer: Fields; readonly body?: Fields; readonly query?: Fields }
>;

/** The Error object of the API. */
export const SERVICE_ERROR = {
  error: any('a message, or an object with a message for each invalid field'),
};

/** The Error object of operation 2. */
export const POLL_ERROR = {
  error: oneOf('why there is no token', [
    'authorization_pending',
    'slow_down',
    'temporarily_unavailable',
    'access_denied',
    'expired_token',
    'invalid_grant',
  ]),
};
