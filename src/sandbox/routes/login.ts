import { OPERATIONS } from '../../spec/operations.ts';
import { ORGANIZATIONS, USER } from '../data/people.ts';
import { LOGIN_LIFETIME_SECONDS, poll, startLogin, withLogin } from '../device-login.ts';
import { fieldsOf } from '../fields.ts';
import type { Parts } from '../parts.ts';
import { openRoute, type Reply, type Route } from '../route.ts';
import { hashOf, mint } from '../secrets.ts';
import type { DeviceLogin } from '../state.ts';
import { Refusal } from '../web/refusal.ts';

/** Operations 1 and 2. */
export const LOGIN_ROUTES: readonly Route[] = [
  openRoute(OPERATIONS.startDeviceLogin, async (parts, request) => {
    const fields = fieldsOf(await request.body());
    const clientName = fields.requiredText('clientName', { max: 100 });
    fields.refuseIfWrong();
    const { login, deviceCode } = startLogin(clientName, parts.intervalSeconds, parts.clock.now());
    parts.store.commit({ logins: [...parts.store.state.logins, login] });
    const verificationUri = `${parts.origin}/device`;
    const body = {
      deviceCode,
      userCode: login.userCode,
      verificationUri,
      verificationUriComplete: `${verificationUri}?code=${login.userCode}`,
      expiresIn: LOGIN_LIFETIME_SECONDS,
      interval: login.intervalSeconds,
    };
    return { status: 200, body };
  }),

  openRoute(OPERATIONS.pollDeviceLogin, async (parts, request) => {
    const fields = fieldsOf(await request.body());
    const hash = hashOf(fields.requiredText('deviceCode'));
    fields.refuseIfWrong();
    const { logins } = parts.store.state;
    const found = logins.find((login) => login.deviceCodeHash === hash);
    if (found === undefined) throw new Refusal(400, 'invalid_grant');
    const { login, outcome } = poll(found, parts.clock.now());
    if (outcome === 'approved') return deliverToken(parts, login);
    parts.store.commit({ logins: withLogin(logins, login) });
    throw new Refusal(400, outcome);
  }),
];

/** Marks the login as used and mints its token in one change, so that no crash between them loses or doubles it. */
function deliverToken(parts: Parts, login: DeviceLogin): Reply {
  const { secret, credential } = mint('token', login.clientName, parts.clock.now());
  const { logins, credentials } = parts.store.state;
  parts.store.commit({ logins: withLogin(logins, login), credentials: [...credentials, credential] });
  const body = {
    token: secret,
    tokenId: credential.id,
    expiresAt: new Date(credential.expiresAt).toISOString(),
    organizationId: ORGANIZATIONS[0].id,
    user: { id: USER.id, email: USER.email, name: USER.name },
  };
  return { status: 200, body };
}
