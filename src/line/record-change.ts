import { isOn } from '../environment.ts';
import { CliError, codeOf } from '../errors.ts';
import { addChange } from '../kit/changes.ts';
import type { ChosenCredential, Settings } from '../kit/setting.ts';
import type { Answer, Call, Client } from '../service/call.ts';
import { type CallEnding, changeOf, queuedJob } from '../service/change.ts';
import { hideIn, type Redactor } from '../service/redact.ts';
import { assumeFrom } from '../spec/assumptions.ts';
import type { ChangeEntry } from '../spec/fields/documents.ts';
import { IDEMPOTENCY_HEADER, OPERATIONS } from '../spec/operations.ts';
import { explain } from '../store/problem.ts';
import type { World } from '../world.ts';

/** What it takes to add to the history of changes. */
export interface Recording {
  readonly world: World;
  readonly settings: Settings;
  readonly redactor: Redactor;
  readonly folder: () => string;
  /** Says, once a run, that the history cannot be written. */
  readonly warnUnkept: (why: string) => void;
}

/** On a machine where svc cannot keep anything, nobody expects it to. */
const NO_PLACE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

let count = 0;

/**
 * Sends a request that changes something. The history of changes has a line before it is sent, so that a svc that is
 * killed leaves one, and another that takes its place once it has ended.
 */
export async function sendChange<T>(client: Client, call: Call, recording: Recording): Promise<Answer<T>> {
  const { env, clock, machine } = recording.world;
  if (isOn(env['CI']) || recording.settings.choice('changes')?.value === 'off') return client.call<T>(call);
  let id: string | undefined;
  const sending = () => {
    count += 1;
    id = orderOf(call) ?? `${clock.now()} ${machine.pid} ${count}`;
    record(call, {}, id, recording);
  };
  const ended = (ending: CallEnding) => {
    if (id !== undefined) record(call, ending, id, recording);
  };
  try {
    const answer = await client.call<T>({ ...call, sending });
    ended({ answer });
    return answer;
  } catch (thrown) {
    ended({ thrown });
    throw thrown;
  }
}

/** Never fails: what cannot be kept must not stop what is done. */
function record(call: Call, ending: CallEnding, id: string, recording: Recording): void {
  const { world, settings, redactor, folder, warnUnkept } = recording;
  try {
    const now = world.clock.now();
    const made = changeOf(call, ending, assumeFrom(settings.assumptions()));
    const entry: ChangeEntry = {
      at: new Date(now).toISOString(),
      who: whoIs(settings.credential()),
      address: settings.apiUrl().value,
      organization: settings.org()?.value ?? null,
      ...made,
      // The path of a request may have anything in it; ids may look like a token.
      what: made.command === 'api' && made.what !== null ? redactor.redact(made.what) : made.what,
    };
    const jobId = ending.answer && queuedJob(ending.answer);
    const kept = hideIn({ ...entry, ...(jobId !== undefined && { jobId }) }, redactor.conceal) as ChangeEntry;
    addChange(folder(), { id: redactor.conceal(id), ...kept });
  } catch (error) {
    const hasNoPlace = error instanceof CliError || NO_PLACE.has(codeOf(error));
    if (!hasNoPlace) warnUnkept(explain(error));
  }
}

function orderOf({ operation, headers }: Call): string | undefined {
  const key = operation === OPERATIONS.createOrder ? headers?.[IDEMPOTENCY_HEADER] : undefined;
  return key === undefined ? undefined : `order ${key}`;
}

function whoIs(credential: ChosenCredential | undefined): string {
  const { email } = credential?.record ?? {};
  const source = credential?.source ?? 'nobody';
  return email === undefined ? source : `${email} (${source})`;
}
