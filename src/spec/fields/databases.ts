import type { Fields } from './field.ts';

/** A plan or a service beside a database; it may also be its name alone. */
export const REFERENCE = {
  name: { type: 'string', optional: true, assumed: 'field', meaning: 'name for people' },
  id: { type: 'string', optional: true, assumed: 'field', meaning: 'id' },
} as const satisfies Fields;

/** A database. */
export const DATABASE = {
  ...REFERENCE,
  status: { type: 'string', optional: true, assumed: 'field', meaning: 'state of the database' },
  engine: { type: 'string', optional: true, assumed: 'field', meaning: 'such as postgres' },
  version: { type: 'string', optional: true, assumed: 'field', meaning: 'version of the engine' },
} as const satisfies Fields;

/** Answer to operation 10. The credentials are for owners and admins only. */
export const DATABASE_LOOKUP = {
  database: { type: 'object', assumed: 'type', meaning: 'the database', fields: DATABASE },
  plan: { type: 'object', assumed: 'type', meaning: 'its plan', fields: REFERENCE },
  service: { type: 'object', assumed: 'type', meaning: 'the service that uses it', fields: REFERENCE },
  credentialsIncluded: { type: 'boolean', assumed: 'type', meaning: 'whether the credentials are in the answer' },
  connectionUrl: {
    type: 'string',
    format: 'uri',
    optional: true,
    assumed: 'type',
    secret: 'whole',
    meaning: 'address with the credentials in it',
  },
  username: { type: 'string', optional: true, assumed: 'type', meaning: 'name of the database user' },
  password: { type: 'string', optional: true, assumed: 'type', secret: 'whole', meaning: 'password of that user' },
} as const satisfies Fields;
