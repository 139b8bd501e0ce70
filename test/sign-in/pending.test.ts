import { expect, test } from 'vitest';
import { findPending, forgetPending, keepPending } from '../../src/sign-in/pending.ts';
import { newStore } from './stage.ts';

const ANY = { apiUrl: undefined, profile: undefined };

function createPending(deviceCode: string, startedAtMs: number) {
  const login = {
    apiUrl: 'https://api.example.com',
    clientName: 'marie-laptop',
    deviceCode,
    userCode: 'WDJB-MJHT',
    verificationUri: 'https://example.com/device',
    verificationUriComplete: undefined,
    intervalSeconds: 5,
    lifeSeconds: 900,
    isLifeKnown: true,
    startedAtMs,
    warnings: [],
  };
  return { login, profile: 'work' };
}

test('a login that ended takes only itself away, and not the one that was started after it', async () => {
  const { place } = newStore();
  const nowMs = place.clock.now();
  const expired = createPending('DEVICE-CODE-1', nowMs - 901_000);
  const waiting = createPending('DEVICE-CODE-2', nowMs);
  await keepPending(place, expired);
  await keepPending(place, waiting);

  await forgetPending(place, expired);
  expect(findPending(place, ANY)).toEqual(waiting);

  await forgetPending(place, waiting);
  expect(() => findPending(place, ANY)).toThrow('There is no login to complete here.');
});

test('an expired login can be completed: it may have been approved', async () => {
  const { place } = newStore();
  const expired = createPending('DEVICE-CODE-1', place.clock.now() - 901_000);
  await keepPending(place, expired);

  expect(findPending(place, ANY)).toEqual(expired);
});
