import type { Needs } from '../cli/define/context.ts';
import { defineCommand, document } from '../cli/define/define.ts';
import { OPTIONAL_SERVICE_OPTION, optional } from '../cli/values/parameters.ts';
import { quote, usageError } from '../errors.ts';
import { parseSafeUrl } from '../sign-in/browser.ts';
import { link } from '../terminal/screen.ts';

export default defineCommand({
  summary: 'Open the dashboard in the browser',
  description:
    'Open the dashboard in the browser: its first page, the service or organization in use, or another page',
  effect: 'local',
  args: { thing: optional('service, org, or a page of the dashboard such as domains') },
  options: OPTIONAL_SERVICE_OPTION,
  examples: [
    ['svc open', 'the dashboard'],
    ['svc open service', 'the linked service'],
    ['svc open domains', 'the page called domains'],
  ],

  async run(context, { thing, service }) {
    const url = dashboardPage(context, thing, service);
    return document('open', { url, opened: await context.io.openBrowser(url) });
  },

  human(screen, { url, opened }) {
    screen.line([opened ? 'Opening ' : 'Open this page: ', link(url)]);
  },
});

/** Throws a usage error if the dashboard is not known, or has no such page. */
function dashboardPage(context: Needs<'assume' | 'settings'>, thing?: string, service?: string) {
  const base = context.settings.dashboard()?.value.replace(/\/$/, '');
  if (base === undefined) {
    throw usageError(
      'svc does not know the address of the dashboard.',
      'To set it: svc config set dashboard <url>',
    );
  }
  const url = parseSafeUrl(`${base}/${findPage(context, thing, service).replace(/^\/+/, '')}`);
  if (url === undefined || !url.href.startsWith(`${base}/`)) {
    throw usageError(`${quote(thing ?? base)} is not a page of the dashboard at ${base}.`);
  }
  return url.href;
}

function findPage(
  { assume, settings }: Needs<'assume' | 'settings'>,
  thing = '',
  service?: string,
) {
  if (thing === 'service') {
    return assume('dashboard.service').replace('{id}', () => settings.serviceId(service));
  }
  if (thing !== 'org') return thing;
  const org = settings.org()?.value;
  if (org === undefined) throw usageError('No organization is selected.', 'svc orgs use');
  return assume('dashboard.org').replace('{id}', () => encodeURIComponent(org));
}
