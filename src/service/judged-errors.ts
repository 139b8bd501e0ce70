import { CliError, quoted, type Settling } from '../errors.ts';
import type { AssumptionName } from '../spec/assumptions.ts';
import { readErrorObject } from './error-body.ts';
import { inDoubt } from './in-doubt.ts';
import { assumable, failedBy, type Judgement } from './verdict.ts';

/** What a command says of an answer to its change, in sentences without their full stops. */
interface Sentences {
  readonly failed: string;
  readonly unclear: string;
}

/**
 * Returns the error of an answer that says that the change failed (exit code 9), or that does not say whether it was made
 * (exit code 8); undefined for any other. The answer is printed in any case.
 */
export function errorOf(judgement: Judgement, sentences: Sentences, settling?: Settling): CliError | undefined {
  if (judgement.verdict === 'failed') return failedBy(judgement, sentences.failed);
  if (judgement.verdict !== 'unclear') return undefined;
  const { text, lines } = readErrorObject(judgement.part);
  const error = new CliError('unavailable', `${sentences.unclear}${text === undefined ? '.' : `: ${text}`}`, {
    lines: [...lines, ...unknownWord(judgement, 'job.done')],
  });
  return inDoubt(error, settling);
}

/** Says that svc does not know a status, and how to declare it; empty for a status that it knows. */
export function unknownWord({ status, isUnknownWord }: Judgement, assumption: AssumptionName): readonly string[] {
  if (status === undefined || !isUnknownWord) return [];
  return [
    `svc does not know the status ${quoted(status)}. If it means success: SVC_ASSUME=${assumption}=+${assumable(status)}`,
  ];
}
