import type { NextKind } from '../../errors.ts';

/** The commands that look at something and change nothing, on the platform or here. */
export const LOOKS: readonly string[] = [
  'billing autopay',
  'changes',
  'config get',
  'config list',
  'db inspect',
  'deployments inspect',
  'doctor',
  'domains import',
  'domains status',
  'help',
  'metrics',
  'orders list',
  'orgs list',
  'profiles list',
  'status',
  'whoami',
  'wp status',
];

/**
 * Tells what command lines are for by their words. A line that signs in says so for all; that the
 * same line may be run again unseen can only be said by who made it.
 */
export function classifyNext(lines: readonly string[]): NextKind {
  if (lines.some((line) => /^(?:.*; )?svc login\b/.test(line))) return 'sign_in';
  return lines.every(isLook) ? 'look' : 'other';
}

/** The groups that list something if they are typed alone. */
const LISTS: readonly string[] = ['svc config', 'svc orders', 'svc orgs', 'svc profiles'];

function isLook(line: string): boolean {
  if (line.endsWith(' --help') || LISTS.includes(line)) return true;
  // A file is written, or a program is started.
  if (/ --(?:output|report)\b|[;|&>]/.test(line)) return false;
  // A call of a tool has `--json` in front.
  const words = line.replace(' --json ', ' ');
  return LOOKS.some((path) => `${words} `.startsWith(`svc ${path} `));
}
