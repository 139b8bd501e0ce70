import { describe, expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { ISSUED, START } from '../support/device-login.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** 22 November 2026, as a service may write it. */
const SECONDS = 1_795_362_483;
const SPELLINGS = [SECONDS, SECONDS * 1000, String(SECONDS), String(SECONDS * 1000), '2026-11-22T15:48:03Z'];
const SHOWN = /2026-11-22T15:48:03(?:\.000)?Z/g;

describe.each(SPELLINGS.map((time) => [JSON.stringify(time), time] as const))(
  'a time that is written as %s',
  (_, time) => {
    test('is shown as one by deployments inspect, in fields that svc knows and in others', async () => {
      const wire = await testWire();
      const plan = wire.on('GET', '/v1/services/s/deployments/d');
      // One field at a time: a time that stands above already is not shown again.
      const labels = { createdAt: 'Created', startedAt: 'Started', finishedAt: 'Finished', created_at: 'Created' };
      for (const [field, label] of Object.entries({ ...labels, queuedAt: 'Queued', last_restart_at: 'Last restart' })) {
        plan.reply(200, { deployment: { id: 'd', [field]: time }, isLive: true });
        const { stdout } = await svc(['deployments', 'inspect', 'd', '--service', 's'], { url: wire.url });
        expect(stdout).toMatch(new RegExp(`${label} +2026-11-22T15:48:03`));
        expect(stdout).not.toContain(String(SECONDS));
      }
    });

    test('is shown as one by whoami, and the token that it ends is judged by it', async () => {
      const wire = await testWire();
      const [user, organization] = [
        { id: 'u', createdAt: time },
        { id: 'o', created_at: time },
      ];
      wire.on('GET', '/v1/user').always(200, { user, organization, token: { id: 't', expiresAt: time } });
      const before = await svc(['whoami'], { url: wire.url, clock: fakeClock('2026-11-01T00:00:00Z') });
      expect(before.stdout).toMatch(/Token expires +2026-11-22T15:48:03/);
      expect(before.stdout.match(SHOWN)?.length).toBeGreaterThan(0);
      expect(before.stdout).not.toContain(String(SECONDS));
      const after = await svc(['whoami'], { url: wire.url, clock: fakeClock('2026-12-01T00:00:00Z') });
      expect(after.stdout).toMatch(/Token expired +2026-11-22T15:48:03/);
    });

    test('is a time for status, on the screen and in its document', async () => {
      const wire = await testWire();
      const configDir = await temporaryFolder();
      wire.on('GET', '/v1/user').always(200, { user: { email: 'a@b.c' }, token: { expiresAt: time } });
      wire.on('GET', '/v1/billing/autopay').always(200, {});
      wire.on('GET', '/v1/services/s/metrics/history').always(200, []);
      wire
        .on('GET', '/v1/services/s/deployments/d')
        .always(200, { deployment: { id: 'd', status: 'live', createdAt: time } });
      const options = { url: wire.url, configDir, clock: fakeClock('2026-11-01T00:00:00Z') };
      await svc(['deployments', 'inspect', 'd', '--service', 's'], options);
      const run = await svc(['status', '--service', 's', '--json'], options);
      const { token, deployment } = run.json as { token: object; deployment: object };
      expect(token).toMatchObject({ expiresAt: expect.stringMatching(SHOWN), daysLeft: 22 });
      expect(deployment).toMatchObject({ createdAt: expect.stringMatching(SHOWN) });
      expect((await svc(['status', '--service', 's'], options)).stdout).toMatch(/live, 2026-11-22T15:48:03/);
    });

    test('ends a token of a login, with the notice days before', async () => {
      const wire = await testWire();
      wire.on('POST', '/v1/auth/device').reply(200, START);
      wire.on('POST', '/v1/auth/device/token').reply(200, { ...ISSUED, expiresAt: time });
      wire.on('GET', '/v1/user').always(200, {});
      const configDir = await temporaryFolder();
      const clock = fakeClock('2026-11-20T10:00:00Z');
      expect((await svc(['login'], { url: wire.url, token: null, configDir, clock })).stderr).toContain('22 Nov 2026');
      expect(readSignIns(configDir).credentials[0]?.expiresAt).toBe('2026-11-22T15:48:03.000Z');
      const run = await svc(['whoami'], { configDir, clock, terminal: { columns: 120, rows: 30 } });
      expect(run.stderr).toContain('expires in 2 days, on 22 Nov 2026');
    });

    test('ends a stored token as well', async () => {
      const wire = await testWire();
      wire.on('GET', '/v1/user').always(200, {});
      const configDir = await temporaryFolder();
      writeSignIns(configDir, storedSignIn('work', wire.url, { expiresAt: time as string }));
      const run = await svc(['whoami'], {
        configDir,
        clock: fakeClock('2026-11-20T10:00:00Z'),
        terminal: { columns: 120, rows: 30 },
      });
      expect(run.stderr).toContain('expires in 2 days, on 22 Nov 2026');
      const list = (await svc(['profiles', '--json'], { configDir })).json;
      expect(list).toMatchObject({ profiles: [{ expiresAt: expect.stringMatching(SHOWN) }] });
    });
  },
);
