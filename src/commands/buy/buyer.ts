import type { Needs } from '../../cli/define/context.ts';
import { CliError } from '../../errors.ts';
import { asText } from '../../json/values.ts';
import { once } from '../../lazy.ts';
import type { Buyer } from '../../orders/description.ts';
import { findOrganization, findOrganizationName, lookUpMembership } from '../shared/names.ts';

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
  return once(() => {
    const buyer = lookUpBuyer(org, context);
    // A refusal is reported where the answer is awaited, after the questions.
    buyer.catch(() => {});
    return buyer;
  });
}

async function lookUpBuyer(
  org: string | undefined,
  context: Needs<'api' | 'settings'>,
): Promise<Buyer | undefined> {
  try {
    const { user, usual, organizations } = await lookUpMembership(context, LOOKUP_MS);
    const found = org === undefined ? usual : findOrganization(organizations, org);
    const isStranger = organizations.length > 0 && found === undefined;
    return {
      email: asText(user.email),
      organization: findOrganizationName(found ?? {}),
      isStranger,
    };
  } catch (error) {
    if (error instanceof CliError && error.code !== 'unauthenticated') return undefined;
    throw error;
  }
}
