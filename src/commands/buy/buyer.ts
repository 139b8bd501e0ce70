import type { Needs } from '../../cli/define/context.ts';
import { CliError } from '../../errors.ts';
import { asText } from '../../json/values.ts';
import type { Buyer } from '../../orders/question.ts';
import { findOrganization, lookUpMembership, titleOf } from '../shared/membership.ts';

/** The lookup only makes the confirmation clearer, so it must not hold an order up. */
const LOOKUP_MS = 5_000;

/**
 * Looks up who pays if a person is to confirm the order; undefined if the platform does not say.
 * Rejects only if it refuses the sign-in.
 * @param org undefined lets the platform choose
 */
export function lookUpBuyer(
  context: Needs<'api' | 'io' | 'settings'>,
  org: string | undefined,
): Promise<Buyer | undefined> {
  const { io } = context;
  const willAsk = io.host === undefined ? io.interactive : io.host.confirm !== undefined;
  if (!willAsk) return Promise.resolve(undefined);
  const looking = lookUpMembership(context, LOOKUP_MS).then(
    ({ user, usual, organizations }) => {
      const found = org === undefined ? usual : findOrganization(organizations, org);
      const isStranger = organizations.length > 0 && found === undefined;
      return { email: asText(user.email), organization: titleOf(found ?? {}), isStranger };
    },
    (error: unknown) => {
      if (error instanceof CliError && error.code !== 'unauthenticated') return undefined;
      throw error;
    },
  );
  // A refusal is reported where the answer is awaited, after the questions.
  looking.catch(() => {});
  return looking;
}
