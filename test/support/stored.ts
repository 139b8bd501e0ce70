import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CredentialRecord } from '../../src/sign-in/credentials.ts';

/** A stored sign-in; its token is `svc_CANARY_<profile>`. */
export function storedSignIn(
  profile: string,
  baseUrl: string,
  more: Partial<CredentialRecord> = {},
): CredentialRecord {
  return {
    profile,
    baseUrl,
    token: `svc_CANARY_${profile}`,
    tokenId: `tok_${profile}`,
    expiresAt: '2026-05-30T12:00:00.000Z',
    organizationId: 'org_1',
    email: `${profile}@example.com`,
    clientName: 'marie-laptop',
    createdAt: '2026-03-01T12:00:00.000Z',
    ...more,
  };
}

/** Writes the credentials file of a folder; the first profile is the current one. */
export function writeSignIns(configDir: string, ...credentials: readonly CredentialRecord[]): void {
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  const file = { version: 1, current: credentials[0]?.profile, credentials };
  writeFileSync(join(configDir, 'credentials.json'), JSON.stringify(file), { mode: 0o600 });
}

export function writeNamesSeen(configDir: string, names: object): void {
  writeFileSync(join(configDir, 'cache.json'), JSON.stringify({ version: 1, names }));
}

export function readNamesSeen(
  configDir: string,
): Record<string, Record<string, { name: string }[]>> {
  return JSON.parse(readFileSync(join(configDir, 'cache.json'), 'utf8')).names;
}

export function readSignIns(configDir: string): {
  current?: string;
  credentials: readonly CredentialRecord[];
} {
  return JSON.parse(readFileSync(join(configDir, 'credentials.json'), 'utf8'));
}
