import type { Comparison } from '../../dns/compare.ts';
import type { NameserverReport } from '../../dns/nameserver.ts';
import { type DnsServer, showServer } from '../../dns/server.ts';
import { sentenceOf } from './move-outcome.ts';
import type { MoveStatus } from './show-status.ts';

/** The document of `svc domains status --json`. */
export function toStatusDocument({ move, check, checkedAt }: MoveStatus): object {
  const { domain, resolver, expected, expectedFrom, staging, sets } = move;
  const { parent, viaResolver } = check;
  return {
    domain: domain.ascii,
    verdict: check.verdict,
    message: sentenceOf(check),
    checkedAt,
    expected: { nameservers: expected.map(showServer), from: expectedFrom },
    delegation: {
      registry:
        parent === undefined ? null : { nameservers: parent.nameservers, sees: parent.sight, from: parent.from },
      resolver:
        check.resolver === undefined
          ? null
          : {
              nameservers: check.resolver.nameservers,
              sees: check.resolver.sight,
              from: resolver.servers.map(addressOf).join(', '),
            },
    },
    records:
      staging === undefined ? null : { staged: staging.records.length, sets: sets.length, stagedAt: staging.stagedAt },
    nameservers: check.reports.map(nameserverIn),
    viaResolver: viaResolver === undefined ? null : comparisonIn(viaResolver),
    dnssec: { state: check.dnssec.state, ds: check.dnssec.ds ?? null },
  };
}

function nameserverIn(report: NameserverReport): object {
  const { nameserver, server, state } = report;
  return {
    nameserver: showServer(nameserver),
    asked: server === undefined ? null : addressOf(server),
    state,
    ...comparisonIn(report),
  };
}

function comparisonIn({ matching, different, unanswered }: Comparison): object {
  return { matching, different, unanswered };
}

/** Where a server was asked, as `host:port`. */
export function addressOf({ address, port }: DnsServer): string {
  return showServer({ host: address, port });
}
