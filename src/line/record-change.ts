import { asObject, asText } from '../json/values.ts';
import type { ChosenCredential, Settings } from '../kit/settings.ts';
import type { Answer, Call } from '../service/call.ts';
import { type ChangeResult, resultOfAnswer, resultOfError } from '../service/change.ts';
import type { Redactor } from '../service/redact.ts';
import { assumeFrom } from '../spec/assumptions.ts';
import type { ChangeEntry } from '../spec/fields/documents.ts';
import { OPERATIONS } from '../spec/operations.ts';
import { openChanges } from '../vault/changes.ts';
import type { World } from '../world.ts';

interface Recording {
  readonly world: World;
  readonly settings: Settings;
  readonly redactor: Redactor;
  readonly folder: () => string;
}

/** How a call ended: with an answer, or with the error that was thrown. */
type Ending = { readonly answer: Answer } | { readonly thrown: unknown };

/**
 * Adds a change that was sent to the history of changes. Never fails: what cannot be written must not spoil what was done.
 * Nothing of the body is kept but the name of an action, and no header.
 */
export function recordChange(call: Call, ending: Ending, { world, settings, redactor, folder }: Recording): void {
  try {
    if (settings.changes()?.value === 'off') return;
    const result =
      'answer' in ending
        ? resultOfAnswer(ending.answer, call, assumeFrom(settings.assumptions()))
        : resultOfError(ending.thrown);
    if (result === undefined) return;
    const now = world.clock.now();
    openChanges(folder(), world.machine).add([entryOf(call, ending, { result, now, settings, redactor })], now);
  } catch {
    // A full disk, a folder that is read-only, or none at all.
  }
}

interface Known extends Pick<Recording, 'settings' | 'redactor'> {
  readonly result: ChangeResult;
  readonly now: number;
}

function entryOf(call: Call, ending: Ending, { result, now, settings, redactor }: Known): ChangeEntry {
  const { conceal } = redactor;
  const { operation, path: values = {} } = call;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').replace(/\?.*$/s, '');
  const service = /\/services\/([^/]+)/.exec(path)?.[1];
  const { status, requestId } = 'answer' in ending ? ending.answer : asObject(asObject(ending.thrown)['details']);
  const what = detailOf(call, ending) ?? (operation.command === undefined ? `${operation.method} ${path}` : undefined);
  return {
    at: new Date(now).toISOString(),
    who: conceal(whoIs(settings.credential())),
    address: settings.apiUrl().value,
    organization: settings.org()?.value ?? null,
    command: operation.command ?? 'api',
    what: what === undefined ? null : redactor.redact(what),
    service: service === undefined ? null : conceal(service),
    result,
    status: typeof status === 'number' ? status : null,
    requestId: typeof requestId === 'string' ? conceal(requestId) : null,
  };
}

/** What a documented change was about, besides its service. */
function detailOf({ operation, path, body }: Call, ending: Ending): string | undefined {
  if (operation === OPERATIONS.runAction) return asText(asObject(body)['action']);
  if (operation === OPERATIONS.stageDomain) return path?.['domain'];
  if (operation !== OPERATIONS.createOrder || !('answer' in ending)) return undefined;
  return asText(asObject(ending.answer.value)['orderId']);
}

function whoIs(credential: ChosenCredential | undefined): string {
  const { email } = credential?.record ?? {};
  const source = credential?.source ?? 'nobody';
  return email === undefined ? source : `${email} (${source})`;
}
