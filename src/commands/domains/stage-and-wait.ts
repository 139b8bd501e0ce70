import type { Needs } from '../../cli/define/context.ts';
import { type Result, toResult, withView } from '../../cli/define/define.ts';
import { CliError } from '../../errors.ts';
import { createDsError } from './dns.ts';
import { getStatusCommand, openMove } from './move.ts';
import { showStaged } from './show-staged.ts';
import { showMoveStatus } from './show-status.ts';
import { type Staged, type StagingPlan, stageRecords } from './staging.ts';
import { watchMove } from './wait.ts';

type StagingContext = Needs<
  'api' | 'assume' | 'io' | 'globals' | 'settings' | 'store' | 'time' | 'env' | 'batch'
>;

/**
 * Stages records and, if that is asked for, waits for the switch. If either ends without success,
 * the error names the saved zone.
 */
export async function stageAndWait(
  context: StagingContext,
  plan: StagingPlan,
  { wait, waitTimeout }: { readonly wait: boolean; readonly waitTimeout: number | undefined },
): Promise<Result<Staged>> {
  const { ds, saved: savedZone } = plan;
  const { ascii } = plan.domain;
  const rethrow = (error: unknown): never => {
    throw error instanceof CliError ? error.with({ savedZone }) : error;
  };

  const staged = await stageRecords(context, plan).catch(rethrow);
  const unstaged = staged.judged.failure?.with({ savedZone });
  const doneSentence = `The staging of ${ascii} was accepted.`;
  if (unstaged !== undefined || !(wait || waitTimeout !== undefined)) {
    // Of a batch nobody reads each screen: the switch that comes next must not pass for safe.
    const isUnseen = context.batch !== undefined && ds.state === 'present';
    const failure = unstaged ?? (isUnseen ? createDsError(ascii, ds) : undefined);
    return { ...toResult(staged.answer, staged, failure), doneSentence };
  }

  await context.io.show((screen) => showStaged(screen, staged));
  const { status, failure } = await waitAfterStaging(context, staged, waitTimeout).catch(rethrow);
  const result = toResult(staged.answer, status, failure?.with({ savedZone }));
  return {
    ...withView(result, (screen) => status && showMoveStatus(screen, status)),
    doneSentence,
  };
}

/**
 * Waits for the switch of records that were just staged: they stay so if the wait fails, which is
 * `still_running`.
 */
async function waitAfterStaging(
  context: StagingContext,
  { domain, staging, isRemembered }: Staged,
  waitTimeout: number | undefined,
) {
  const nameservers = isRemembered ? [] : staging.nameservers;
  try {
    const move = await openMove(context, domain, nameservers, staging);
    return await watchMove(context, move, { wait: true, waitTimeout });
  } catch (error) {
    const sentence = `The records of ${domain.ascii} are staged`;
    const look = `${getStatusCommand(domain.ascii, nameservers)} --wait`;
    const hint = staging.nameservers.length === 0 ? undefined : look;
    if (context.time.signal.aborted) {
      throw new CliError('interrupted', `Stopped waiting. ${sentence}.`, { hint });
    }
    if (!(error instanceof CliError)) throw error;
    const message = `${sentence}, but svc could not watch the switch: ${error.message}`;
    return {
      status: undefined,
      failure: new CliError('still_running', message, { hint, cause: error }),
    };
  }
}
