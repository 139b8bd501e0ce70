import type { Answer } from '../../api/call.ts';
import { stagingCall } from '../../api/operations.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { StagedDomain } from '../../contract/types.ts';
import { judgeStaging } from './judge-staging.ts';
import type { StagingPlan } from './plan-staging.ts';
import { rememberStaging, type Staging } from './remember-staging.ts';

/** The records that were staged, with what the answer says of them. */
export interface Staged extends StagingPlan {
  readonly answer: Answer<StagedDomain>;
  readonly judged: ReturnType<typeof judgeStaging>;
  readonly staging: Staging;
  /** Whether `svc domains status` knows the nameservers by itself. */
  readonly isRemembered: boolean;
}

/** Stages records (operation 5), and remembers them unless the answer says no. */
export async function stageRecords(
  context: Needs<'api' | 'assume' | 'io' | 'store' | 'time'>,
  plan: StagingPlan,
): Promise<Staged> {
  const { service, records, file } = plan;
  const domain = plan.domain.ascii;
  const client = await context.api.client();
  const answer = await client.call<StagedDomain>(stagingCall(service, domain, records));
  const judged = judgeStaging(answer, { domain, records }, context.assume);
  for (const [text, code] of judged.warnings) await context.io.warn(text, code);

  const stagedAt = new Date(context.time.clock.now()).toISOString();
  const staging = { nameservers: judged.nameservers, records, service, stagedAt, file };
  const isRemembered =
    judged.failure?.code !== 'failed' && (await rememberStaging(context, domain, staging));
  return { ...plan, answer, judged, staging, isRemembered };
}
