import type { Fields } from './field.ts';

/** Body of operation 1. */
export const DEVICE_START_BODY = {
  clientName: { type: 'string', meaning: 'shown to the user at approval, such as the name of the machine' },
} as const satisfies Fields;

/** Answer to operation 1. */
export const DEVICE_START = {
  deviceCode: { type: 'string', assumed: 'type', secret: 'whole', meaning: 'sent when polling' },
  userCode: { type: 'string', assumed: 'type', meaning: 'code that the user approves' },
  verificationUri: { type: 'string', format: 'uri', assumed: 'type', meaning: 'address where the user approves' },
  verificationUriComplete: {
    type: 'string',
    format: 'uri',
    assumed: 'type',
    meaning: 'the same address with the code in it',
  },
  expiresIn: { type: 'integer', unit: 's', assumed: 'type', meaning: 'lifetime of the login attempt' },
  interval: { type: 'integer', unit: 's', meaning: 'time between two polls' },
} as const satisfies Fields;

/** Body of operation 2. */
export const DEVICE_TOKEN_BODY = {
  deviceCode: { type: 'string', secret: 'whole', meaning: 'from the start of the login' },
} as const satisfies Fields;

/** Answer to operation 2, once the login is approved. */
export const DEVICE_TOKEN = {
  token: { type: 'string', assumed: 'type', secret: 'whole', meaning: 'API token; returned exactly once' },
  tokenId: { type: 'string', assumed: 'type', meaning: 'id of the token' },
  expiresAt: { type: 'time', assumed: 'type', meaning: 'when the token expires' },
  organizationId: { type: 'string', assumed: 'type', meaning: 'organization that the token belongs to' },
  user: {
    type: 'object',
    meaning: 'who approved the login',
    fields: { email: { type: 'string', assumed: 'type', meaning: 'address of the user' } },
  },
} as const satisfies Fields;
