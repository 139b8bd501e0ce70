import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Sandbox } from '../../../sandbox/server.ts';
import { defineCommand, printed } from '../../cli/define/define.ts';
import { fileOption, option } from '../../cli/values/parameters.ts';
import { parseWholeNumber } from '../../cli/values/text.ts';
import { parseDuration } from '../../cli/values/time.ts';
import { setVariable } from '../../shell-line.ts';
import { formatCount } from '../../terminal/format.ts';
import { code, type Screen, strong } from '../../terminal/screen.ts';
import {
  loadSandbox,
  PLATFORM_OPTIONS,
  type PlatformOptions,
  startPlatform,
} from './with-sandbox.ts';

const PORT = 4750;

export default defineCommand({
  summary: 'Serve the sandbox on this machine until Ctrl-C',
  effect: 'local',
  options: {
    port: option(
      'number',
      `port on 127.0.0.1; 0 picks a free one (default: ${PORT})`,
      (text, field) => parseWholeNumber(text, field, { min: 0, max: 65_535 }),
    ),
    data: fileOption('file', 'keep the state in this file'),
    interval: option('duration', 'time between the polls of a login', parseDuration),
    ...PLATFORM_OPTIONS,
  },
  examples: [
    ["svc sandbox --port 0 --fault 'restart:503*2'", 'refuse two restarts'],
    ['svc sandbox --port 0 --services 1000', 'many services'],
  ],

  more: async () => ({ title: 'Ids of every sandbox', rows: (await loadSandbox()).SAMPLES }),

  async run({ io, time, program }, { port = PORT, data, interval, ...platform }) {
    const sandbox = await startPlatform(platform, {
      port,
      dataFile: data && resolve(program.cwd(), data),
      intervalSeconds: interval,
    });
    try {
      await io.emit(sandbox.listing);
      await io.show((screen) => introduce(screen, sandbox, platform));
      if (!time.signal.aborted) await once(time.signal, 'abort');
    } finally {
      await sandbox.close();
    }
    return printed();
  },
});

/** Takes at most 23 rows of 80 columns, so that nothing scrolls off a small terminal. */
function introduce(
  screen: Screen,
  { listing, sessionToken, samples }: Sandbox,
  { services: serviceCount, limit: perSecond }: PlatformOptions,
) {
  const { url, token, services, dnsServer } = listing;
  const limit = perSecond === undefined ? '' : ` (limit ${perSecond}/s)`;
  screen.exact();
  screen.line([strong('The sandbox is ready'), ` on ${url}${limit}. Ctrl-C stops it.`]);
  screen.line(['Paste this in another terminal, or use ', code('svc sandbox shell'), ' instead:']);
  const setService = setVariable('SVC_SERVICE', services[0]?.id ?? '');
  const lines = [
    setVariable('SVC_API_URL', url),
    setVariable('SVC_TOKEN', token),
    // On one line, for a terminal of 24.
    `${setService}; ${setVariable('SVC_DNS_SERVER', dnsServer)}`,
    setVariable('SVC_DASHBOARD', url),
    `# ${setVariable('SVC_SESSION_TOKEN', sessionToken)}`,
  ];
  screen.verbatim(lines.map((line) => `  ${line}`).join('\n'));

  screen.line();
  if (serviceCount === undefined) {
    screen.line('To try the login page:');
    screen.line(['  ', code(`svc login --api-url ${url}`)]);
  } else {
    const list = code("svc api /sandbox --jq '.services[].id' > services.txt");
    screen.line([`The ids of all ${formatCount(serviceCount)}: `, list]);
    screen.line(['To restart them all: ', code('svc restart --services services.txt')]);
  }
  screen.heading('Sample ids');
  screen.fields(samples);
}
