import { flag, option } from '../../command/parameters.ts';
import { parseDuration } from '../../command/parse/duration.ts';

/** Seconds that `--wait` waits unless told otherwise: long enough to sign in at a registrar and for most caches. */
export const WAIT_SECONDS = 3600;

/** `--wait` and `--wait-timeout`. */
export function waitFlags(meaning: string) {
  return {
    wait: flag(meaning),
    waitTimeout: option('duration', 'wait at most this long (default: 1h)', parseDuration),
  };
}
