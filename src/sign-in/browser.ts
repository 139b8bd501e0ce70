import type { Clock } from '../clock.ts';
import { type Env, findAgent, isOn } from '../environment.ts';
import { isLoopback } from '../http/address.ts';
import { lazy } from '../lazy.ts';
import { parseUrl } from '../parse-url.ts';
import type { Machine } from '../store/machine.ts';

/**
 * Parses an address that may be shown: http or https, without user information. Show its `href`.
 */
export function parseShownUrl(text: unknown): URL | undefined {
  const url = typeof text === 'string' ? parseUrl(text) : undefined;
  if (url === undefined) return undefined;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

/** Parses an address that a browser may open: https, or http on this machine. */
export function parseSafeUrl(text: string): URL | undefined {
  const url = parseShownUrl(text);
  return url?.protocol === 'https:' || (url && isLoopback(url.hostname)) ? url : undefined;
}

/** A failure that comes later means that the user closed the browser. */
const LAUNCH_MS = 5_000;

type Situation = Pick<Machine, 'platform' | 'uid'> &
  Readonly<{ env: Env; stdinIsTty: boolean; stderrIsTty: boolean; json: boolean }>;

/**
 * Whether a browser may be opened: a person is at a local terminal, has a screen, and has not
 * disabled it.
 */
export function shouldOpenBrowser({
  env,
  platform,
  uid,
  stdinIsTty,
  stderrIsTty,
  json,
}: Situation): boolean {
  const isSet = (name: string): boolean => Boolean(env[name]);
  if (!stdinIsTty || !stderrIsTty || json || findAgent(env) !== undefined) return false;
  if (isOn(env['SVC_NO_BROWSER']) || isOn(env['CI']) || env['BROWSER']?.toLowerCase() === 'none') {
    return false;
  }
  // A remote editor sets BROWSER to what opens a page at the other end.
  const isRemote = ['SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(isSet);
  if (isRemote && !isSet('BROWSER')) return false;
  if (uid === 0 && ['SUDO_UID', 'SUDO_USER'].some(isSet)) return false;
  const screens = ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'WSL_INTEROP', 'BROWSER'];
  return platform === 'win32' || platform === 'darwin' || screens.some(isSet);
}

/**
 * Opens a page, on Linux with the program that `BROWSER` names. Calls `onFailure` once if the
 * launcher fails; whether the page opened cannot be known.
 */
export function openInBrowser(
  url: URL,
  { clock, env, platform }: Readonly<{ clock: Clock; env: Env; platform: string }>,
  onFailure: () => void,
): void {
  const startedMs = clock.monotonic();
  let isOver = false;
  const fail = (): void => {
    if (isOver || clock.monotonic() - startedMs > LAUNCH_MS) return;
    isOver = true;
    onFailure();
  };
  const launch = async (): Promise<void> => {
    const open = await lazy.open();
    const program = platform === 'linux' ? env['BROWSER'] : undefined;
    const launcher = await open(url.href, program ? { app: { name: program } } : {});
    launcher.on('error', fail).on('exit', (code) => {
      if (code !== 0) fail();
    });
  };
  launch().catch(fail);
}
