import type { Context } from '../../kit/context.ts';
import type { Domain } from '../../kit/values/domain.ts';
import type { Answer } from '../../service/call.ts';
import { stageDomain, stagingCall } from '../../service/operations.ts';
import type { StagedDomain } from '../../spec/types.ts';
import { explain } from '../../store/problem.ts';
import { type Judged, judgeStaging } from './judge-staging.ts';
import { rememberStaging, type Staging } from './move.ts';

interface StagingDone {
  readonly judged: Judged;
  readonly answer: Answer<StagedDomain>;
  readonly staging: Staging;
  /** Whether `svc domains status` knows the nameservers by itself. */
  readonly isRemembered: boolean;
}

/** What is staged where. */
export interface ToStage extends Pick<Staging, 'service' | 'records' | 'file'> {
  readonly domain: Domain;
}

/**
 * Stages records (operation 5), and remembers them unless the answer says that they are not staged.
 * @throws CliError with `outcome` if no answer tells
 */
export async function stage(context: Context, { domain, service, records, file }: ToStage): Promise<StagingDone> {
  const client = await context.client();
  const answer = await stageDomain(client, stagingCall(service, domain.ascii, records));
  const judged = judgeStaging(answer.value, { domain: domain.ascii, records }, context.assume);
  for (const [text, code] of judged.warnings) await context.io.warn(text, code);
  const { nameservers, failure } = judged;
  const stagedAt = new Date(context.clock.now()).toISOString();
  const staging = { nameservers, records, service, stagedAt, ...(file !== undefined && { file }) };
  const isRemembered = failure?.code !== 'failed' && (await remember(context, domain, staging));
  return { answer, staging, isRemembered, judged };
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
