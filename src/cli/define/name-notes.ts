import type { Call } from '../../api/call.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { CliError } from '../../errors.ts';
import { asText, findField } from '../../json/values.ts';
import { type NameKind, SAVED_KINDS } from '../values/parameters.ts';

/** A name that completion and pickers offer. */
export interface KnownName {
  readonly name: string;
  /** The name that people know it by, or the service of a deployment. */
  readonly about?: string | undefined;
  readonly org?: string | undefined;
}

/** Names by their kind, the latest first. */
export type KnownNames = { readonly [K in NameKind]?: readonly KnownName[] };

/** A name that needs no quoting in any shell; others are not offered. */
const HARMLESS = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/;

const MAX_NAMES = 50;
const MAX_ABOUT_LENGTH = 60;

/** A name of a kind; the organization is that of the request. */
type NamedThing = KnownName & { readonly kind: NameKind };

/** The names that the answers of a run confirm or deny, for the file to be changed once. */
export class NameNotes {
  names: KnownNames = {};
  readonly missing: NamedThing[] = [];

  /** Adds names that an answer has. */
  add(names: KnownNames, org: string | undefined): void {
    this.names = mergeNames(
      mapKinds((kind) =>
        (names[kind] ?? []).map((one) => (kind === 'organizations' ? one : { ...one, org })),
      ),
      this.names,
    );
  }

  /** Adds what a 2xx answer was about. */
  addAnswered(call: Call, org: string | undefined): void {
    for (const thing of listNamed(call)) this.add({ [thing.kind]: [thing] }, org);
  }

  /** Notes what a request was about that the platform answers with its Error object and 404. */
  addMissing(call: Call, org: string | undefined, error: unknown): void {
    const { status, service } = error instanceof CliError ? error.details : {};
    // An action is in the body: the platform may have missed the service.
    const inPath = listNamed(call).findLast(({ kind }) => kind !== 'actions');
    const isMissing = status === 404 && findField(service, 'error') !== undefined;
    if (isMissing && inPath) this.missing.push({ ...inPath, org });
  }
}

/** Lists what a documented request names, the outermost first; the path of jobs is an assumption. */
function listNamed({ operation, path = {}, body }: Call): readonly NamedThing[] {
  const { id, deploymentId } = path;
  if (operation.number === undefined || id === undefined) return [];
  if (operation === OPERATIONS.getDatabase) return [{ kind: 'databases', name: id }];

  const service: NamedThing = { kind: 'services', name: id };
  if (deploymentId !== undefined) {
    return [service, { kind: 'deployments', name: deploymentId, about: id }];
  }
  const action = operation === OPERATIONS.runAction ? asText(findField(body, 'action')) : undefined;
  return action === undefined ? [service] : [service, { kind: 'actions', name: action }];
}

/** Makes the names of each kind; kinds without names are absent. */
export function mapKinds(
  list: (kind: (typeof SAVED_KINDS)[number]) => readonly KnownName[],
): KnownNames {
  const kinds = SAVED_KINDS.map((kind) => [kind, list(kind)] as const);
  return Object.fromEntries(kinds.filter(([, names]) => names.length > 0));
}

/** Merges the harmless names, each once; an older one may know more about it. */
export function mergeNames(newer: KnownNames, older: KnownNames): KnownNames {
  return mapKinds((kind) => {
    const byName = new Map<string, KnownName>();
    for (const { name, about, org } of [...(newer[kind] ?? []), ...(older[kind] ?? [])]) {
      if (!HARMLESS.test(name)) continue;
      const known = byName.get(name) ?? { name, org };
      byName.set(name, { ...known, about: known.about ?? about?.slice(0, MAX_ABOUT_LENGTH) });
    }
    return [...byName.values()].slice(0, MAX_NAMES);
  });
}
