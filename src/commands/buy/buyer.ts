import { CliError } from '../../errors.ts';
import { asText } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import type { Buyer } from '../../orders/question.ts';
import { findOrganization, lookUpMembership, type Membership, titleOf } from '../shared/membership.ts';

/** The lookup only makes the confirmation clearer, so it must not contain an order up. */
const LOOKUP_MS = 5_000;

/**
 * Looks up who pays if a person is to confirm the order; undefined if nobody is asked, or the platform does not say.
 * Rejects only if the platform refuses the sign-in.
 * @param org the organization that pays; undefined lets the platform choose
 */
export function lookUpBuyer(context: Context, org: string | undefined): Promise<Buyer | undefined> {
  const { io, settings } = context;
  const willAsk = io.host === undefined ? io.interactive && !settings.globals.yes : io.host.confirm !== undefined;
  if (!willAsk) return Promise.resolve(undefined);
  const looking = lookUpMembership(context, LOOKUP_MS).then(
    (membership) => buyerOf(membership, org),
    (error: unknown) => {
      if (error instanceof CliError && error.code !== 'unauthenticated') return undefined;
      throw error;
    },
  );
  // A refusal is reported where the answer is awaited, after the questions.
  looking.catch(() => {});
  return looking;
}

function buyerOf({ user, usual, organizations }: Membership, org: string | undefined): Buyer {
  const found = org === undefined ? usual : findOrganization(organizations, org);
  return {
    email: asText(user.email),
    organization: titleOf(found ?? {}),
    isStranger: organizations.length > 0 && found === undefined,
  };
}
