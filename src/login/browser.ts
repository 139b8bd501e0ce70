import type { Clock } from '../clock.ts';
import { type Env, isOn } from '../environment.ts';
import { isLoopback } from '../http/address.ts';
import { lazy } from '../lazy.ts';

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

/** Milliseconds in which a launcher's failure is worth a word; later it is the user who closed the browser. */
const LAUNCH_MS = 5_000;

/** What decides whether a browser is opened. */
export interface BrowserSituation {
  readonly env: Env;
  readonly platform: string;
  /** The user's id, where the platform has one. */
  readonly uid: number | undefined;
  readonly stdinIsTty: boolean;
  readonly stderrIsTty: boolean;
  readonly json: boolean;
}

/** Whether a browser may be opened: somebody sits here, has a screen, and did not say no. */
export function shouldOpenBrowser(situation: BrowserSituation): boolean {
  const { env, platform, uid, stdinIsTty, stderrIsTty, json } = situation;
  const isSet = (name: string): boolean => Boolean(env[name]);
  if (!stdinIsTty || !stderrIsTty || json) return false;
  if (isOn(env['SVC_NO_BROWSER']) || isOn(env['CI']) || env['BROWSER']?.toLowerCase() === 'none') return false;
  if (['SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(isSet)) return false;
  if (uid === 0 && ['SUDO_UID', 'SUDO_USER'].some(isSet)) return false;
  const screens = ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'WSL_INTEROP', 'BROWSER'];
  return platform === 'win32' || platform === 'darwin' || screens.some(isSet);
}

/**
 * Hands a checked address to the browser. Returns at once: whether a page opens cannot be known, only whether the
 * launcher failed, which `onFailure` is told at most once.
 */
export function openInBrowser(url: URL, clock: Clock, onFailure: () => void): void {
  const startedMs = clock.monotonic();
  let isOver = false;
  const fail = (): void => {
    if (isOver || clock.monotonic() - startedMs > LAUNCH_MS) return;
    isOver = true;
    onFailure();
  };
  launch(url).then((launcher) => {
    launcher.on('error', fail);
    launcher.on('exit', (code) => {
      if (code !== 0) fail();
    });
  }, fail);
}

async function launch(url: URL) {
  const open = await lazy.open();
  return await open(url.href);
}
