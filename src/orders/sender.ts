import { readFileSync, readlinkSync } from 'node:fs';
import { asObject, asText } from '../json/values.ts';
import type { Machine } from '../store/machine.ts';

/** A process that sends an order, described so that others can check whether it is running. */
export interface Sender {
  readonly host: string;
  /** The id of the machine's boot, which differs between hosts with the same name. Linux only. */
  readonly boot?: string | undefined;
  /** Each container has its own. Linux only. */
  readonly pidNamespace?: string | undefined;
  readonly pid: number;
  /** Ticks since the boot: process ids are reused. Linux only. */
  readonly startedAt?: string | undefined;
  /** ISO 8601; when it gives up. */
  readonly until: string;
}

/** Describes this process as a sender. `until` is in milliseconds since the epoch. */
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

/** Whether another process may still be sending. On another machine or in another container, only its time counts. */
export function isSending(sender: Sender, now: number, machine: Machine): boolean {
  if (!(Date.parse(sender.until) > now)) return false;
  const self = senderHere(machine, now);
  if (self.boot === undefined || self.pidNamespace === undefined) return true;
  const isHere = (['host', 'boot', 'pidNamespace'] as const).every((field) => self[field] === sender[field]);
  if (!isHere) return true;
  if (sender.pid === self.pid || !machine.isAlive(sender.pid)) return false;
  const stat = statOf(sender.pid);
  return stat === undefined || (stat.isRunning && stat.startedAt === sender.startedAt);
}

/** Reads the state of a process on Linux; undefined elsewhere. */
function statOf(pid: number): { readonly isRunning: boolean; readonly startedAt: string | undefined } | undefined {
  const text = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The program's name, in parentheses, may have any characters. The state follows it, and 19 fields later the start.
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

/** Reads a sender of the journal; undefined if it is none. */
export function toSender(value: unknown): Sender | undefined {
  const { host, boot, pidNamespace, pid, startedAt, until } = asObject(value);
  if (typeof host !== 'string' || typeof pid !== 'number' || typeof until !== 'string') return undefined;
  return { host, boot: asText(boot), pidNamespace: asText(pidNamespace), pid, startedAt: asText(startedAt), until };
}
