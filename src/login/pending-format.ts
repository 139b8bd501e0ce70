import { asText, isObject, parseJson } from '../spec/read.ts';
import type { DeviceLogin } from './device-start.ts';
import { shownWebUrl } from './web-url.ts';

/** Understands the file of a started login; `undefined` where what the polling needs is not in it. */
export function parsePending(text: string | undefined): { login: DeviceLogin; profile: string } | undefined {
  const value = parseJson(text ?? '');
  const { profile: name, login: fields } = isObject(value) ? value : {};
  const profile = asText(name);
  if (profile === undefined || !isObject(fields)) return undefined;
  const [apiUrl, deviceCode] = [shownWebUrl(fields['apiUrl']), asText(fields['deviceCode'])];
  const [intervalSeconds, lifeSeconds, startedAtMs] = [
    positive(fields['intervalSeconds']),
    positive(fields['lifeSeconds']),
    positive(fields['startedAtMs']),
  ];
  if (apiUrl === undefined || deviceCode === undefined) return undefined;
  if (intervalSeconds === undefined || lifeSeconds === undefined || startedAtMs === undefined) return undefined;
  const login = {
    apiUrl: String(fields['apiUrl']),
    clientName: asText(fields['clientName']) ?? 'svc',
    deviceCode,
    userCode: asText(fields['userCode']),
    verificationUri: shownWebUrl(fields['verificationUri'])?.href,
    verificationUriComplete: shownWebUrl(fields['verificationUriComplete'])?.href,
    intervalSeconds,
    lifeSeconds,
    isLifeKnown: fields['isLifeKnown'] === true,
    startedAtMs,
    warnings: [],
  };
  return { login, profile };
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
