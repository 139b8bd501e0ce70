import { defineCommand } from '../cli/define/define.ts';
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
    const organization = describeKnown(context, 'organizations', settings.org()?.value);
    const service = describeKnown(context, 'services', settings.service()?.value);
    return { value: { account, organization, service }, json: undefined };
  },

  human(screen, { account, organization, service }) {
    screen.line(`${ABOUT_SVC}.`);
    screen.line();
    if (account) {
      screen.fields([
        ['Account', account],
        ['Organization', organization],
        ['Service', service ?? 'none (choose one with svc link <id>)'],
      ]);
    } else {
      screen.line('You are not signed in.');
      screen.line();
    }
    screen.line('Next:');
    screen.terms([...(account ? SIGNED_IN : SIGNED_OUT), ['svc --help', 'every command']]);
  },
});

const SIGNED_OUT = [
  ['svc login', 'sign in'],
  ['svc sandbox tour', 'see every command in action, without an account'],
] as const;

const SIGNED_IN = [
  ['svc status', 'your account and service at a glance'],
  ['svc metrics', 'CPU, memory and traffic'],
] as const;
