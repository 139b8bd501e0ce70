import type { DomainCheck } from '../../dns/domain-check.ts';
import type { NameserverReport, NameserverState } from '../../dns/nameserver.ts';
import { showServer } from '../../dns/server.ts';
import { isBroken, type Verdict } from '../../dns/verdict.ts';
import { CliError } from '../../errors.ts';

/** What a verdict means, in a sentence. */
const SENTENCES: Readonly<Record<Verdict, string>> = {
  complete: 'The move is complete.',
  propagating: 'The nameservers are switched; caches of the DNS still have the old ones.',
  mixed: 'Old and new nameservers are set side by side at the registrar.',
  not_started: 'The nameservers are not switched yet.',
  not_delegated: 'The DNS knows no nameservers for this domain.',
  broken_dnssec: 'DNSSEC is broken: the DS record does not fit the new nameservers.',
  broken_nameservers: 'A new nameserver does not serve the domain.',
  broken_records: 'The new nameservers answer with other records than were staged.',
};

/** What to do about a verdict, behind `Try: `. */
function wayOut(verdict: Exclude<Verdict, 'complete'>, domain: string): string {
  const ways: Readonly<Record<typeof verdict, string>> = {
    propagating: 'the same command with --wait; caches forget within two days at most',
    mixed: 'removing the old nameservers at the registrar',
    not_started: 'setting the new nameservers at the registrar',
    not_delegated: 'a look at the registrar: is the domain registered and paid, and are nameservers set?',
    broken_dnssec: 'removing the DS record at the registrar',
    broken_nameservers: 'the support of the service, with what is listed above',
    broken_records: `svc domains add ${domain} --import --records <file>, to stage the right records again`,
  };
  return ways[verdict];
}

/** The verdict as a sentence. */
export function sentenceOf({ verdict }: Pick<DomainCheck, 'verdict'>): string {
  return SENTENCES[verdict];
}

/** What ends the command after a check: nothing only where the move is complete. */
export function failureOf({ verdict }: Pick<DomainCheck, 'verdict'>, domain: string): CliError | undefined {
  if (verdict === 'complete') return undefined;
  return new CliError(isBroken(verdict) ? 'failed' : 'still_running', `${domain}: ${SENTENCES[verdict]}`, {
    hint: wayOut(verdict, domain),
  });
}

const STATES: Readonly<Record<NameserverState, string>> = {
  serves: 'serves the domain',
  not_serving: 'answers, but does not serve the domain',
  no_address: 'has no address',
  silent: 'does not answer',
  unreachable: 'cannot be reached',
  garbled: 'answers with something that is no DNS',
};

/** What a nameserver said, in words. */
export function stateOf({ state }: NameserverReport): string {
  return STATES[state];
}

/** A nameserver as the user or the service named it. */
export function nameOf({ nameserver }: NameserverReport): string {
  return showServer(nameserver);
}
