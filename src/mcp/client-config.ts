/** The programs whose configuration svc can write. */
export const MCP_CLIENTS = ['claude', 'cursor', 'vscode', 'codex'] as const;
/** One of {@link MCP_CLIENTS}. */
type McpClient = (typeof MCP_CLIENTS)[number];

/** Where the configuration of a client goes. */
export const PLACES: Readonly<Record<McpClient, string>> = {
  claude: 'a shell: run the line',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  codex: '~/.codex/config.toml',
};

/** Returns what a person pastes to start `svc` with these words in a client. svc changes no file of a client. */
export function clientConfig(client: McpClient, args: readonly string[]): string {
  const server = { command: 'svc', args };
  switch (client) {
    case 'claude':
      return `claude mcp add-json svc '${JSON.stringify({ type: 'stdio', ...server }).replaceAll("'", "'\\''")}'`;
    case 'cursor':
      return JSON.stringify({ mcpServers: { svc: server } }, null, 2);
    case 'vscode':
      return JSON.stringify({ servers: { svc: { type: 'stdio', ...server } } }, null, 2);
    case 'codex':
      // A TOML string in double quotes reads like one of JSON.
      return [
        '[mcp_servers.svc]',
        'command = "svc"',
        `args = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
      ].join('\n');
  }
}
