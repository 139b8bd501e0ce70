import { OPERATIONS } from '../spec/operations.ts';
import { exchange, type LoginAnswer, type LoginWire } from './exchange.ts';

/** What one poll brought. */
export type PollAnswer = LoginAnswer;

/**
 * Operation 2, sent once: asks whether the login was approved. Rejects only with the reason of the signal, which is
 * aborted when nobody waits for the answer any more.
 */
export type Poll = (deviceCode: string, signal: AbortSignal) => Promise<PollAnswer>;

/** Polls over the network. */
export function createPoll(wire: LoginWire): Poll {
  return (deviceCode, signal) => exchange(wire, OPERATIONS.pollDeviceLogin, { deviceCode }, { signal });
}
