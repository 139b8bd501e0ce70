import type { Context } from '../../command/context.ts';
import type { KnownNames } from '../../command/result.ts';
import { asArray, asObject, asText, type JsonObject } from '../../json/values.ts';
import { getUser } from '../../service/operations.ts';

/** The organizations of an account, and the one that the service uses where none is asked for. */
export interface Membership {
  readonly organizations: readonly JsonObject[];
  readonly usual: JsonObject;
}

/** Operation 11, in no chosen organization: one that the account has left would be refused, and could not be changed. */
export async function lookUpMembership({ settings, api: { client, clientFor } }: Context): Promise<Membership> {
  const credential = settings.credential();
  const { value } = await getUser(credential === undefined ? await client() : await clientFor(credential));
  return { organizations: asArray(value.organizations).map(asObject), usual: asObject(value.organization) };
}

/** The organization of this id or slug. */
export function findOrganization(organizations: readonly JsonObject[], name: string): JsonObject | undefined {
  return organizations.find((organization) => namesOf(organization).includes(name));
}

/** The organizations by the name that a person would type, for Tab. */
export function seenIn(organizations: readonly JsonObject[]): KnownNames {
  const known = organizations.flatMap((organization) => {
    const [name] = namesOf(organization);
    return name === undefined ? [] : [{ name, about: asText(organization['name']) }];
  });
  return { organizations: known };
}

/** What an organization can be chosen by. */
function namesOf({ slug, id }: JsonObject): readonly string[] {
  return [asText(slug), asText(id)].filter((name) => name !== undefined);
}
