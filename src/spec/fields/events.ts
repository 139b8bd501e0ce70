import type { Fields } from './field.ts';

/** The first event of `svc login`: somebody has to approve a code. */
export const LOGIN_PENDING = {
  event: { type: 'string', enum: ['login_pending'], meaning: 'what happened' },
  userCode: { type: 'string', nullable: true, meaning: 'the code to compare' },
  verificationUri: { type: 'string', nullable: true, meaning: 'the page to open' },
  verificationUriComplete: {
    type: 'string',
    nullable: true,
    meaning: 'the same page with the code in its address',
  },
  expiresAt: { type: 'time', nullable: true, meaning: 'when the code expires' },
  interval: { type: 'number', unit: 's', meaning: 'time between two polls' },
  clientName: { type: 'string', meaning: 'the name of this machine, as the page shows it' },
  apiUrl: { type: 'string', format: 'uri', meaning: 'address of the platform' },
} as const satisfies Fields;

/** The last event of `svc login`: the token is saved. */
export const LOGIN_SUCCEEDED = {
  event: { type: 'string', enum: ['login_succeeded'], meaning: 'what happened' },
  user: { type: 'object', fields: { email: { type: 'string', nullable: true, meaning: 'who signed in' } } },
  organizationId: { type: 'string', nullable: true, meaning: 'organization of the sign-in' },
  tokenId: { type: 'string', nullable: true, meaning: 'id of the token' },
  expiresAt: { type: 'time', nullable: true, meaning: 'when the token expires' },
  apiUrl: { type: 'string', format: 'uri', meaning: 'address of the platform' },
  path: { type: 'string', nullable: true, meaning: 'the file that the token was saved in' },
} as const satisfies Fields;

/** The one event of `svc sandbox start`: the address, a token, and ids to try. */
export const SANDBOX_START = {
  url: { type: 'string', format: 'uri', meaning: 'its address' },
  token: { type: 'string', secret: 'whole', meaning: 'a token for it' },
  services: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        id: { type: 'string', meaning: 'a service' },
        kind: { type: 'string', enum: ['wordpress', 'app', 'vps'], meaning: 'what it is' },
        name: { type: 'string', meaning: 'its name' },
      },
    },
  },
  deployments: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        id: { type: 'string', meaning: 'a deployment' },
        service: { type: 'string', meaning: 'id of its service' },
      },
    },
  },
  databases: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        id: { type: 'string', meaning: 'a database' },
        engine: { type: 'string', enum: ['postgres', 'mysql', 'redis'], meaning: 'its engine' },
      },
    },
  },
  plans: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        id: { type: 'string', meaning: 'a plan' },
        free: { type: 'boolean', meaning: 'whether it costs nothing' },
      },
    },
  },
  domains: { type: 'array', items: { type: 'string' }, meaning: 'domains that can be scanned' },
} as const satisfies Fields;
