import { listNames } from '../../errors.ts';
import type { Screen } from '../../terminal/screen.ts';

/** The facts from which the steps of a move follow. */
interface MoveFacts {
  /** The nameservers to set at the registrar. */
  readonly nameservers: readonly string[];
  /** Those that are set there now, as far as svc knows. */
  readonly currentNameservers: readonly string[];
  readonly isSwitched: boolean;
  /** Whether a DS record turns DNSSEC on; undefined if nobody knows. */
  readonly isSigned: boolean | undefined;
  readonly hasDashboard: boolean;
}

/** Shows a move as a checklist, the same after it is staged and while it goes on. */
export function showSteps(screen: Screen, facts: MoveFacts): void {
  const { isSwitched, hasDashboard } = facts;
  const place = hasDashboard ? ': svc open domains' : '.';
  screen.steps([
    ...(isSwitched ? [] : listSwitchSteps(facts)),
    'Keep the old records for two days: DNS caches may still use them.',
    `Verify the domain in the dashboard${place}`,
  ]);
}

/** Lists what is done at the registrar. Nearly all caches forget a DS record within a day. */
function listSwitchSteps(facts: MoveFacts): readonly string[] {
  const { nameservers, currentNameservers, isSigned } = facts;
  const others = currentNameservers.filter((name) => !nameservers.includes(name));
  const place = others.length === 0 ? 'all others' : listNames(others);
  const switching = `Set ${listNames(nameservers)} at the registrar, in place of ${place}.`;
  if (isSigned === false) return [switching];
  const unsigning = isSigned
    ? 'Remove the DS record at the registrar (DNSSEC is on), and wait a day.'
    : 'If DNSSEC is on, remove the DS record at the registrar, and wait a day.';
  return [unsigning, switching];
}
