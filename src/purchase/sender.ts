import { readFileSync, readlinkSync } from 'node:fs';
import type { Machine } from '../store/machine.ts';

/** A process that sends a purchase, named so that others can tell whether it still lives. */
export interface Sender {
  readonly host: string;
  /** The boot of the machine: hosts that share a name do not share it. Known on Linux. */
  readonly boot?: string | undefined;
  /** What process numbers count in: each container has its own. Known on Linux. */
  readonly pidNamespace?: string | undefined;
  readonly pid: number;
  /** When the process began, in ticks since the boot: a number may be given to another process. Known on Linux. */
  readonly startedAt?: string | undefined;
  /** ISO 8601; when it will have given up. */
  readonly until: string;
}

/** This process as a sender that gives up at an instant (milliseconds since 1970). */
export function senderHere({ hostname, pid }: Machine, until: number): Sender {
  return {
    host: hostname,
    boot: quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: quietly(() => readlinkSync('/proc/self/ns/pid')),
    pid,
    startedAt: statOf(pid)?.startedAt,
    until: new Date(until).toISOString(),
  };
}

/**
 * Whether another process may still be sending. One that cannot be looked up, because it runs on another machine or in
 * another container, counts as alive until its time is over.
 */
export function isSending(sender: Sender, now: number, machine: Machine): boolean {
  if (!(Date.parse(sender.until) > now)) return false;
  const self = senderHere(machine, now);
  const canLookUp =
    self.boot !== undefined &&
    self.pidNamespace !== undefined &&
    self.host === sender.host &&
    self.boot === sender.boot &&
    self.pidNamespace === sender.pidNamespace;
  if (!canLookUp) return true;
  if (sender.pid === self.pid || !machine.isAlive(sender.pid)) return false;
  const stat = statOf(sender.pid);
  return stat === undefined || (stat.isRunning && stat.startedAt === sender.startedAt);
}

/** What Linux says of a process; `undefined` where it says nothing. */
function statOf(pid: number): { readonly isRunning: boolean; readonly startedAt: string | undefined } | undefined {
  const text = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name of the program, in parentheses, may hold anything. The state follows it, and 19 fields later the start.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && { isRunning: !/^[ZX]/.test(fields[0] ?? ''), startedAt: fields[19] };
}

function quietly(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
