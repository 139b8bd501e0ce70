import { CHANGE } from './books.ts';
import type { Fields } from './field.ts';

/** `svc status`. A part that could not be read is null or empty, and is listed in `missing`. */
export const STATUS = {
  address: { type: 'string', format: 'uri', meaning: 'address of the platform' },
  account: {
    type: 'object',
    nullable: true,
    meaning: 'who is signed in; `null` if the platform did not say',
    fields: {
      email: { type: 'string', nullable: true, meaning: 'their address' },
      name: { type: 'string', nullable: true, meaning: 'their name' },
    },
  },
  organization: {
    type: 'object',
    nullable: true,
    meaning: 'the organization in use; `null` if the platform did not say',
    fields: {
      id: { type: 'string', nullable: true, meaning: 'its id' },
      slug: { type: 'string', nullable: true, meaning: 'its slug' },
      name: { type: 'string', nullable: true, meaning: 'its name' },
      role: { type: 'string', nullable: true, meaning: 'your role in it' },
    },
  },
  token: {
    type: 'object',
    fields: {
      source: { type: 'string', meaning: 'the variable or profile that the token comes from' },
      expiresAt: { type: 'time', nullable: true, meaning: 'when the token expires' },
      daysLeft: {
        type: 'integer',
        unit: 'days',
        nullable: true,
        meaning: 'whole days until then, negative afterwards',
      },
    },
  },
  renewals: {
    type: 'object',
    nullable: true,
    meaning: 'how renewals are paid; `null` if the platform did not say',
    fields: {
      automatic: { type: 'boolean', nullable: true, meaning: 'whether they are paid automatically' },
      phone: { type: 'string', nullable: true, meaning: 'the number they are charged to, masked by the platform' },
    },
  },
  service: {
    type: 'object',
    nullable: true,
    meaning: 'the service in use; `null` without one',
    fields: {
      id: { type: 'string', meaning: 'its id' },
      where: { type: 'string', meaning: 'the flag, variable or file that chose it' },
    },
  },
  usage: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        series: { type: 'string', meaning: 'name of a series of the last hour' },
        unit: { type: 'string', meaning: '`%`, `bytes`, `ms`, `s` or `count`' },
        at: { type: 'time', meaning: 'time of its latest value' },
        value: { type: 'number', meaning: 'that value' },
      },
    },
  },
  deployment: {
    type: 'object',
    nullable: true,
    meaning: 'the deployment of the service that this machine saw last; `null` without one',
    fields: {
      id: { type: 'string', nullable: true, meaning: 'its id' },
      status: { type: 'string', nullable: true, meaning: 'its status' },
      createdAt: { type: 'time', nullable: true, meaning: 'when it was created' },
      live: {
        type: 'boolean',
        nullable: true,
        meaning: 'whether it is the live one; null if the platform does not say',
      },
    },
  },
  lastChange: {
    type: 'object',
    nullable: true,
    sameAs: 'changes',
    meaning: 'the last change that svc sent from this machine, to this service if there is one; `null` without one',
    fields: CHANGE,
  },
  missing: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        part: {
          type: 'string',
          enum: ['account', 'renewals', 'usage', 'deployment'],
          meaning: 'a part that could not be read',
        },
        code: { type: 'string', meaning: 'the `code` of its error' },
        error: { type: 'string', meaning: 'what went wrong' },
      },
    },
  },
} as const satisfies Fields;
