export const CLIENTS = ['claude', 'cursor', 'vscode', 'codex'] as const;
export type Client = (typeof CLIENTS)[number];

/** Returns what a person pastes to start `svc` with these words in a client. svc changes no file of a client. */
export function clientConfig(client: Client, args: readonly string[]): string {
  const server = { command: 'svc', args };
  switch (client) {
    case 'claude':
      return `claude mcp add-json svc '${JSON.stringify({ type: 'stdio', ...server }).replaceAll("'", "'\\''")}'`;
    case 'cursor':
      return inFile('.cursor/mcp.json', { mcpServers: { svc: server } });
    case 'vscode':
      return inFile('.vscode/mcp.json', { servers: { svc: { type: 'stdio', ...server } } });
    case 'codex':
      // A TOML string in double quotes reads like one of JSON.
      return [
        '# ~/.codex/config.toml',
        '[mcp_servers.svc]',
        'command = "svc"',
        `args = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
      ].join('\n');
  }
}

function inFile(path: string, value: object): string {
  return `// ${path}\n${JSON.stringify(value, null, 2)}`;
}
