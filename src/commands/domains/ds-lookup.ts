import type { Context } from '../../command/context.ts';
import { CliError } from '../../errors.ts';
import { isKnowable, openResolver } from './resolver.ts';

/** Whether the zone above has DS records of a domain, which switch DNSSEC on for it. */
export type DsLookup =
  | { readonly state: 'present' | 'absent' | 'not_asked' }
  | { readonly state: 'unknown'; readonly reason: string };

/** Milliseconds of the tries: a warning is worth two seconds, not more. */
const TRIES_MS = [700, 1300];

/** Asks the DNS whether DNSSEC is on for a domain. Where nobody can say, that is no error. */
export async function lookUpDs(context: Context, domain: string): Promise<DsLookup> {
  if (!isKnowable(context, domain)) return { state: 'not_asked' };
  try {
    const resolver = await openResolver(context, { triesMs: TRIES_MS, signal: context.system.signal });
    const found = await resolver.lookup(domain, 'DS');
    if (found.outcome === 'failed') return { state: 'unknown', reason: found.reason };
    return { state: found.outcome === 'found' ? 'present' : 'absent' };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'unavailable') throw error;
    return { state: 'unknown', reason: error.message };
  }
}

/** What to do about DNSSEC before the switch, as a sentence. */
export function dsAdvice(domain: string): string {
  return (
    `DNSSEC is on for ${domain}. Remove its DS record at the registrar, and wait until caches have forgotten it ` +
    '(a day is enough for nearly all), before you switch nameservers: otherwise the domain stops resolving.'
  );
}
