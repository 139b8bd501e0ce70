import type { Fields } from './field.ts';

/** Fields that name a person or a thing, the most telling first. */
export const NAMES = {
  email: { type: 'string', optional: true, assumed: 'field', meaning: 'email address' },
  name: { type: 'string', optional: true, assumed: 'field', meaning: 'name for people' },
  slug: { type: 'string', optional: true, assumed: 'field', meaning: 'short name, as --org accepts it' },
  id: { type: 'string', optional: true, assumed: 'field', meaning: 'id' },
} as const satisfies Fields;

/** An organization of the user. */
export const ORGANIZATION = {
  ...NAMES,
  role: { type: 'string', optional: true, assumed: 'field', meaning: 'role of the user in it' },
} as const satisfies Fields;

/** The token in use, without the token itself. */
export const TOKEN = {
  ...NAMES,
  expiresAt: { type: 'time', optional: true, assumed: 'field', meaning: 'when it expires' },
} as const satisfies Fields;

/** Answer to operation 11. */
export const USER_LOOKUP = {
  user: { type: 'object', meaning: 'profile of the user', fields: NAMES },
  organization: { type: 'object', assumed: 'type', meaning: 'active organization', fields: ORGANIZATION },
  organizations: {
    type: 'array',
    assumed: 'type',
    meaning: 'organizations in scope',
    items: { type: 'object', fields: ORGANIZATION },
  },
  authMethod: { type: 'string', assumed: 'type', meaning: 'how the request was signed in' },
  token: {
    type: 'object',
    optional: true,
    assumed: 'type',
    meaning: 'the token in use; present for token requests',
    fields: TOKEN,
  },
} as const satisfies Fields;
