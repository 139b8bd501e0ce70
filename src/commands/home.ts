import { defineCommand } from '../cli/define/define.ts';
import { getCachedNames } from '../cli/define/name-cache.ts';
import { ABOUT_SVC } from '../cli/help/help-text.ts';
import { describeKnown } from './shared/names.ts';

/** The screen of `svc` alone. Sends nothing. */
export default defineCommand({
  summary: 'Show who is signed in, what is in use, and what to do next',
  effect: 'local',

  async run(context) {
    const { settings } = context;
    const credential = settings.credential();
    const who = credential?.record?.email ?? credential?.source;
    const address = settings.findApiUrl()?.value;
    const account = who && address && `${who} at ${new URL(address).host}`;
    const org = settings.org()?.value;
    const organization = describeKnown(context, 'organizations', org);
    const id = settings.service()?.value;
    const service = describeKnown(context, 'services', id);
    const others = getCachedNames(context, 'services')
      .filter((known) => known.name !== id && known.org === org)
      .map(({ name, about }) => about ?? name);
    return { value: { account, organization, service, others }, json: undefined };
  },

  human(screen, { account, organization, service, others }) {
    screen.line(`${ABOUT_SVC}.`);
    if (account) {
      screen.fields([
        ['Account', account],
        ['Organization', organization],
        ['Service', service ?? 'none (choose one with svc link <id>)'],
        ['Used before', listNames(others)],
      ]);
    } else {
      screen.line();
      screen.line('You are not signed in.');
      screen.line();
    }
    screen.line('Next:');
    screen.terms([...(account ? SIGNED_IN : SIGNED_OUT), ['svc --help', 'every command']]);
  },
});

/** The most names of services in a line. */
const MAX_NAMES = 3;

function listNames(names: readonly string[]): string | undefined {
  const more = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(', ');
  return more > 0 ? `${first} and ${more} more` : first || undefined;
}

const SIGNED_OUT = [
  ['svc login', 'sign in'],
  ['svc sandbox tour', 'see every command in action, without an account'],
] as const;

const SIGNED_IN = [
  ['svc status', 'account and service at a glance'],
  ['svc metrics', 'CPU, memory and traffic'],
] as const;
