interface Server {
  readonly command: string;
  readonly args: readonly string[];
}

interface Client {
  /** Where the text goes, for people. */
  readonly place: string;
  readonly text: (server: Server) => string;
}

const json = (value: object) => JSON.stringify(value, null, 2);
const inMcpServers = (server: Server) => json({ mcpServers: { svc: server } });

/** The programs whose configuration svc can write. */
const CLIENTS = {
  claude: {
    place: 'a shell: run the line',
    text: (server) =>
      `claude mcp add-json svc '${JSON.stringify({ type: 'stdio', ...server }).replaceAll("'", "'\\''")}'`,
  },
  'claude-desktop': { place: 'claude_desktop_config.json (Settings > Developer > Edit Config)', text: inMcpServers },
  cursor: { place: '.cursor/mcp.json', text: inMcpServers },
  vscode: {
    place: '.vscode/mcp.json',
    text: (server) => json({ servers: { svc: { type: 'stdio', ...server } } }),
  },
  codex: {
    place: '~/.codex/config.toml',
    // A TOML string in double quotes reads like one of JSON.
    text: ({ command, args }) =>
      `[mcp_servers.svc]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
  },
  gemini: { place: '~/.gemini/settings.json', text: inMcpServers },
  zed: { place: '~/.config/zed/settings.json', text: (server) => json({ context_servers: { svc: server } }) },
  windsurf: { place: '~/.codeium/windsurf/mcp_config.json', text: inMcpServers },
  opencode: {
    place: 'opencode.json',
    text: ({ command, args }) => json({ mcp: { svc: { type: 'local', command: [command, ...args], enabled: true } } }),
  },
} as const satisfies Readonly<Record<string, Client>>;

/** The name of a client, as `--print` takes it. */
export type McpClient = keyof typeof CLIENTS;
/** In the order in which help lists them. */
export const MCP_CLIENTS = Object.keys(CLIENTS) as readonly McpClient[];

/** Returns where the configuration of a client goes. */
export function placeOf(client: McpClient): string {
  return CLIENTS[client].place;
}

/** Returns what a person pastes to start `svc` with these words in a client. svc changes no file of a client. */
export function clientConfig(client: McpClient, args: readonly string[]): string {
  return CLIENTS[client].text({ command: 'svc', args });
}
