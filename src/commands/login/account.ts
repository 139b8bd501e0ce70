import type { Context } from '../../command/context.ts';
import { asObject, asText } from '../../json/values.ts';
import { getUser } from '../../service/operations.ts';
import type { CredentialRecord } from '../../vault/credentials/records.ts';

/** Asks the service for the name of the organization of a new sign-in, for a person only. Never fails. */
export async function lookUpOrganization(
  { api, io, settings, system }: Context,
  { token, baseUrl, profile }: CredentialRecord,
): Promise<string | undefined> {
  if (!io.err.isTty || settings.globals.json || system.signal.aborted) return undefined;
  const address = { value: baseUrl, origin: 'profile', where: `profile ${profile}` } as const;
  try {
    const client = await api.clientFor({ kind: 'bearer', token, source: address.where }, address);
    const { value } = await io.during('Looking up your organization...', () => getUser(client));
    return asText(asObject(value.organization)['name']);
  } catch {
    return undefined;
  }
}
