import { OPERATIONS } from '../../src/contract/operations.ts';
import { LOCAL_CURRENCY, ORGANIZATIONS, STUDIO, USER } from '../data/people.ts';
import { type Route, signedInRoute } from '../route.ts';
import { maskedPhone } from '../secrets.ts';

const STUDIO_AUTOPAY = {
  phoneMasked: maskedPhone('+237600000042'),
  provider: 'mtn',
  currency: LOCAL_CURRENCY,
};
const NO_AUTOPAY = { phoneMasked: null, provider: null, currency: LOCAL_CURRENCY };

/** Operations 11 and 12. */
export const ACCOUNT_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.getUser, (_parts, _request, { credential, organization }) => {
    const { kind, id, name, createdAt, expiresAt } = credential;
    const dates = {
      createdAt: new Date(createdAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
    };
    const body = {
      user: USER,
      organization,
      organizations: ORGANIZATIONS,
      authMethod: kind === 'token' ? 'api_token' : 'session',
      ...(kind === 'token' && { token: { id, name, ...dates } }),
    };
    return { status: 200, body };
  }),

  signedInRoute(OPERATIONS.getAutopay, (parts, _request, { organization }) => {
    const saved = parts.store.state.autopay.find(
      ({ organizationId }) => organizationId === organization.id,
    );
    const { phoneMasked, provider, currency } =
      saved ?? (organization.id === STUDIO.id ? STUDIO_AUTOPAY : NO_AUTOPAY);
    return {
      status: 200,
      body: { enabled: phoneMasked !== null, phoneMasked, provider, currency },
    };
  }),
];
