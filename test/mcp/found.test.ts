import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MCP_CLIENTS, type McpClient } from '../../src/mcp/client-config.ts';
import { posixWord } from '../../src/shell-line.ts';
import { sandboxWith } from '../support/mcp.ts';
import { builtProgram } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

interface Server {
  readonly command: string;
  readonly args: string[];
}

/** Reads what each client would start. */
const READERS: Readonly<Record<McpClient, (text: string) => Server>> = {
  claude: (text) => JSON.parse(/^claude mcp add-json svc '(.*)'$/m.exec(text)?.[1] ?? ''),
  'claude-desktop': (text) => JSON.parse(text).mcpServers.svc,
  cursor: (text) => JSON.parse(text).mcpServers.svc,
  vscode: (text) => JSON.parse(text).servers.svc,
  codex(text) {
    const value = (key: string) => JSON.parse(new RegExp(`^${key} = (.*)$`, 'm').exec(text)?.[1] ?? '');
    return { command: value('command'), args: value('args') };
  },
  gemini: (text) => JSON.parse(text).mcpServers.svc,
  zed: (text) => JSON.parse(text).context_servers.svc,
  windsurf: (text) => JSON.parse(text).mcpServers.svc,
  opencode(text) {
    const [command = '', ...args] = JSON.parse(text).mcp.svc.command;
    return { command, args };
  },
};

/** A folder with a program `svc`, as an installed one is found. */
async function onPath(): Promise<string> {
  const folder = await temporaryFolder();
  const { command } = await builtProgram();
  writeFileSync(join(folder, 'svc'), `#!/bin/sh\nexec ${command.map(posixWord).join(' ')} "$@"\n`);
  chmodSync(join(folder, 'svc'), 0o755);
  return folder;
}

/** Starts a server as a client does, and returns the names of its tools and the address of who is signed in. */
async function toolsOf({ command, args }: Server, env: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const { structuredContent } = await client.callTool({ name: 'whoami', arguments: { jq: '.user.email' } });
  return { names: tools.map(({ name }) => name), who: structuredContent };
}

async function environment(): Promise<Record<string, string>> {
  const { env } = await sandboxWith();
  const set = Object.entries({ ...env, PATH: `${await onPath()}:${process.env['PATH']}` });
  return Object.fromEntries(set.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

describe('svc mcp --print', () => {
  test.each(MCP_CLIENTS)('%s: the printed configuration starts the server', async (client) => {
    const run = await svc(['mcp', '--print', client, '--allow', 'restart', '--org', 'kola-studio']);
    expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^For /) });
    const server = READERS[client](run.stdout);
    expect(server).toMatchObject({ command: 'svc', args: ['mcp', '--allow', 'restart', '--org=kola-studio'] });
    const { names, who } = await toolsOf(server, await environment());
    expect(names).toContain('restart');
    expect(who).toEqual({ result: 'amina@kola-studio.example' });
  });

  test('a person finds every client in docs/agents.md', () => {
    const page = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
    expect(MCP_CLIENTS.filter((client) => !page.includes(`svc mcp --print ${client}\``))).toEqual([]);
  });
});

test('server.json names the package, and has the form of the registry', () => {
  const { name, version, mcpName, repository } = json('package.json');
  const entry = json('scripts/install/server.json');
  expect(entry).toMatchObject({
    name: mcpName,
    version,
    packages: [{ registryType: 'npm', identifier: name, version }],
  });
  expect(mcpName).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  const { host, pathname } = new URL(repository.url.replace(/^git\+/, ''));
  expect(mcpName).toBe(`${host.split('.').reverse().join('.')}${pathname.replace(/\.git$/, '')}`);
  expect(entry.description.length).toBeLessThanOrEqual(100);
  expect(entry.packages[0].environmentVariables).toContainEqual(
    expect.objectContaining({ name: 'SVC_TOKEN', isSecret: true }),
  );
});
