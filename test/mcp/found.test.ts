import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { posixWord } from '../../src/shell-line.ts';
import { clean, sandboxWith } from '../support/mcp.ts';
import { builtProgram } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const json = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));

test('what svc mcp --print prints starts the server with its tools, for the account of the shell', async () => {
  const run = await svc(['mcp', '--print', '--allow', 'restart', '--org', 'kola-studio']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const { command, args } = JSON.parse(run.stdout).mcpServers.svc;
  expect({ command, args }).toEqual({ command: 'svc', args: ['mcp', '--allow', 'restart', '--org=kola-studio'] });
  // A folder with a program `svc`, as an installed one is found.
  const folder = await temporaryFolder();
  const program = (await builtProgram()).command.map(posixWord).join(' ');
  writeFileSync(join(folder, 'svc'), `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(join(folder, 'svc'), 0o755);
  const env = clean((await sandboxWith({ PATH: `${folder}:${process.env['PATH']}` })).env);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('restart');
  const { structuredContent } = await client.callTool({ name: 'whoami', arguments: { jq: '.user.email' } });
  expect(structuredContent).toEqual({ result: 'amina@kola-studio.example' });
});

test('server.json names the package, and has the form of the registry', () => {
  const { name, version, mcpName, repository } = json('package.json');
  const entry = json('scripts/install/server.json');
  const packages = [{ registryType: 'npm', identifier: name, version }];
  expect(entry).toMatchObject({ name: mcpName, version, packages });
  const { host, pathname } = new URL(repository.url.replace(/^git\+/, ''));
  expect(mcpName).toBe(`${host.split('.').reverse().join('.')}${pathname.replace(/\.git$/, '')}`);
  expect(mcpName).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(entry.description.length).toBeLessThanOrEqual(100);
  const token = expect.objectContaining({ name: 'SVC_TOKEN', isSecret: true });
  expect(entry.packages[0].environmentVariables).toContainEqual(token);
});
