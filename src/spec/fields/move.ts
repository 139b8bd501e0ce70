import type { Fields } from './field.ts';

const SIGHTS = ['none', 'new', 'old', 'mixed'] as const;

const COMPARISON = {
  matching: { type: 'integer', meaning: 'how many sets it answers as they were staged' },
  different: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        name: { type: 'string', meaning: 'name of a set that it answers differently' },
        type: { type: 'string', meaning: 'type of that set' },
        wanted: { type: 'array', items: { type: 'string' }, meaning: 'values that were staged' },
        found: { type: 'array', items: { type: 'string' }, meaning: 'values that were found' },
      },
    },
  },
  unanswered: { type: 'integer', meaning: 'how many sets got no answer' },
  unansweredSets: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        name: { type: 'string', meaning: 'name of such a set' },
        type: { type: 'string', meaning: 'type of that set' },
        reason: {
          type: 'string',
          meaning:
            'the response code, such as `SERVFAIL`; `silent`, `unreachable` or `garbled`; or `not_asked`, after three silences',
        },
      },
    },
  },
} as const satisfies Fields;

/** `svc domains status`: a domain's move, as the DNS shows it. */
export const DOMAINS_STATUS = {
  domain: { type: 'string', meaning: 'the domain, as the DNS writes it' },
  verdict: {
    type: 'string',
    enum: [
      'complete',
      'incomplete',
      'propagating',
      'mixed',
      'not_started',
      'not_delegated',
      'broken_dnssec',
      'broken_nameservers',
      'broken_records',
    ],
    meaning: 'how far the move is',
  },
  message: { type: 'string', meaning: 'the verdict as a sentence' },
  checkedAt: { type: 'time', meaning: 'when this was checked' },
  expected: {
    type: 'object',
    fields: {
      nameservers: { type: 'array', items: { type: 'string' }, meaning: 'the new nameservers' },
      from: {
        type: 'string',
        enum: ['flag', 'file', 'staging'],
        meaning: 'who named them; `file` is that of `--records`',
      },
    },
  },
  delegation: {
    type: 'object',
    fields: {
      registry: {
        type: 'object',
        nullable: true,
        meaning: 'what the zone above says; `null` if it could not be asked',
        fields: {
          nameservers: { type: 'array', items: { type: 'string' }, meaning: 'its nameservers of the domain' },
          sees: { type: 'string', enum: SIGHTS, meaning: 'which nameservers they are' },
          from: { type: 'string', meaning: 'the server that answered' },
        },
      },
      resolver: {
        type: 'object',
        nullable: true,
        meaning: 'what the resolver says; `null` if it could not be asked',
        fields: {
          nameservers: { type: 'array', items: { type: 'string' }, meaning: 'its nameservers of the domain' },
          sees: { type: 'string', enum: SIGHTS, meaning: 'which nameservers they are' },
          from: { type: 'string', meaning: 'the resolver that answered' },
        },
      },
    },
  },
  records: {
    type: 'object',
    nullable: true,
    meaning: 'what was staged; `null` if svc remembers no staging, and `--records` has none',
    fields: {
      staged: { type: 'integer', meaning: 'how many records were staged' },
      sets: { type: 'integer', meaning: 'how many record sets they form in the DNS' },
      stagedAt: { type: 'time', nullable: true, meaning: 'when they were staged; null for those of `--records`' },
    },
  },
  nameservers: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        nameserver: { type: 'string', meaning: 'a new nameserver' },
        asked: { type: 'string', nullable: true, meaning: 'the address that was asked' },
        state: { type: 'string', meaning: '`serves`, `not_serving`, `no_address`, or what went wrong' },
        ...COMPARISON,
      },
    },
  },
  viaResolver: {
    type: 'object',
    nullable: true,
    meaning: 'the same comparison through the resolver, if no nameserver could be asked',
    sameAs: 'nameservers[]',
    fields: COMPARISON,
  },
  dnssec: {
    type: 'object',
    fields: {
      state: {
        type: 'string',
        enum: ['unsigned', 'signed', 'will_break', 'broken', 'unknown'],
        meaning: 'whether DNSSEC lets the domain move',
      },
      ds: { type: 'array', nullable: true, items: { type: 'string' }, meaning: 'the DS records' },
    },
  },
} as const satisfies Fields;

/** `svc domains import --audit`: what a move would lose. */
export const DOMAINS_AUDIT = {
  domain: { type: 'string', meaning: 'the domain, as the DNS writes it' },
  nameservers: { type: 'array', items: { type: 'string' }, meaning: 'its nameservers at the time of the scan' },
  records: { type: 'integer', meaning: 'how many records the scan found' },
  lost: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        name: { type: 'string', meaning: 'name of a record that cannot be staged' },
        type: { type: 'string', meaning: 'its type' },
        problem: { type: 'string', meaning: 'why it cannot be staged' },
      },
    },
  },
  dnssec: {
    type: 'string',
    enum: ['present', 'absent', 'not_asked', 'unknown'],
    meaning:
      'whether the zone above has a DS record, so that DNSSEC is on; `not_asked` for names that no public DNS has',
  },
  warnings: { type: 'array', items: { type: 'string' }, meaning: 'what else to know before a move' },
} as const satisfies Fields;
