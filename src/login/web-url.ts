import { isLoopback } from '../http/address.ts';

/**
 * A web address of the service as it may be shown: http or https, without user information, written anew by the URL
 * parser so that nothing of the original's spelling survives. `undefined` for anything else.
 */
export function shownWebUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

/** A web address that may be handed to a browser: https, or http on this machine. */
export function safeWebUrl(text: string): URL | undefined {
  const url = shownWebUrl(text);
  return url?.protocol === 'https:' || (url && isLoopback(url.hostname)) ? url : undefined;
}
