export const START = {
  deviceCode: 'DEVICE-CODE-SECRET',
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://example.com/device',
  verificationUriComplete: 'https://example.com/device?code=WDJB-MJHT',
  expiresIn: 900,
  interval: 1,
};

export const ISSUED = {
  token: 'svc_CANARY_of_a_device_login_1',
  tokenId: 'tok_9',
  expiresAt: '2026-05-30T12:00:00.000Z',
  organizationId: 'org_1',
  user: { email: 'marie@example.com' },
};
