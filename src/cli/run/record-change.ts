import type { Answer, Call, Client } from '../../api/call.ts';
import { type CallEnding, describeChange } from '../../api/change.ts';
import { redactIn } from '../../api/redact.ts';
import { createAssume } from '../../contract/assumptions.ts';
import type { ChangeEntry } from '../../contract/fields/documents.ts';
import { IDEMPOTENCY_HEADER, OPERATIONS } from '../../contract/operations.ts';
import { isOn } from '../../environment.ts';
import { asSentence, CliError, getErrorCode } from '../../errors.ts';
import { UnfitDisk } from '../../store/machine.ts';
import { describeSystemError } from '../../store/problem.ts';
import type { Io } from '../../terminal/io.ts';
import { addChange } from '../define/changes.ts';
import type { RunWithSettings } from '../define/context.ts';

/** The errors of a place where svc cannot keep anything, and nobody expects it to. */
const NO_PLACE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

let count = 0;

/** The terminals of the runs that have been warned. */
const warned = new WeakSet<Io>();

/**
 * The history has a line before the request is sent, in case svc is killed, and another once it has
 * ended.
 */
export async function sendChange<T>(
  client: Client,
  call: Call,
  run: RunWithSettings,
): Promise<Answer<T>> {
  const { env, clock, machine } = run.world;
  const isKept = !isOn(env['CI']) && run.settings.choice('changes')?.value !== 'off';
  if (!isKept) return client.call<T>(call);

  let id: string | undefined;
  // What cannot be kept must not stop what is done.
  const record = (ending: CallEnding) => {
    if (id === undefined) return;
    try {
      addChange(run.store.configFolder(), machine, {
        id: run.redactor.conceal(id),
        ...createEntry(call, ending, run),
      });
    } catch (error) {
      const isRefused = error instanceof CliError && !(error instanceof UnfitDisk);
      if (isRefused || NO_PLACE.has(getErrorCode(error)) || warned.has(run.io)) return;
      warned.add(run.io);
      const why = asSentence(describeSystemError(error));
      void run.io.warn(
        `svc changes will not show what this command did: ${why}`,
        'change_not_kept',
      );
    }
  };
  const onFirstAttempt = () => {
    count += 1;
    id = getOrderId(call) ?? `${clock.now()} ${machine.pid} ${count}`;
    record({});
  };
  try {
    const answer = await client.call<T>({ ...call, onFirstAttempt });
    record({ answer });
    return answer;
  } catch (thrown) {
    record({ thrown });
    throw thrown;
  }
}

function createEntry(
  call: Call,
  ending: CallEnding,
  { world, settings, redactor }: RunWithSettings,
): ChangeEntry {
  const { source = 'nobody', record } = settings.credential() ?? {};
  const made = describeChange(call, ending, createAssume(settings.assumptions()));
  const entry: ChangeEntry = {
    at: new Date(world.clock.now()).toISOString(),
    who: record?.email === undefined ? source : `${record.email} (${source})`,
    address: settings.apiUrl().value,
    organization: settings.org()?.value ?? null,
    ...made,
    // A path may have anything in it; ids may look like a token.
    what: made.command === 'api' && made.what !== null ? redactor.redact(made.what) : made.what,
  };
  return redactIn(entry, redactor.conceal) as ChangeEntry;
}

function getOrderId({ operation, headers }: Call): string | undefined {
  const key = operation === OPERATIONS.createOrder ? headers?.[IDEMPOTENCY_HEADER] : undefined;
  return key === undefined ? undefined : `order ${key}`;
}
