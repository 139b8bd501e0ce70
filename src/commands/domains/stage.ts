import type { Context } from '../../command/context.ts';
import type { Domain } from '../../command/values/domain.ts';
import { CliError } from '../../errors.ts';
import type { Answer } from '../../service/call.ts';
import { stageDomain, stagingCall } from '../../service/operations.ts';
import type { DnsRecord, StagedDomain } from '../../spec/types.ts';
import { plural } from '../../terminal/numbers.ts';
import { explain } from '../../vault/problem.ts';
import { diffRecords } from '../../zone/diff.ts';
import { refusedBy, unconfirmed, type Verdict, verdictOf } from '../shared/verdict.ts';
import { rememberStaging, type Staging } from './move.ts';
import { nameserversOf } from './resolver.ts';

export interface Judged {
  /** `short` if the answer has fewer records than were sent. */
  readonly verdict: Verdict | 'short';
  /** Undefined only if every record is staged. */
  readonly failure: CliError | undefined;
}

interface StagingDone extends Judged {
  readonly answer: Answer<StagedDomain>;
  readonly staging: Staging;
  /** Whether `svc domains status` knows the nameservers by itself. */
  readonly isRemembered: boolean;
}

const NOTHING_SWITCHED = 'The records may have been staged. Staging switches nothing, so the domain works as before.';

/**
 * Stages records (operation 5), and remembers them unless the answer says that they are not staged.
 * @throws CliError that says what to check if the outcome is unknown.
 */
export async function stage(
  context: Context,
  domain: Domain,
  service: string,
  records: readonly DnsRecord[],
): Promise<StagingDone> {
  const call = stagingCall(service, domain.ascii, records);
  const client = await context.api.client();
  const answer = await stageDomain(client, call).catch((error) => {
    throw error instanceof CliError && error.details.outcome === 'unknown'
      ? unknownOutcome(error, domain.ascii)
      : error;
  });
  const nameservers = nameserversOf(answer.value.nameservers);
  const staging = { nameservers, records, service, stagedAt: new Date(context.system.clock.now()).toISOString() };
  const judged = judgeStaging(answer.value, records, domain.ascii);
  const mayBeStaged = judged.verdict === 'done' || judged.verdict === 'unclear';
  const isRemembered = mayBeStaged && (await remember(context, domain, staging));
  return { answer, staging, isRemembered, ...judged };
}

async function remember(context: Context, domain: Domain, staging: Staging): Promise<boolean> {
  try {
    await rememberStaging(context, domain.ascii, staging);
    return true;
  } catch (error) {
    await context.io.warn(
      `svc cannot save what was staged (${explain(error)}). svc domains status will need --nameserver.`,
      'staging_not_saved',
    );
    return false;
  }
}

/**
 * Compares the answer of operation 5 with what was sent: by subdomain, type and value, or by number if it only counts.
 * A record whose TTL or priority the service changed still counts as staged.
 */
function judgeStaging(answer: StagedDomain, records: readonly DnsRecord[], domain: string): Judged {
  const verdict = verdictOf(answer, ['nameservers', 'stagedRecords']);
  const what = `the records of ${domain}`;
  if (verdict === 'refused') return failed('refused', refusedBy(answer, `The service did not stage ${what}`));
  const { stagedRecords } = answer;
  const short = (sentence: string) => {
    const check = `Check ${domain} in the dashboard before you switch nameservers.`;
    return failed('short', refusedBy(answer, sentence).withLines(check));
  };
  if (stagedRecords === undefined || stagedRecords === null) {
    return short(`The service confirmed none of ${what}`);
  }
  const held = countStaged(stagedRecords, records, domain);
  if (held !== undefined && held < records.length) {
    return short(`The service confirmed only ${held} of ${plural(records.length, 'record')} of ${domain}`);
  }
  if (held !== undefined && verdict === 'done') return { verdict, failure: undefined };
  const unclear = unconfirmed(answer, `The answer does not confirm that ${what} are staged`);
  return failed('unclear', unknownOutcome(unclear, domain));
}

function unknownOutcome(error: CliError, domain: string): CliError {
  const check = `Check ${domain} in the dashboard before you run the same command again.`;
  return error.withLines(NOTHING_SWITCHED, check).with({ hint: undefined });
}

/** Counts the staged records; undefined if the answer has neither a list nor a number. */
function countStaged(staged: unknown, records: readonly DnsRecord[], apex: string): number | undefined {
  if (typeof staged === 'number') return Number.isSafeInteger(staged) && staged >= 0 ? staged : undefined;
  return diffRecords(records, staged, apex)?.held;
}

function failed(verdict: Judged['verdict'], failure: CliError): Judged {
  return { verdict, failure };
}
