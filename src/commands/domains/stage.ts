import { stageDomain, stagingCall } from '../../api/operations.ts';
import type { Context } from '../../command/context.ts';
import type { Domain } from '../../command/parse/domain.ts';
import { CliError } from '../../errors.ts';
import type { Answer } from '../../http/call.ts';
import { plural } from '../../io/numbers.ts';
import type { DnsRecord, StagedDomain } from '../../spec/types.ts';
import { explain } from '../../store/problem.ts';
import { withProgress } from '../shared/with-progress.ts';
import { type Judged, judgeStaging, lookAgain, NOTHING_SWITCHED } from './judge-staging.ts';
import { nameserversOf } from './names.ts';
import { rememberStaging, type Staging } from './staging-memory.ts';

/** The answer to a staging, and what is kept of it. */
export interface StagingDone extends Judged {
  readonly answer: Answer<StagedDomain>;
  readonly staging: Staging;
}

/** Stages records (operation 5) and remembers that, unless the answer says that they are not staged. An end that leaves open whether it was done says what to check. */
export async function stage(
  context: Context,
  domain: Domain,
  service: string,
  records: readonly DnsRecord[],
): Promise<StagingDone> {
  const call = stagingCall(service, domain.ascii, records);
  const sending = async () => stageDomain(await context.api.client(), call);
  const text = `Staging ${plural(records.length, 'record')} of ${domain.ascii}`;
  const answer = await withProgress(context.io, text, sending).catch((error) => {
    throw error instanceof CliError && error.details.outcome === 'unknown' ? withWayOut(error, domain.ascii) : error;
  });
  const nameservers = nameserversOf(answer.value.nameservers);
  const staging = { nameservers, records, service, stagedAt: new Date(context.system.clock.now()).toISOString() };
  const judged = judgeStaging(answer.value, records, domain.ascii);
  if (judged.verdict === 'done' || judged.verdict === 'unclear') await remember(context, domain, staging);
  return { answer, staging, ...judged };
}

async function remember(context: Context, domain: Domain, staging: Staging): Promise<void> {
  try {
    await rememberStaging(context, domain.ascii, staging);
  } catch (error) {
    await context.io.warn(
      `svc cannot remember this staging (${explain(error)}); svc domains status will need --nameserver.`,
    );
  }
}

function withWayOut(error: CliError, domain: string): CliError {
  const { lines = [] } = error.details;
  return error.with({ lines: [...lines, NOTHING_SWITCHED], hint: lookAgain(domain) });
}
