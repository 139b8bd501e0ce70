import { defineCommand, document, printed } from '../cli/define/define.ts';
import { DEFAULT_TIMEOUT_SECONDS, type Globals } from '../cli/settings/globals.ts';
import { flag, option, SERVICE_OPTION } from '../cli/values/parameters.ts';
import { splitAtCommas } from '../cli/values/text.ts';
import { toOptionWords } from '../shell-line.ts';

export default defineCommand({
  summary: 'Serve these commands to agents as tools',
  description:
    'Serve these commands to agents as tools, over the Model Context Protocol on stdin and stdout',
  effect: 'local',
  options: {
    allow: option(
      'words',
      'tools that change something, as in restart,wp,domains,buy (default: none)',
      (text, field) => splitAtCommas(text, field).map((word) => word.trim()),
    ),
    service: { ...SERVICE_OPTION.service, meaning: 'use this service in every call' },
    print: flag('print what to paste into the configuration of a client instead'),
  },
  examples: [
    ['svc mcp --print', 'what to paste into a client, such as Cursor or Claude Desktop'],
    [
      'svc mcp --allow restart,wp --service svc_wp_7k2m9qx4 --print',
      'tools that may change one service',
    ],
  ],

  async run(context, { allow = [], service, print }, tree) {
    const { chooseTools, loadTools } = await import('../mcp/tools.ts');
    const { globals } = context;
    const pins = { org: globals.org, service };
    const tools = chooseTools(await loadTools(tree, pins), allow);
    const flags = globalWords(globals);
    if (print) {
      const words = toOptionWords({ allow: allow.join(), service });
      return document('mcp', { command: 'svc', args: ['mcp', ...words, ...flags] });
    }
    const { serveTools } = await import('../mcp/server.ts');
    await serveTools(context, { tools, tree, pins, globals: flags });
    return printed();
  },

  human(screen, { command, args }) {
    screen.exact();
    screen.verbatim(JSON.stringify({ mcpServers: { svc: { command, args } } }, null, 2));
  },
});

function globalWords({ profile, apiUrl, org, retry, timeoutSeconds }: Globals) {
  const flags = Object.entries({ '--profile': profile, '--api-url': apiUrl, '--org': org });
  return [
    ...flags.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag}=${value}`])),
    ...(retry ? [] : ['--no-retry']),
    ...(timeoutSeconds === DEFAULT_TIMEOUT_SECONDS ? [] : [`--timeout=${timeoutSeconds}s`]),
  ];
}
