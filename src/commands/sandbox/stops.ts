import type { Listing } from '../../sandbox/server.ts';

/** One command of the tour. */
export interface Stop {
  /** The words behind `svc`. */
  readonly words: readonly string[];
  readonly meaning: string;
  readonly exitCode: number;
  /** Whether the command waits for somebody to approve it in a browser. */
  readonly approve?: boolean;
  /** Whether it uses the sign-in that `login` stored, instead of `SVC_TOKEN`. */
  readonly stored?: boolean;
}

/** Every documented command, in the order a newcomer would meet them. */
export function tourStops({ services, deployments, databases, plans, domains }: Listing): readonly Stop[] {
  const wordpress = services[0]?.id ?? '';
  const deployment = deployments[0];
  const [ownDatabase, otherDatabase] = databases;
  const domain = domains[0] ?? '';
  const free = plans.find((plan) => plan.free)?.id ?? '';
  const paid = plans.find((plan) => !plan.free)?.id ?? '';
  const payer = '--phone +250788123456 --network mtn';
  return [
    stop('sign in; the tour approves the code on the web page', 'login --no-browser', { approve: true, stored: true }),
    stop('who am I?', 'whoami', { stored: true }),
    stop('what would an order send?', `buy --plan ${paid} ${payer} --dry-run`),
    stop('order a free plan', `buy --plan ${free} --payment credit_card --yes --no-browser`),
    stop('order a plan; the payment prompt goes to the phone', `buy --plan ${paid} ${payer} --yes`),
    stop('a paid order by card is refused', `buy --plan ${paid} --payment credit_card --yes`, { exitCode: 3 }),
    stop('what does the DNS of a domain hold today?', `domains import ${domain}`),
    stop(
      'move it: scan, stage, and say what to do at the registrar',
      `domains add ${domain} --service ${wordpress} --import --yes`,
    ),
    stop('flush a cache and wait for it', 'wp run cache.flush --wait'),
    stop('how is the service doing?', 'metrics'),
    stop('and over the last day?', 'metrics --history --since 24h'),
    stop('is this deployment live?', `deployments inspect ${deployment?.id} --service ${deployment?.service}`),
    stop('restart the service', 'restart'),
    stop('a database, with its password masked', `db inspect ${ownDatabase?.id}`),
    stop('and in the clear', `db inspect ${ownDatabase?.id} --reveal`),
    stop('how are renewals paid?', 'billing autopay'),
    stop('any other request', 'api /v1/user --jq .user.email'),
    stop('a script reads JSON', `db inspect ${otherDatabase?.id} --jq .database.engine`),
    stop('forget the token', 'logout', { stored: true }),
  ];
}

/** No word of the tour has a space in it. */
function stop(meaning: string, line: string, more: Partial<Omit<Stop, 'words' | 'meaning'>> = {}): Stop {
  return { words: line.split(' '), meaning, exitCode: 0, ...more };
}
