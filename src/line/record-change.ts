import { isOn } from '../environment.ts';
import type { ChosenCredential, Settings } from '../kit/settings.ts';
import type { Answer, Call, Client } from '../service/call.ts';
import { type CallEnding, changeOf } from '../service/change.ts';
import { hideIn, type Redactor } from '../service/redact.ts';
import { assumeFrom } from '../spec/assumptions.ts';
import type { ChangeEntry } from '../spec/fields/documents.ts';
import { openChanges } from '../vault/changes.ts';
import type { World } from '../world.ts';

interface Recording {
  readonly world: World;
  readonly settings: Settings;
  readonly redactor: Redactor;
  readonly folder: () => string;
}

/** Sends a request that changes something, and adds it to the history of changes. */
export async function sendChange<T>(client: Client, call: Call, recording: Recording): Promise<Answer<T>> {
  try {
    const answer = await client.call<T>(call);
    recordChange(call, { answer }, recording);
    return answer;
  } catch (thrown) {
    recordChange(call, { thrown }, recording);
    throw thrown;
  }
}

/** Adds a change that was sent to the history of changes. Never fails: what cannot be kept must not spoil what was done. */
function recordChange(call: Call, ending: CallEnding, { world, settings, redactor, folder }: Recording): void {
  try {
    if (isOn(world.env['CI']) || settings.changes()?.value === 'off') return;
    const made = changeOf(call, ending, assumeFrom(settings.assumptions()));
    if (made === undefined) return;
    const now = world.clock.now();
    const entry: ChangeEntry = {
      at: new Date(now).toISOString(),
      who: whoIs(settings.credential()),
      address: settings.apiUrl().value,
      organization: settings.org()?.value ?? null,
      ...made,
      // The path of a request may have anything in it; ids may look like a token.
      what: made.command === 'api' && made.what !== null ? redactor.redact(made.what) : made.what,
    };
    openChanges(folder(), world.machine).add([hideIn(entry, redactor.conceal) as ChangeEntry], now);
  } catch {
    // A full disk, a folder that is read-only, or none at all.
  }
}

function whoIs(credential: ChosenCredential | undefined): string {
  const { email } = credential?.record ?? {};
  const source = credential?.source ?? 'nobody';
  return email === undefined ? source : `${email} (${source})`;
}
