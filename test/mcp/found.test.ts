import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { posixWord } from '../../src/shell-line.ts';
import { sandboxWith } from '../support/mcp.ts';
import { builtProgram } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/** A folder with a program `svc`, as an installed one is found. */
async function onPath(): Promise<string> {
  const folder = await temporaryFolder();
  const { command } = await builtProgram();
  writeFileSync(join(folder, 'svc'), `#!/bin/sh\nexec ${command.map(posixWord).join(' ')} "$@"\n`);
  chmodSync(join(folder, 'svc'), 0o755);
  return folder;
}

async function environment(): Promise<Record<string, string>> {
  const { env } = await sandboxWith();
  const set = Object.entries({ ...env, PATH: `${await onPath()}:${process.env['PATH']}` });
  return Object.fromEntries(set.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

test('what svc mcp --print prints starts the server with its tools, for the account of the shell', async () => {
  const run = await svc(['mcp', '--print', '--allow', 'restart', '--org', 'kola-studio']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const { command, args } = JSON.parse(run.stdout).mcpServers.svc;
  expect({ command, args }).toEqual({ command: 'svc', args: ['mcp', '--allow', 'restart', '--org=kola-studio'] });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env: await environment(), stderr: 'ignore' }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('restart');
  const { structuredContent } = await client.callTool({ name: 'whoami', arguments: { jq: '.user.email' } });
  expect(structuredContent).toEqual({ result: 'amina@kola-studio.example' });
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
