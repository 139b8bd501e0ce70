import { CliError } from '../../errors.ts';
import type { Context } from '../../kit/context.ts';
import { isResolvable, openResolver } from './resolver.ts';

/** Whether the parent zone has DS records of a domain, which turn DNSSEC on for it. */
export type DsLookup =
  | { readonly state: 'present' | 'absent' | 'not_asked' }
  | { readonly state: 'unknown'; readonly reason: string };

/** Asks the DNS whether DNSSEC is on for a domain, for at most two seconds. A failed lookup is not an error. */
export async function lookUpDs(context: Context, domain: string): Promise<DsLookup> {
  if (!isResolvable(context, domain)) return { state: 'not_asked' };
  try {
    const resolver = await openResolver(context, { triesMs: [700, 1300], signal: context.signal });
    const found = await resolver.lookup(domain, 'DS');
    if (found.outcome === 'failed') return { state: 'unknown', reason: found.reason };
    return { state: found.outcome === 'found' ? 'present' : 'absent' };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'unavailable') throw error;
    return { state: 'unknown', reason: error.message };
  }
}

/** The warning before a move. */
export function dsAdvice(domain: string): string {
  return `DNSSEC is on for ${domain}. If you switch nameservers while it has a DS record, the domain stops resolving.`;
}

/** The error of a check that DNSSEC does not pass; undefined where it is off. */
export function dsFailure(domain: string, ds: DsLookup): CliError | undefined {
  if (ds.state === 'unknown')
    return new CliError('no_data', `svc could not find out whether DNSSEC is on for ${domain} (${ds.reason}).`);
  if (ds.state !== 'present') return undefined;
  const alerts = [{ series: domain, figure: 'dnssec', value: 1, limit: 0, at: null }];
  return new CliError('alert', dsAdvice(domain), { alerts });
}

/** Whether a warning of the platform is about DNSSEC, which svc explains itself. */
export function isAboutDnssec(warning: string): boolean {
  return /\bDNSSEC\b|\bDS record/i.test(warning);
}

/** The first step of a move, or none without DNSSEC. Nearly all caches forget a DS record within a day. */
export function dsStep(domain: string, { state }: DsLookup, warnings: readonly string[]): string[] {
  if (state === 'absent') return [];
  const step = `emove the DS record of ${domain} at the registrar, and wait a day for caches to forget it.`;
  return [state === 'present' || warnings.some(isAboutDnssec) ? `R${step}` : `If DNSSEC is on, r${step}`];
}
