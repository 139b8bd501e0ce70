import {
  integer,
  object,
  objectOrNull,
  objects,
  oneOf,
  orAbsent,
  orNull,
  parts,
  type RecordOf,
  rows,
  sameAs,
  string,
  stringOrNull,
  strings,
  time,
  timeOrNull,
  unit,
  withoutType,
} from './field.ts';

/** A DNS record in the form that staging takes. */
export const DNS_RECORD = {
  subdomain: string('label below the apex; empty for the apex'),
  type: oneOf('record type', ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV']),
  value: string('record value'),
  ttl: unit('s', integer('time to live')),
  priority: orAbsent(integer('for MX and SRV, 0 to 65535')),
};

/** A record that the platform answers: of any type, and perhaps in another form. */
const ANSWERED_RECORD = withoutType({ ...DNS_RECORD, type: string('record type') });

/** Body of operation 4. */
export const SCAN_BODY = {
  domain: string('the apex domain'),
};

/** Answer to operation 4. */
export const DOMAIN_SCAN = {
  ...withoutType({
    apex: string('the apex domain'),
    currentNameservers: strings('nameservers of the domain now'),
  }),
  records: objects('records that were found, for staging', ANSWERED_RECORD),
  ...withoutType({ warnings: strings('sentences for people') }),
};

/** Body of operation 5. */
export const STAGING_BODY = {
  records: objects('records to stage, such as those of a scan', DNS_RECORD),
};

/** Answer to operation 5. */
export const STAGED_DOMAIN = withoutType({
  nameservers: strings('nameservers to set at the registrar'),
  stagedRecords: objects('records that are staged', ANSWERED_RECORD),
});

const VIEW = {
  nameservers: strings('its nameservers of the domain'),
  sees: oneOf('which nameservers they are', ['none', 'new', 'old', 'mixed']),
};

const COMPARISON = {
  matching: integer('how many sets it answers as they were staged'),
  different: rows({
    name: string('name of a set that it answers differently'),
    type: string('type of that set'),
    wanted: strings('values that were staged'),
    found: strings('values that were found'),
  }),
  unanswered: integer('how many sets got no answer'),
  unansweredSets: rows({
    name: string('name of such a set'),
    type: string('type of that set'),
    reason: string(
      'the response code, such as `SERVFAIL`; `silent`, `unreachable`, `garbled`; `not_asked`, after three silences',
    ),
  }),
};

/** Documents about moves of domains. */
export const MOVE_DOCUMENTS = {
  'domains import audit': {
    domain: string('the domain, as the DNS writes it'),
    nameservers: strings('its nameservers at the time of the scan'),
    records: integer('how many records the scan found'),
    lost: rows({
      name: string('name of a record that cannot be staged whole'),
      type: string('its type; empty where there is none'),
      problem: string('what cannot be staged, and why'),
    }),
    dnssec: oneOf(
      'whether the zone above has a DS record; `not_asked` for names that no public DNS has',
      ['present', 'absent', 'not_asked', 'unknown'],
    ),
    warnings: strings('what else to know before a move'),
  },
  'domains status': {
    domain: string('the domain, as the DNS writes it'),
    verdict: oneOf('how far the move is', [
      'complete',
      'incomplete',
      'propagating',
      'mixed',
      'not_started',
      'not_delegated',
      'dnssec_on',
      'broken_nameservers',
      'broken_records',
    ]),
    message: string('the verdict as a sentence'),
    checkedAt: time('when this was checked'),
    expected: parts({
      nameservers: strings('the new nameservers'),
      from: oneOf('who named them; `file` is that of `--records`', ['flag', 'file', 'staging']),
    }),
    delegation: parts({
      registry: objectOrNull('what the zone above says; `null` if it could not be asked', {
        ...VIEW,
        from: string('the server that answered'),
      }),
      resolver: objectOrNull('what the resolver says; `null` if it could not be asked', {
        ...VIEW,
        from: string('the resolver that answered'),
      }),
    }),
    records: objectOrNull('what was staged; `null` without a known staging and `--records`', {
      staged: integer('how many records were staged'),
      sets: integer('how many record sets they form in the DNS'),
      stagedAt: timeOrNull('when they were staged; null for those of `--records`'),
    }),
    nameservers: rows({
      nameserver: string('a new nameserver'),
      asked: stringOrNull('the address that was asked'),
      state: string('`serves`, `not_serving`, `no_address`, or what went wrong'),
      oldNameservers: strings(
        'the nameservers that its own NS records of the domain name, and that are not new',
      ),
      ...COMPARISON,
    }),
    viaResolver: orNull(
      sameAs(
        'nameservers[]',
        object(
          'the same comparison through the resolver, if no nameserver could be asked',
          COMPARISON,
        ),
      ),
    ),
    dnssec: parts({
      state: oneOf('`signed` if the zone above has a DS record', ['unsigned', 'signed', 'unknown']),
      ds: orNull(strings('its DS records')),
    }),
  },
};

/** The result of `svc domains status`. */
export type MoveFields = RecordOf<(typeof MOVE_DOCUMENTS)['domains status']>;
/** How a server's answers compare with the sets of records that it should have. */
export type Comparison = RecordOf<typeof COMPARISON>;
