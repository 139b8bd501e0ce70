import { getUser } from '../../api/call.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { KnownNames } from '../../cli/define/name-notes.ts';
import type { Organization, UserLookup } from '../../contract/operations.ts';
import { CliError } from '../../errors.ts';
import { asObject, asText, isObject } from '../../json/values.ts';
import { once } from '../../once.ts';
import type { Buyer } from '../../orders/description.ts';

/**
 * Returns the organizations of an account, and the usual one, which the platform uses if a request
 * names none. Calls operation 11 without an organization, so that one that the account has left
 * can still be changed.
 */
export async function lookUpMembership(
  { api, settings }: Needs<'api' | 'settings'>,
  deadlineMs?: number,
) {
  const credential = settings.credential();
  const client =
    credential === undefined
      ? api.client()
      : api.clientFor(credential, settings.apiUrl(), deadlineMs);
  const { value } = await getUser(await client);

  return {
    organizations: readOrganizations(value),
    isListed: (value.organizations ?? null) !== null,
    usual: asObject(value.organization),
    user: asObject(value.user),
  };
}

/** @throws CliError `unexpected` for a list that svc cannot read: it is not empty. */
function readOrganizations({ organizations }: UserLookup): readonly Organization[] {
  const list: unknown = organizations ?? [];
  if (Array.isArray(list) && list.every(isObject)) return list.map(asObject);
  throw new CliError('unexpected', 'svc cannot read the list of organizations in the answer.', {
    hint: { say: 'To see the answer as it came:', run: ['svc whoami --json'] },
  });
}

/** Finds an organization by its id or slug. */
export function findOrganization(
  organizations: readonly Organization[],
  name: string,
): Organization | undefined {
  return organizations.find((organization) => listOrganizationNames(organization).includes(name));
}

/** Returns the name of an organization, or what else people know it by. */
export function findOrganizationName({ name, slug, id }: Organization): string | undefined {
  return asText(name) ?? asText(slug) ?? asText(id);
}

/** Returns what Tab and lists offer. */
export function toKnownOrganizations(organizations: readonly Organization[]): KnownNames {
  return {
    organizations: organizations.flatMap((organization) =>
      listOrganizationNames(organization)
        .slice(0, 1)
        .map((name) => ({ name, about: asText(organization.name) })),
    ),
  };
}

function listOrganizationNames({ slug, id }: Organization) {
  return [asText(slug), asText(id)].filter((name) => name !== undefined);
}

/** The lookup only makes an order safer and clearer, so it must not hold it up. */
const LOOKUP_MS = 5_000;

/**
 * Creates the lookup of who pays, which asks the platform once, at its first call. It gives
 * undefined if the platform does not say, and rejects only if it refuses the sign-in.
 * @param org undefined lets the platform choose
 */
export function createBuyerLookup(
  org: string | undefined,
  context: Needs<'api' | 'settings'>,
): () => Promise<Buyer | undefined> {
  const lookUp = async () => {
    try {
      const { user, usual, organizations } = await lookUpMembership(context, LOOKUP_MS);
      const found = org === undefined ? usual : findOrganization(organizations, org);
      return {
        email: asText(user.email),
        organization: findOrganizationName(found ?? {}),
        isStranger: organizations.length > 0 && found === undefined,
      };
    } catch (error) {
      if (error instanceof CliError && error.code !== 'unauthenticated') return undefined;
      throw error;
    }
  };
  return once(() => {
    const buyer = lookUp();
    // A refusal is reported where the answer is awaited, after the questions.
    buyer.catch(() => {});
    return buyer;
  });
}
