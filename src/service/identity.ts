import { CliError } from '../errors.ts';
import { asText, type JsonObject } from '../json/values.ts';

const IDS = ['id', 'jobId', 'deploymentId', 'databaseId', 'uuid'];
/** Other names under which a thing can be asked for. */
const NAMES = ['slug', 'name', 'number'];

/**
 * Returns the id of another thing than the one that was asked for; undefined if it is the same one, or has no id.
 * @param part the job, deployment or database itself, without what wraps it
 */
export function otherThing(part: JsonObject, asked: string): string | undefined {
  const textsOf = (names: readonly string[]) => names.flatMap((name) => asText(part[name]) ?? []);
  const ids = textsOf(IDS);
  return [...ids, ...textsOf(NAMES)].includes(asked) ? undefined : ids[0];
}

/** The warning beside an answer that is only shown. */
export function otherWarning(asked: string, other: string): { readonly text: string; readonly code: string } {
  return { text: `svc asked for ${asked}, and the answer is about ${other}.`, code: 'other_thing' };
}

/** The error (exit code 8) of an answer that was to decide something. */
export function aboutAnother(asked: string, other: string): CliError {
  return new CliError(
    'unavailable',
    `svc asked for ${asked}, but the answer is about ${other}. Nothing follows from it.`,
  );
}
