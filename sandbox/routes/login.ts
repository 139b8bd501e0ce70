import { OPERATIONS } from '../../src/contract/operations.ts';
import { ORGANIZATIONS, USER } from '../data/people.ts';
import { LOGIN_LIFETIME_SECONDS, openLogin, poll, withLogin } from '../device-login.ts';
import { createBodyReader } from '../fields.ts';
import type { Parts } from '../parts.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import { createCredential, hashSecret } from '../secrets.ts';
import type { DeviceLogin } from '../state.ts';
import { Refusal } from '../web/refusal.ts';

/** Operations 1 and 2. */
export const LOGIN_ROUTES: readonly Route[] = [
  { operation: OPERATIONS.startDeviceLogin, answer: startDeviceLogin },
  { operation: OPERATIONS.pollDeviceLogin, answer: pollDeviceLogin },
];

async function startDeviceLogin(parts: Parts, request: ApiRequest): Promise<Reply> {
  const fields = createBodyReader(await request.body());
  const clientName = fields.requiredText('clientName', { max: 100 });
  fields.refuseIfWrong();
  const { login, deviceCode } = openLogin(clientName, parts.intervalSeconds, parts.clock.now());
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
}

async function pollDeviceLogin(parts: Parts, request: ApiRequest): Promise<Reply> {
  const fields = createBodyReader(await request.body());
  const hash = hashSecret(fields.requiredText('deviceCode'));
  fields.refuseIfWrong();
  const { logins } = parts.store.state;
  const found = logins.find((login) => login.deviceCodeHash === hash);
  if (found === undefined) throw new Refusal(400, 'invalid_grant');
  const { login, outcome } = poll(found, parts.clock.now());
  if (outcome === 'approved') return deliverToken(parts, login);
  parts.store.commit({ logins: withLogin(logins, login) });
  throw new Refusal(400, outcome);
}

/**
 * Marks the login as used and creates its token in one commit, so that a crash cannot lose or
 * double the token.
 */
function deliverToken(parts: Parts, login: DeviceLogin): Reply {
  const { secret, credential } = createCredential('token', login.clientName, parts.clock.now());
  const { logins, credentials } = parts.store.state;
  parts.store.commit({
    logins: withLogin(logins, login),
    credentials: [...credentials, credential],
  });
  const body = {
    token: secret,
    tokenId: credential.id,
    expiresAt: new Date(credential.expiresAt).toISOString(),
    organizationId: ORGANIZATIONS[0].id,
    user: { id: USER.id, email: USER.email, name: USER.name },
  };
  return { status: 200, body };
}
